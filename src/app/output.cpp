#include "app/output.h"

#include <iostream>
#include <system_error>
#include <utility>

#include "base/atomic_file.h"
#include "base/error.h"

namespace sublet::app {

namespace fs = std::filesystem;

void check_output(const fs::path& path, std::initializer_list<fs::path> inputs) {
    std::error_code error;
    const fs::path folder = path.parent_path();
    if (path.empty()) throw Error("the output file's name is empty");
    if (!folder.empty() && !fs::is_directory(folder, error)) {
        throw Error(path.string(), "", "the folder '" + folder.string() + "' does not exist; create it first");
    }
    if (fs::is_directory(path, error)) throw Error(path.string(), "", "is a folder; name a file in it");
    for (const fs::path& input : inputs) {
        if (!input.empty() && fs::equivalent(path, input, error) && !error) {
            throw Error(path.string(), "",
                        "is named twice on this command line, and one file would overwrite the other");
        }
    }
}

Output::Output(std::string json_path, std::initializer_list<fs::path> inputs) : json_path_(std::move(json_path)) {
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
