#include "app/output.h"

#include <iostream>
#include <utility>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/files.h"
#include "base/path_text.h"

namespace sublet::app {

namespace fs = std::filesystem;

namespace {

// Where a file lies, or will; nothing where its folder is not there.
std::optional<fs::path> place_of(const fs::path& path) {
    std::optional<fs::path> folder = real_path(absolute_path(path).parent_path());
    if (folder) *folder /= path.filename();
    return folder;
}

bool same_place(const fs::path& a, const fs::path& b) {
    if (same_file(a, b)) return true;
    const std::optional<fs::path> place = place_of(a);
    return place && place == place_of(b);
}

}  // namespace

void check_output(const NamedFile& output, std::initializer_list<NamedFile> others) {
    const fs::path& path = output.path;
    const fs::path folder = path.parent_path();
    if (path.empty()) throw Error("the output file's name is empty");
    if (!folder.empty() && !is_folder(folder)) {
        throw Error(path_text(path), "", "the folder '" + path_text(folder) + "' does not exist; create it first");
    }
    if (is_folder(path)) throw Error(path_text(path), "", "this is a folder; name a file in it");
    for (const NamedFile& other : others) {
        if (other.path.empty() || !same_place(path, other.path)) continue;
        throw Error(path_text(path), "",
                    std::string(output.option) + " and " + std::string(other.option) +
                        " name this one file, and what is written would replace the other's");
    }
}

Output::Output(fs::path json_path, std::initializer_list<NamedFile> others) : json_path_(std::move(json_path)) {
    if (!json_path_.empty() && json_path_ != "-") check_output({"--json", json_path_}, others);
}

std::ostream& Output::human() const {
    return json_path_ == "-" ? std::cerr : std::cout;
}

void Output::write_json(const Json& result) const {
    if (json_path_.empty()) return;
    Json document{{"program", kProgram}, {"version", kVersion}};
    document.update(result);
    // Names in a file need not be UTF-8; JSON has to be.
    const std::string text = document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    if (json_path_ == "-") {
        std::cout << text;
    } else {
        write_file(json_path_, text);
    }
}

}  // namespace sublet::app
