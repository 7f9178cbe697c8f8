#include <CLI/CLI.hpp>
#include <cctype>
#include <csignal>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/output.h"
#include "base/error.h"

namespace sublet::app {

namespace {

// One line whatever the message holds: names from a hostile file may have line ends or escape sequences in them.
std::string one_line(std::string text) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    for (char& c : text) {
        if (std::iscntrl(static_cast<unsigned char>(c)) != 0) c = ' ';
    }
    return text;
}

int fail(const std::string& message, int status) {
    std::cout.flush();
    std::cerr << "error: " << one_line(message) << '\n';
    return status;
}

// The program's own help: once a command was parsed, help() gives that of the command.
std::string overview(CLI::App& program) {
    program.clear();
    return program.help();
}

// `sublet help [COMMAND]`.
void add_help(CLI::App& program, Action& action) {
    auto topic = std::make_shared<std::string>();
    CLI::App* command = program.add_subcommand("help", "Show this help, or that of a command");
    command->add_option("COMMAND", *topic, "What to explain");
    command->callback([&program, &action, topic] {
        action = [&program, topic] {
            if (topic->empty()) {
                std::cout << overview(program);
                return kDone;
            }
            for (const CLI::App* candidate : program.get_subcommands([](const CLI::App*) { return true; })) {
                if (candidate->get_name() == *topic) {
                    std::cout << candidate->help(program.get_name());
                    return kDone;
                }
            }
            throw UsageError("there is no command '" + *topic + "'; 'sublet help' lists them");
        };
    });
}

// What is wrong with a command line, without the parser's advice on its own API.
std::string explain(const CLI::ParseError& error, const CLI::App& program) {
    std::string name = program.get_name();
    for (const CLI::App* command : program.get_subcommands()) name += " " + command->get_name();
    return std::string(error.what()) + " ('" + name + " --help' shows what there is)";
}

int run_parsed(int argc, const char* const* argv) {
    CLI::App program("Sublet renders meshlets from their compressed form, and makes the files that hold them.",
                     "sublet");
    program.set_version_flag("--version", std::string(kProgram) + " " + kVersion);
    program.set_help_flag("-h,--help", "Show this help");
    program.require_subcommand(0, 1);
    program.footer(
        "SCENE is a .gltf, .glb or .sublet file; left out, it is the built-in scene.\n"
        "'sublet COMMAND --help' explains a command.");
    Action action;
    add_encode(program, action);
    add_info(program, action);
    add_decode(program, action);
    add_view(program, action);
    add_render(program, action);
    add_compare(program, action);
    add_bench(program, action);
    add_devices(program, action);
    add_help(program, action);
    try {
        program.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        const std::vector<CLI::App*> chosen = program.get_subcommands();
        std::cout << (chosen.empty() ? program.help() : chosen.front()->help(program.get_name()));
        return kDone;
    } catch (const CLI::CallForVersion& version) {
        std::cout << version.what() << '\n';
        return kDone;
    } catch (const CLI::ParseError& error) {
        return fail(explain(error, program), kWrongUsage);
    }
    if (!action) {
        std::cout << program.help();
        return kDone;
    }
    return action();
}

}  // namespace

int run(int argc, const char* const* argv) {
    std::signal(SIGXFSZ, SIG_IGN);  // a file beyond the limit on sizes is an error with a message then
    try {
        const int status = run_parsed(argc, argv);
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
