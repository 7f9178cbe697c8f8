// Asks for a file: by the desktop's own dialog where there is one, else by a small list of our own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/view/widgets.h"
#include "base/desktop.h"

namespace sublet::app {

enum class FilePurpose : std::uint8_t { kOpenScene, kOpenEnvironment, kLoadPreset, kSavePreset };

class FileDialog {
  public:
    // Asks, beginning in this folder. One question at a time: an older one is dropped.
    void ask(FilePurpose purpose, const std::filesystem::path& folder);
    [[nodiscard]] bool open() const { return system_.open() || listing_; }
    [[nodiscard]] FilePurpose purpose() const { return purpose_; }
    // What was chosen since the last call. Never waits.
    [[nodiscard]] std::optional<std::filesystem::path> take();
    // Our own list, if that is what asks. Between ImGui's begin and end of a frame.
    void draw(WidgetMap& widgets);
    // Takes our own list away. False: it was not there.
    bool dismiss();

  private:
    struct Entry {
        std::string name;
        bool folder = false;
    };
    void enter(const std::filesystem::path& folder);
    void draw_list(std::optional<std::size_t> begun, bool scroll, WidgetMap& widgets);
    void draw_save(WidgetMap& widgets);
    void take_typed(std::optional<std::size_t> begun);
    void take(const Entry& entry);
    void choose(const std::filesystem::path& file);

    FilePurpose purpose_ = FilePurpose::kOpenScene;
    SystemFileDialog system_;
    bool listing_ = false;  // our own
    std::filesystem::path folder_;
    std::vector<Entry> entries_;
    std::vector<std::string> names_;             // of them
    std::string typed_;                          // a path, or how a name begins
    bool focus_typed_ = false;                   // in the next frame
    std::optional<std::filesystem::path> next_;  // a folder to go to, after this frame
    std::string name_, error_;
    std::filesystem::path replaced_;  // that was warned of
    std::optional<std::filesystem::path> chosen_;
};

}  // namespace sublet::app
