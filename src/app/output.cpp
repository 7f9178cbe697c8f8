#include "app/output.h"

#include <iostream>
#include <utility>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/files.h"
#include "base/path_text.h"

namespace sublet::app {

namespace fs = std::filesystem;

void check_output(const fs::path& path, std::initializer_list<fs::path> inputs) {
    const fs::path folder = path.parent_path();
    if (path.empty()) throw Error("the output file's name is empty");
    if (!folder.empty() && !is_folder(folder)) {
        throw Error(path_text(path), "", "the folder '" + path_text(folder) + "' does not exist; create it first");
    }
    if (is_folder(path)) throw Error(path_text(path), "", "is a folder; name a file in it");
    for (const fs::path& input : inputs) {
        if (!input.empty() && same_file(path, input)) {
            throw Error(path_text(path), "",
                        "is named twice on this command line, and one file would overwrite the other");
        }
    }
}

Output::Output(fs::path json_path, std::initializer_list<fs::path> inputs) : json_path_(std::move(json_path)) {
    if (!json_path_.empty() && json_path_ != "-") check_output(json_path_, inputs);
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
