// Sublet for Windows, out of its zip, and wine to run it.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "process.h"
#include "temporary_folder.h"

namespace sublet::test {

// A case that needs it is skipped where wine or the zip is missing.
class WineTest : public testing::Test {
  protected:
    static void SetUpTestSuite();
    static void TearDownTestSuite();
    void SetUp() override;

    // Runs sublet.exe, in this case's folder where none is named.
    [[nodiscard]] ProcessResult wine(std::vector<std::string> arguments, ProcessOptions options = {}) const;
    // The same, and a failure of the test where it does not end with 0.
    ProcessResult wine_done(const std::vector<std::string>& arguments) const;
    // Sublet of this machine, in the same folder.
    ProcessResult here_done(std::vector<std::string> arguments) const;

    // The folder that the zip was unpacked to.
    [[nodiscard]] static const std::filesystem::path& unpacked();
    [[nodiscard]] static std::filesystem::path program() { return unpacked() / "sublet.exe"; }
    // What wine needs in its environment.
    [[nodiscard]] static std::vector<std::string> environment();

    const TemporaryFolder folder_;
};

// A path of this machine as a Windows program has it: drive Z is all of it.
std::string windows_path(const std::filesystem::path& path);

}  // namespace sublet::test
