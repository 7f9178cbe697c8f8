#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "app/command_model.h"
#include "app/commands.h"
#include "app/help_text.h"
#include "app/output.h"
#include "app/view/scene_files.h"
#include "base/error.h"
#include "base/files.h"
#include "base/path_text.h"
#include "base/printable.h"
#include "base/signal_cleanup.h"
#include "base/suggest.h"

namespace sublet::app {

namespace {

int fail(std::string message, int status) {
    while (!message.empty() && message.back() == '\n') message.pop_back();
    std::cout.flush();
    std::cerr << "error: " << printable(message) << '\n';
    return status;
}

// `sublet help [TOPIC]`.
void add_help(CLI::App& program, Action& action) {
    auto topic = std::make_shared<std::string>();
    CLI::App* command = program.add_subcommand("help", "Explain the program, a command or an option");
    command->group(kLookingUp);
    command->footer(
        "sublet help render    # as sublet render --help\n"
        "sublet help backend   # what --backend takes");
    command->add_option("TOPIC", *topic, "A command or an option; left out, the program")
        ->type_name("TOPIC")
        ->group("Topics");
    command->allow_extras();  // "sublet help --backend" asks for an option
    command->callback([&program, &action, command, topic] {
        std::vector<std::string> topics = command->remaining();
        if (!topic->empty()) topics.insert(topics.begin(), *topic);
        if (topics.size() > 1)
            throw UsageError("sublet help explains one thing at a time: '" + topics[1] + "' is too many");
        *topic = topics.empty() ? "" : topics.front();
        action = [&program, topic] {
            const ProgramModel model = program_model(program);
            std::cout << (topic->empty() ? program_help(model) : topic_help(model, *topic));
            return kDone;
        };
    });
}

// Everything that can be asked for. `action` and what this returns live as long as each other.
std::unique_ptr<CLI::App> make_program(Action& action) {
    auto program = std::make_unique<CLI::App>(
        "Sublet renders meshlets from their compressed form, and makes the files that hold them.", "sublet");
    program->allow_windows_style_options(false);  // /folder/file is a path; commands inherit it
    program->set_version_flag("--version", std::string(kProgram) + " " + kVersion, "Show the version");
    program->set_help_flag("-h,--help", "Show this help");
    program->require_subcommand(0, 1);
    add_encode(*program, action);
    add_info(*program, action);
    add_decode(*program, action);
    add_view(*program, action);
    add_render(*program, action);
    add_compare(*program, action);
    add_bench(*program, action);
    add_devices(*program, action);
    add_cache(*program, action);
    add_help(*program, action);
    program->footer(  // commands would inherit it
        "sublet view                                   # the built-in scene in a window\n"
        "sublet model.glb --view meshlets              # a model; as sublet view model.glb\n"
        "sublet encode model.glb -o model.sublet       # compress a model\n"
        "sublet render model.sublet -o picture.png     # a picture of it\n"
        "sublet render --preset look.json -o picture.png          # with settings that the viewer saved\n"
        "sublet render --camera-path path.json -o frame-%04d.png  # along cameras that it recorded\n"
        "sublet bench --vary backend=mdi,direct        # what is faster here?");
    return program;
}

constexpr std::string_view kExcludes = " excludes ";  // in the parser's words

// The first word that the parser knew nothing to do with, an option before others; empty when there is none.
std::string unknown_word(const CLI::App& program) {
    const std::vector<std::string> rest = program.remaining(true);
    const auto option =
        std::ranges::find_if(rest, [](const std::string& word) { return word.size() > 1 && word.starts_with('-'); });
    return option != rest.end() ? *option : rest.empty() ? std::string() : rest.front();
}

std::string explain_unknown(const std::string& word, const CLI::App& app, const std::string& path, bool is_program) {
    if (!word.starts_with('-')) {
        if (!is_program) return "'" + word + "' is one word too many for " + path;
        std::vector<std::string> names;
        for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
            names.push_back(command->get_name());
        }
        const std::filesystem::path path = text_path(word);
        if (path_exists(path) || path.has_extension() || path.has_parent_path()) {
            return "'" + word + "' is neither a command nor a scene: those are .gltf, .glb and .sublet files" +
                   similar_scene(path);
        }
        return "there is no command '" + word + "'" +
               did_you_mean(word, std::vector<std::string_view>(names.begin(), names.end()));
    }
    const std::string name = word.substr(0, word.find('='));
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& flag : option->get_lnames()) names.push_back("--" + flag);
    }
    return path + " has no option '" + name + "'" +
           did_you_mean(name, std::vector<std::string_view>(names.begin(), names.end()));
}

// What is wrong with a command line, in words of its own where the parser's are about its API.
std::string explain(const CLI::ParseError& error, const CLI::App& program) {
    const std::vector<CLI::App*> chosen = program.get_subcommands();
    const CLI::App& app = chosen.empty() ? program : *chosen.front();
    const std::string path = program.get_name() + (chosen.empty() ? "" : " " + app.get_name());
    const std::string advice = " ('" + path + " --help' shows what there is)";
    // It comes first: with a mistyped option others seem to be missing, or to be too many.
    if (const std::string word = unknown_word(program); !word.empty()) {
        return explain_unknown(word, app, path, chosen.empty()) + advice;
    }
    std::string message = error.what();
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
        message = message.substr(0, message.find(':')) + ": its value is missing";
    }
    if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) {
        message.replace(message.find(kExcludes), kExcludes.size(), " does not go with ");
    }
    return message + advice;
}

bool has_command(const CLI::App& program, const std::string& name) {
    const auto commands = program.get_subcommands([](const CLI::App*) { return true; });
    return std::ranges::any_of(commands, [&](const CLI::App* command) { return command->get_name() == name; });
}

// `sublet kitten.glb` is `sublet view kitten.glb`. A command's name is the command, whatever files there are.
void name_scene_command(std::vector<std::string>& arguments, const CLI::App& program) {
    if (arguments.size() < 2) return;
    const std::string& word = arguments[1];
    if (word.starts_with('-') || has_command(program, word)) return;
    const std::filesystem::path path = text_path(word);
    if (is_folder(path) || named_as_scene(path)) arguments.insert(arguments.begin() + 1, kSceneCommand);
}

int run_parsed(std::vector<std::string> arguments) {
    Action action;
    const std::unique_ptr<CLI::App> program = make_program(action);
    name_scene_command(arguments, *program);
    try {
        // The last one first, and without the program's name: so it takes them.
        program->parse(std::vector<std::string>(arguments.rbegin(), arguments.rend() - 1));
    } catch (const CLI::CallForHelp&) {
        const ProgramModel model = program_model(*program);
        const std::vector<CLI::App*> chosen = program->get_subcommands();
        std::cout << (chosen.empty() ? program_help(model) : command_help(model, command_model(*chosen.front())));
        return kDone;
    } catch (const CLI::CallForVersion& version) {
        std::cout << version.what() << '\n';
        return kDone;
    } catch (const CLI::ParseError& error) {
        return fail(explain(error, *program), kWrongUsage);
    }
    if (!action) {
        std::cout << program_help(program_model(*program));
        return kDone;
    }
    return action();
}

}  // namespace

ProgramModel program_model() {
    Action action;
    return program_model(*make_program(action));
}

int run(const std::vector<std::string>& arguments) {
    survive_size_limits();
    survive_short_files();
    try {
        const int status = run_parsed(arguments);
        std::cout.flush();
        if (!std::cout) throw Error("standard output: cannot be written (a full disk?)");
        return status;
    } catch (const UsageError& error) {
        return fail(error.what(), kWrongUsage);
    } catch (const Error& error) {
        return fail(error.what(), kFailed);
    } catch (const std::bad_alloc&) {
        return fail("out of memory", kFailed);
    } catch (const std::exception& error) {
        return fail(std::string("unexpected: ") + error.what(), kFailed);
    }
}

}  // namespace sublet::app
