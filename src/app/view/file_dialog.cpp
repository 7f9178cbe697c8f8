#include "app/view/file_dialog.h"

#include <fcntl.h>
#include <imgui.h>
#include <imgui_stdlib.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "app/file_options.h"
#include "app/view/scene_files.h"
#include "scene/environment_map.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to programs

namespace sublet::app {

namespace fs = std::filesystem;

namespace {

const char* title_of(FilePurpose purpose) {
    switch (purpose) {
        case FilePurpose::kOpenScene:
            return "Open a scene";
        case FilePurpose::kOpenEnvironment:
            return "Open a picture of the light all around";
        case FilePurpose::kLoadPreset:
            return "Load a preset";
        case FilePurpose::kSavePreset:
            break;
    }
    return "Save a preset";
}

bool wanted(FilePurpose purpose, const fs::path& file) {
    if (purpose == FilePurpose::kOpenScene) return named_as_scene(file);
    if (purpose == FilePurpose::kOpenEnvironment) return scene::named_as_environment(file);
    return lower_extension(file) == ".json";
}

// What such files are called, and how their names end.
struct Filter {
    const char* name;
    const char* patterns;
};

Filter filter_of(FilePurpose purpose) {
    if (purpose == FilePurpose::kOpenScene) return {"Scenes", "*.gltf *.glb *.sublet"};
    if (purpose == FilePurpose::kOpenEnvironment) return {"Pictures", "*.hdr *.exr"};
    return {"Presets", "*.json"};
}

// In the folders of PATH.
bool installed(const std::string& program) {
    const char* path = std::getenv("PATH");
    std::string rest = path == nullptr ? "" : path;
    while (!rest.empty()) {
        const std::size_t colon = rest.find(':');
        const std::string folder = rest.substr(0, colon);
        rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
        if (!folder.empty() && ::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
    }
    return false;
}

// Nothing where neither program is there.
std::vector<std::string> dialog_command(FilePurpose purpose, const fs::path& folder) {
    const bool save = purpose == FilePurpose::kSavePreset;
    const Filter filter = filter_of(purpose);
    const std::string name = filter.name;
    const std::string patterns = filter.patterns;
    const std::string start = (save ? folder / "preset.json" : folder / "").string();
    if (installed("zenity")) {
        std::vector<std::string> command{"zenity", "--file-selection", std::string("--title=") + title_of(purpose),
                                         "--filename=" + start};
        if (save) command.insert(command.end(), {"--save", "--confirm-overwrite"});
        command.push_back("--file-filter=" + name + " | " + patterns);
        return command;
    }
    if (installed("kdialog")) {
        return {"kdialog",
                "--title",
                title_of(purpose),
                save ? "--getsavefilename" : "--getopenfilename",
                start,
                patterns + "|" + name};
    }
    return {};
}

}  // namespace

FileDialog::~FileDialog() {
    stop_program();
}

void FileDialog::ask(FilePurpose purpose, const fs::path& folder) {
    stop_program();
    purpose_ = purpose;
    chosen_.reset();
    name_ = purpose == FilePurpose::kSavePreset ? "preset.json" : "";
    replaced_.clear();
    const fs::path start = folder.empty() ? fs::path(".") : folder;  // that of a file without one in its name
    listing_ = !start_program(start);
    if (listing_) enter(start);
}

bool FileDialog::start_program(const fs::path& folder) {
    const std::vector<std::string> command = dialog_command(purpose_, folder);
    if (command.empty()) return false;
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    std::vector<char*> arguments;
    for (const std::string& word : command) {
        // posix_spawn only reads them.
        arguments.push_back(const_cast<char*>(word.c_str()));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    }
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions{};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    const int error = ::posix_spawnp(&child_, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (error != 0) {
        ::close(ends[0]);
        child_ = 0;
        return false;
    }
    output_ = ends[0];
    ::fcntl(output_, F_SETFL, O_NONBLOCK);
    printed_.clear();
    return true;
}

void FileDialog::stop_program() {
    if (child_ <= 0) return;
    ::kill(child_, SIGTERM);
    ::waitpid(child_, nullptr, 0);
    ::close(std::exchange(output_, -1));
    child_ = 0;
}

std::optional<fs::path> FileDialog::take() {
    if (child_ > 0) {
        std::array<char, 4096> bytes{};
        ssize_t count = 0;
        while ((count = ::read(output_, bytes.data(), bytes.size())) > 0) {
            printed_.append(bytes.data(), static_cast<std::size_t>(count));
        }
        // Its end, and not that there is nothing yet: then it is over, or will be at once.
        if (count == 0) {
            int status = 0;
            ::waitpid(child_, &status, 0);
            ::close(std::exchange(output_, -1));
            child_ = 0;
            while (!printed_.empty() && printed_.back() == '\n') printed_.pop_back();
            if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !printed_.empty()) chosen_ = printed_;
        }
    }
    return std::exchange(chosen_, std::nullopt);
}

void FileDialog::enter(const fs::path& folder) {
    std::error_code error;
    const fs::path absolute = fs::weakly_canonical(folder, error);
    std::vector<Entry> entries;
    for (fs::directory_iterator i(error ? folder : absolute, error), end; !error && i != end; i.increment(error)) {
        std::error_code ignored;
        const std::string name = i->path().filename().string();
        if (name.starts_with('.')) continue;
        if (i->is_directory(ignored)) {
            entries.push_back({name, true});
        } else if (wanted(purpose_, i->path())) {
            entries.push_back({name, false});
        }
    }
    error_ = error ? folder.string() + ": " + error.message() : "";
    if (error) return;
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return std::pair(!a.folder, a.name) < std::pair(!b.folder, b.name);
    });
    folder_ = absolute;
    entries_ = std::move(entries);
}

void FileDialog::choose(const fs::path& file) {
    chosen_ = file;
    listing_ = false;
}

bool FileDialog::dismiss() {
    return std::exchange(listing_, false);
}

void FileDialog::draw(WidgetMap& widgets) {
    if (!listing_) return;
    const float unit = ImGui::GetFontSize();
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({screen.x * 0.5F, screen.y * 0.5F}, ImGuiCond_Appearing, {0.5F, 0.5F});
    ImGui::SetNextWindowSize({std::min(unit * 40.0F, screen.x), std::min(unit * 30.0F, screen.y)}, ImGuiCond_Appearing);
    bool shown = true;
    std::optional<fs::path> next;
    if (ImGui::Begin(title_of(purpose_), &shown, ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoCollapse)) {
        wrapped_text(folder_.string());
        const float below = ImGui::GetFrameHeightWithSpacing() * (purpose_ == FilePurpose::kSavePreset ? 2.0F : 1.0F) +
                            (error_.empty() ? 0.0F : ImGui::GetTextLineHeightWithSpacing());
        if (ImGui::BeginChild("files", {0.0F, -below}, ImGuiChildFlags_Border)) {
            if (ImGui::Selectable("..")) next = folder_.parent_path();
            widgets.note("file ..");
            for (const Entry& entry : entries_) {
                const std::string label = entry.folder ? entry.name + "/" : entry.name;
                if (ImGui::Selectable(label.c_str(), entry.name == name_)) {
                    if (entry.folder) {
                        next = folder_ / entry.name;
                    } else if (purpose_ == FilePurpose::kSavePreset) {
                        name_ = entry.name;
                    } else {
                        choose(folder_ / entry.name);
                    }
                }
                widgets.note("file " + entry.name);
            }
            if (entries_.empty()) dim_text(std::string("none of these here: ") + filter_of(purpose_).patterns);
        }
        ImGui::EndChild();
        if (!error_.empty()) wrapped_text(error_);
        if (purpose_ == FilePurpose::kSavePreset) {
            ImGui::SetNextItemWidth(-1.0F);
            const bool entered = ImGui::InputText("##name", &name_, ImGuiInputTextFlags_EnterReturnsTrue);
            widgets.note("file name");
            const bool pressed = ImGui::Button("Save");
            widgets.note("file save");
            if ((entered || pressed) && !name_.empty()) {
                fs::path file = folder_ / name_;
                if (lower_extension(file) != ".json") file += ".json";
                std::error_code ignored;
                if (fs::exists(file, ignored) && std::exchange(replaced_, file) != file) {
                    error_ = file.filename().string() + " is there already: save again to replace it";
                } else {
                    choose(file);
                }
            }
            ImGui::SameLine();
        }
        if (ImGui::Button("Cancel")) shown = false;
        widgets.note("file cancel");
    }
    ImGui::End();
    if (!shown) listing_ = false;
    if (next) enter(*next);
}

}  // namespace sublet::app
