#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/error.h"
#include "gpu/device.h"
#include "tests/gpu/validation.h"

namespace sublet::gpu {

using test::validation_installed;

// The test shaders' SPIR-V.
struct TestShaders {
    std::span<const uint32_t> color_frag, constants_comp, constants_optimised_comp, few_textures_comp, interface_comp,
        scale_comp, subgroup_comp, textures_comp, triangle_mesh, triangle_vert;
};
const TestShaders& test_shaders();

// The message of the Error that `action` throws; a failure of the test when it throws none.
template <class Action>
std::string error_of(Action action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    ADD_FAILURE() << "no error";
    return {};
}

// Whether `text` has `part`, with the text shown when it has not.
testing::AssertionResult mentions(const std::string& text, const std::string& part);

// A device of each test's own, with validation where the layer is installed, and no validation message by the test's
// end.
class DeviceTest : public testing::Test {
  protected:
    void SetUp() override { open({}); }
    void TearDown() override;
    // Makes the device anew with these options (validation is added).
    void open(DeviceOptions options);

    Device& device() { return *device_; }
    Instance& instance() { return *instance_; }
    // Messages that the test makes on purpose.
    void expect_messages(uint64_t count) { expected_messages_ = count; }

  private:
    // Destroys the device, which is when leaks show, and looks at the messages.
    void close();

    std::unique_ptr<Instance> instance_;
    std::unique_ptr<Device> device_;
    uint64_t expected_messages_ = 0;
};

}  // namespace sublet::gpu
