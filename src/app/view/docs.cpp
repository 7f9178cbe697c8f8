#include "app/view/docs.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <system_error>

namespace sublet::app {

DocsPlace docs_place(std::string_view text) {
    DocsPlace place;
    const std::string_view path = text.substr(0, text.find(','));
    place.file = std::filesystem::path(path).filename().string();
    const std::size_t quote = text.find('"');
    if (quote != std::string_view::npos) place.section = text.substr(quote + 1, text.rfind('"') - quote - 1);
    return place;
}

std::optional<std::filesystem::path> find_docs(const std::string& file, const std::filesystem::path& built_from,
                                               const std::filesystem::path& executable) {
    for (const std::filesystem::path& folder :
         {built_from, executable.parent_path().parent_path() / "share/doc/sublet"}) {
        std::error_code none;
        if (std::filesystem::is_regular_file(folder / file, none)) return folder / file;
    }
    return std::nullopt;
}

std::optional<std::filesystem::path> find_docs(const std::string& file) {
    std::error_code none;
    return find_docs(file, SUBLET_DOCS, std::filesystem::read_symlink("/proc/self/exe", none));
}

bool FileOpener::open(const std::filesystem::path& file) {
    posix_spawn_file_actions_t files{};
    posix_spawn_file_actions_init(&files);
    // What it says is not the viewer's: standard output may be JSON.
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
        posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_WRONLY, 0);
    }
    // No shell has a part in this: the path is an argument as it is.
    std::string program = "xdg-open";
    std::string path = file.string();
    std::array<char*, 3> arguments{program.data(), path.data(), nullptr};
    pid_t process = -1;
    const int error = posix_spawnp(&process, program.c_str(), &files, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    if (error != 0) return false;
    process_ = process;
    file_ = file;
    return true;
}

std::optional<std::filesystem::path> FileOpener::take_failed() {
    int status = 0;
    if (process_ < 0 || waitpid(process_, &status, WNOHANG) != process_) return std::nullopt;
    process_ = -1;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return std::nullopt;
    return file_;
}

}  // namespace sublet::app
