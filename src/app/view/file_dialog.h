// Asks for a file: by the desktop's own dialog where zenity or kdialog is installed, else by a small list of our own.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/view/widgets.h"

namespace sublet::app {

enum class FilePurpose : std::uint8_t { kOpenScene, kOpenEnvironment, kLoadPreset, kSavePreset };

class FileDialog {
  public:
    FileDialog() = default;
    // Ends a dialog that is still open.
    ~FileDialog();
    FileDialog(const FileDialog&) = delete;
    FileDialog& operator=(const FileDialog&) = delete;

    // Asks, beginning in this folder. One question at a time: an older one is dropped.
    void ask(FilePurpose purpose, const std::filesystem::path& folder);
    [[nodiscard]] bool open() const { return child_ > 0 || listing_; }
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
    [[nodiscard]] bool start_program(const std::filesystem::path& folder);
    void stop_program();
    void enter(const std::filesystem::path& folder);
    void choose(const std::filesystem::path& file);

    FilePurpose purpose_ = FilePurpose::kOpenScene;
    pid_t child_ = 0;  // the desktop's dialog
    int output_ = -1;  // what it prints
    std::string printed_;
    bool listing_ = false;  // our own
    std::filesystem::path folder_;
    std::vector<Entry> entries_;
    std::string name_, error_;
    std::filesystem::path replaced_;  // that was warned of
    std::optional<std::filesystem::path> chosen_;
};

}  // namespace sublet::app
