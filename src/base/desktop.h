#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace sublet {

/// Hands files to the program that the desktop opens them with, and never waits for it.
class FileOpener {
  public:
    FileOpener();
    ~FileOpener();
    FileOpener(const FileOpener&) = delete;
    FileOpener& operator=(const FileOpener&) = delete;

    /// False: there is no opener, or it has no program for the file.
    [[nodiscard]] bool open(const std::filesystem::path& file);
    /// The file that the opener found no program for, where that is known only later.
    [[nodiscard]] std::optional<std::filesystem::path> take_failed();

  private:
    struct Running;
    std::unique_ptr<Running> running_;
};

struct FileQuestion {
    std::string title;
    std::string name;              // what such files are called: "Scenes"
    std::string patterns;          // of their names, with blanks between: "*.gltf *.glb"
    std::filesystem::path folder;  // to begin in
    std::string suggested;         // a name, for a file that is to be written; empty: a file is to be opened
};

/// The desktop's own dialog that asks for a file: zenity's or kdialog's, on Windows the system's.
class SystemFileDialog {
  public:
    SystemFileDialog();
    /// Ends a dialog that is still open, where that can be done; nobody hears of its answer.
    ~SystemFileDialog();
    SystemFileDialog(const SystemFileDialog&) = delete;
    SystemFileDialog& operator=(const SystemFileDialog&) = delete;

    /// False: the desktop has none. One question at a time: an older one is dropped.
    [[nodiscard]] bool ask(const FileQuestion& question);
    [[nodiscard]] bool open() const { return running_ != nullptr; }
    /// What was chosen since the last call. Never waits.
    [[nodiscard]] std::optional<std::filesystem::path> take();
    void stop();

  private:
    struct Running;
    std::unique_ptr<Running> running_;
};

}  // namespace sublet
