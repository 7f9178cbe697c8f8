// sublet_generate man|bash|zsh|fish FILE: writes what is made from the command line's model.
#include "app/generate/generate.h"

#include <exception>
#include <iostream>
#include <string_view>

#include "app/output.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "render/settings/settings.h"

namespace sublet::app {

bool takes_setting(const OptionModel& option) {
    return option.value.starts_with("SETTING=");
}

std::vector<const OptionModel*> variable_options(const CommandModel& command) {
    std::vector<const OptionModel*> options;
    for (const OptionModel& option : command.options) {
        if (option.flags.empty() || !option.name().starts_with("--")) continue;
        if (render::find_setting(option.name().substr(2)) != nullptr) options.push_back(&option);
    }
    return options;
}

std::vector<std::string> choice_names(const OptionModel& option) {
    std::vector<std::string> names;
    for (const ChoiceModel& choice : option.choices) names.push_back(choice.name);
    return names;
}

namespace {

std::string generate(std::string_view what, const ProgramModel& program) {
    if (what == "man") return man_page(program, kVersion);
    if (what == "bash") return bash_completion(program);
    if (what == "zsh") return zsh_completion(program);
    if (what == "fish") return fish_completion(program);
    throw Error("'" + std::string(what) + "' is not one of man, bash, zsh, fish");
}

}  // namespace

}  // namespace sublet::app

int main(int argc, char** argv) {
    try {
        if (argc != 3) throw sublet::Error("usage: sublet_generate man|bash|zsh|fish FILE");
        sublet::write_file(argv[2], sublet::app::generate(argv[1], sublet::app::program_model()));
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "error: " << error.what() << '\n';
        return 1;
    }
}
