#include "app/view/file_dialog.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

#include "app/file_options.h"
#include "app/keep/user_folders.h"
#include "app/view/scene_files.h"
#include "app/view/typed_path.h"
#include "base/error.h"
#include "base/files.h"
#include "base/path_text.h"
#include "scene/environment_map.h"

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

}  // namespace

void FileDialog::ask(FilePurpose purpose, const fs::path& folder) {
    system_.stop();
    purpose_ = purpose;
    chosen_.reset();
    name_ = purpose == FilePurpose::kSavePreset ? "preset.json" : "";
    replaced_.clear();
    const fs::path start = folder.empty() ? fs::path(".") : folder;  // that of a file without one in its name
    const Filter filter = filter_of(purpose);
    listing_ = !system_.ask({title_of(purpose), filter.name, filter.patterns, start, name_});
    if (listing_) enter(start);
}

std::optional<fs::path> FileDialog::take() {
    if (std::optional<fs::path> chosen = system_.take()) chosen_ = std::move(chosen);
    return std::exchange(chosen_, std::nullopt);
}

void FileDialog::enter(const fs::path& folder) {
    const fs::path place = real_path(folder).value_or(folder);
    std::vector<ListedFile> listed;
    const int error = list_folder(place, listed);
    error_ = error != 0 ? path_text(folder) + ": " + system_message(error) : "";
    if (error != 0) return;
    std::vector<Entry> entries;
    for (const ListedFile& file : listed) {
        const std::string name = path_text(file.path.filename());
        const bool folder_within = file.kind == PathKind::kFolder;
        if (!name.starts_with('.') && (folder_within || wanted(purpose_, file.path))) {
            entries.push_back({name, folder_within});
        }
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return std::pair(!a.folder, a.name) < std::pair(!b.folder, b.name);
    });
    folder_ = place;
    entries_ = std::move(entries);
    names_.clear();
    for (const Entry& entry : entries_) names_.push_back(entry.name);
    typed_.clear();
    focus_typed_ = true;
}

void FileDialog::choose(const fs::path& file) {
    chosen_ = file;
    listing_ = false;
}

bool FileDialog::dismiss() {
    return std::exchange(listing_, false);
}

void FileDialog::take(const Entry& entry) {
    const fs::path path = folder_ / text_path(entry.name);
    if (entry.folder) {
        next_ = path;
    } else if (purpose_ == FilePurpose::kSavePreset) {
        name_ = entry.name;
    } else {
        choose(path);
    }
}

// A path, else the name that begins so.
void FileDialog::take_typed(std::optional<std::size_t> begun) {
    const fs::path path = typed_path(typed_, folder_, home_folder());
    focus_typed_ = true;
    if (typed_.empty()) return;
    if (is_folder(path)) {
        next_ = path;
    } else if (path_exists(path)) {
        choose(path);
    } else if (begun) {
        take(entries_[*begun]);
    } else {
        error_ = path_text(path) + ": there is no such file";
    }
}

// `begun`: the entry whose name begins with what was typed; it is scrolled to where that has changed.
void FileDialog::draw_list(std::optional<std::size_t> begun, bool scroll, WidgetMap& widgets) {
    if (ImGui::Selectable("..")) next_ = folder_.parent_path();
    widgets.note("file ..");
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const Entry& entry = entries_[i];
        const std::string label = entry.folder ? entry.name + "/" : entry.name;
        if (ImGui::Selectable(label.c_str(), entry.name == name_ || begun == i)) take(entry);
        widgets.note("file " + entry.name);
        if (scroll && begun == i) ImGui::SetScrollHereY();
    }
    if (entries_.empty()) dim_text(std::string("none of these here: ") + filter_of(purpose_).patterns);
}

void FileDialog::draw_save(WidgetMap& widgets) {
    ImGui::SetNextItemWidth(-1.0F);
    const bool entered = ImGui::InputText("##name", &name_, ImGuiInputTextFlags_EnterReturnsTrue);
    widgets.note("file name");
    const bool pressed = ImGui::Button("Save");
    widgets.note("file save");
    ImGui::SameLine();
    if (!(entered || pressed) || name_.empty()) return;
    fs::path file = typed_path(name_, folder_, home_folder());
    if (is_folder(file)) {
        next_ = file;
        return;
    }
    if (lower_extension(file) != ".json") file += ".json";
    if (path_exists(file) && std::exchange(replaced_, file) != file) {
        error_ = path_text(file.filename()) + " is there already: save again to replace it";
    } else {
        choose(file);
    }
}

void FileDialog::draw(WidgetMap& widgets) {
    if (!listing_) return;
    const float unit = ImGui::GetFontSize();
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const bool saves = purpose_ == FilePurpose::kSavePreset;
    ImGui::SetNextWindowPos({screen.x * 0.5F, screen.y * 0.5F}, ImGuiCond_Appearing, {0.5F, 0.5F});
    ImGui::SetNextWindowSize({std::min(unit * 40.0F, screen.x), std::min(unit * 30.0F, screen.y)}, ImGuiCond_Appearing);
    bool shown = true;
    // Escape in a field only ends typing.
    const bool escaped = ImGui::GetIO().WantTextInput && ImGui::IsKeyPressed(ImGuiKey_Escape, false);
    if (ImGui::Begin(title_of(purpose_), &shown, ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoCollapse)) {
        wrapped_text(path_text(folder_));
        bool edited = false;
        std::optional<std::size_t> begun;
        if (!saves) {
            if (std::exchange(focus_typed_, false)) ImGui::SetKeyboardFocusHere();
            ImGui::SetNextItemWidth(-1.0F);
            const std::string before = typed_;
            const bool entered = ImGui::InputTextWithHint("##path", "a path, or how a name begins", &typed_,
                                                          ImGuiInputTextFlags_EnterReturnsTrue);
            widgets.note("file path");
            edited = typed_ != before;
            begun = first_beginning(typed_, names_);
            if (edited) error_.clear();
            if (entered) take_typed(begun);
        }
        const float below = ImGui::GetFrameHeightWithSpacing() * (saves ? 2.0F : 1.0F) +
                            (error_.empty() ? 0.0F : ImGui::GetTextLineHeightWithSpacing());
        if (ImGui::BeginChild("files", {0.0F, -below}, ImGuiChildFlags_Border)) draw_list(begun, edited, widgets);
        ImGui::EndChild();
        if (!error_.empty()) wrapped_text(error_);
        if (saves) draw_save(widgets);
        if (ImGui::Button("Cancel")) shown = false;
        widgets.note("file cancel");
    }
    ImGui::End();
    if (!shown || escaped) listing_ = false;
    if (next_) enter(*std::exchange(next_, std::nullopt));
}

}  // namespace sublet::app
