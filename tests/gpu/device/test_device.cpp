#include "test_device.h"

namespace sublet::gpu {

namespace {

constexpr uint32_t kColorFrag[] =
#include "color_frag.inc"
    ;
constexpr uint32_t kConstantsComp[] =
#include "constants_comp.inc"
    ;
constexpr uint32_t kConstantsOptimisedComp[] =
#include "constants_optimised_comp.inc"
    ;
constexpr uint32_t kFewTexturesComp[] =
#include "few_textures_comp.inc"
    ;
constexpr uint32_t kInterfaceComp[] =
#include "interface_comp.inc"
    ;
constexpr uint32_t kScaleComp[] =
#include "scale_comp.inc"
    ;
constexpr uint32_t kSubgroupComp[] =
#include "subgroup_comp.inc"
    ;
constexpr uint32_t kTexturesComp[] =
#include "textures_comp.inc"
    ;
constexpr uint32_t kTriangleMesh[] =
#include "triangle_mesh.inc"
    ;
constexpr uint32_t kTriangleVert[] =
#include "triangle_vert.inc"
    ;

}  // namespace

const TestShaders& test_shaders() {
    static const TestShaders shaders{.color_frag = kColorFrag,
                                     .constants_comp = kConstantsComp,
                                     .constants_optimised_comp = kConstantsOptimisedComp,
                                     .few_textures_comp = kFewTexturesComp,
                                     .interface_comp = kInterfaceComp,
                                     .scale_comp = kScaleComp,
                                     .subgroup_comp = kSubgroupComp,
                                     .textures_comp = kTexturesComp,
                                     .triangle_mesh = kTriangleMesh,
                                     .triangle_vert = kTriangleVert};
    return shaders;
}

testing::AssertionResult mentions(const std::string& text, const std::string& part) {
    if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "\"" << text << "\" does not mention \"" << part << "\"";
}

void DeviceTest::open(DeviceOptions options) {
    // Keeps the driver's library in memory between tests: some cannot be loaded and unloaded dozens of times by one
    // process.
    static const Instance keeper{DeviceOptions{}};
    close();
    options.validation = validation_installed();
    instance_ = std::make_unique<Instance>(options);
    device_ = std::make_unique<Device>(*instance_, options);
}

void DeviceTest::TearDown() {
    close();
}

void DeviceTest::close() {
    device_.reset();
    if (instance_ == nullptr) return;
    EXPECT_EQ(instance_->validation_messages(), expected_messages_);
    instance_.reset();
}

}  // namespace sublet::gpu
