// Devices make of shaders/cull/primitive_cull.glsl what C++ makes of it, which is proven on the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <vector>

#include "gpu/barriers.h"
#include "gpu/descriptors.h"
#include "gpu/device.h"
#include "gpu/frame.h"
#include "gpu/pipeline.h"
#include "gpu/upload.h"
#include "shader.h"
#include "tests/gpu/validation.h"
#include "triangles.h"

namespace sublet::test {
namespace {

using namespace glsl::primitive_cull;

constexpr uint32_t kVerdictsComp[] =
#include "verdicts_comp.inc"
    ;
constexpr uint32_t kVerticesComp[] =
#include "vertices_comp.inc"
    ;

struct GpuTriangle {
    std::array<glm::vec2, 3> window;
    uint32_t codes;
    uint32_t reserved;
};
static_assert(sizeof(GpuTriangle) == 32);

struct GpuVertex {
    glm::vec2 window;
    uint32_t code;
    uint32_t reserved;
};
static_assert(sizeof(GpuVertex) == 16);

struct Push {
    CullViewport viewport;
    uint32_t count;
};
static_assert(sizeof(Push) == 28);

class PrimitiveCullGpu : public testing::Test {
  protected:
    void SetUp() override {
        gpu::DeviceOptions options;
        options.validation = validation_installed();
        instance_ = std::make_unique<gpu::Instance>(options);
        device_ = std::make_unique<gpu::Device>(*instance_, options);
    }
    void TearDown() override {
        device_.reset();
        if (instance_ == nullptr) return;
        EXPECT_EQ(instance_->validation_messages(), 0U);
    }

    // Runs the shader over the inputs, 64 to a workgroup.
    template <class Output, class Input>
    std::vector<Output> run(std::span<const uint32_t> spirv, const std::vector<Input>& inputs,
                            const CullViewport& viewport) {
        const gpu::Pipeline pipeline(*device_,
                                     gpu::ComputePipelineDesc{.name = "primitive culling", .shader = {.spirv = spirv}});
        const auto storage = [&](VkDeviceSize size, const char* name) {
            return gpu::Buffer(*device_, {.size = size, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = name});
        };
        const gpu::Buffer input = storage(inputs.size() * sizeof(Input), "inputs");
        const gpu::Buffer output = storage(inputs.size() * sizeof(Output), "outputs");
        gpu::Uploader uploader(*device_);
        uploader.buffer(input, 0, inputs);
        uploader.flush();
        const auto count = static_cast<uint32_t>(inputs.size());
        gpu::submit_and_wait(*device_, "culling", [&](VkCommandBuffer commands, gpu::DescriptorArena& descriptors) {
            descriptors.bind(commands, pipeline, {gpu::buffer_at(0, input), gpu::buffer_at(1, output)});
            pipeline.push(commands, Push{viewport, count});
            vkCmdDispatch(commands, (count + 63) / 64, 1, 1);
            gpu::memory_barrier(commands, gpu::kComputeWrite, gpu::kEverything);
        });
        return gpu::read_buffer_as<Output>(*device_, output, 0, inputs.size());
    }

    // Compares all three windings of every triangle. Both verdicts must be frequent.
    void compare_verdicts(const std::vector<GpuTriangle>& triangles, const CullViewport& viewport) {
        const std::vector<uint32_t> verdicts = run<uint32_t>(kVerdictsComp, triangles, viewport);
        uint64_t different = 0;
        uint64_t visible = 0;
        for (std::size_t i = 0; i < triangles.size(); ++i) {
            const uint32_t packed = triangles[i].codes;
            const std::array<uint32_t, 3> codes{packed & 255, packed >> 8 & 255, packed >> 16 & 255};
            for (uint32_t winding = 0; winding < 3; ++winding) {
                const bool expected = primitive_visible(triangles[i].window.data(), codes.data(), winding, viewport);
                const bool actual = (verdicts[i] >> winding & 1) != 0;
                visible += static_cast<uint64_t>(actual);
                if (expected != actual && ++different == 1) {
                    ADD_FAILURE() << "triangle " << i << ", winding " << winding << ": " << actual << " on the GPU";
                }
            }
        }
        EXPECT_EQ(different, 0U);
        EXPECT_GE(visible, triangles.size() / 4);
        EXPECT_LE(visible, 3 * triangles.size() - triangles.size() / 4);
    }

    std::unique_ptr<gpu::Instance> instance_;
    std::unique_ptr<gpu::Device> device_;
};

glm::vec4 to_float(const ClipPoint& p) {
    return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z), static_cast<float>(p.w)};
}

struct Case {
    uint32_t size;
    uint32_t bits;
    std::size_t count;
};

// The triangles of the unit test's proof, all million of them, and other viewports.
TEST_F(PrimitiveCullGpu, VerdictsInWindowSpaceAreTheCpus) {
    for (const Case& c :
         {Case{1920, 8, 1000000}, Case{1920, 4, 200000}, Case{3840, 8, 100000}, Case{16384, 8, 200000}}) {
        const uint32_t height = c.size == 1920 ? 1080 : c.size == 3840 ? 2160 : c.size;
        const CullViewport viewport = make_cull_viewport(c.size, height, c.bits);
        std::vector<GpuTriangle> triangles;
        for (const Triangle& t :
             make_triangles(c.count / kSanitizerDivisor, c.size, height, static_cast<int64_t>(viewport.subpixels),
                            static_cast<int64_t>(viewport.margin), 1)) {
            GpuTriangle triangle{};
            for (std::size_t i = 0; i < 3; ++i) {
                triangle.window[i] = glm::vec2(static_cast<float>(t[i].x), static_cast<float>(t[i].y)) + kWindowOrigin;
            }
            triangles.push_back(triangle);
        }
        SCOPED_TRACE(testing::Message() << c.size << " pixels, " << c.bits << " bits");
        compare_verdicts(triangles, viewport);
    }
}

TEST_F(PrimitiveCullGpu, VerdictsWithClipCodesAreTheCpus) {
    const CullViewport viewport = make_cull_viewport(16, 16, 8);
    std::vector<GpuTriangle> triangles;
    for (const ClipTriangle& t : make_clip_triangles(200000 / kSanitizerDivisor, 4)) {
        GpuTriangle triangle{};
        for (std::size_t i = 0; i < 3; ++i) {
            const glm::vec4 clip = to_float(t[i]);
            triangle.window[i] = clip.w == 0.0F ? glm::vec2(0.0F) : window_position(clip, viewport);
            triangle.codes |= clip_code(clip) << (8 * i);
        }
        triangles.push_back(triangle);
    }
    compare_verdicts(triangles, viewport);
}

TEST_F(PrimitiveCullGpu, CodesAreTheCpusAndWindowPositionsAgree) {
    std::vector<glm::vec4> clip;
    for (const ClipTriangle& t : make_clip_triangles(200000 / kSanitizerDivisor, 5)) {
        for (const ClipPoint& p : t) clip.push_back(to_float(p));
    }
    for (const uint32_t size : {1U, 641U, 1920U, 3840U, 16384U}) {
        const CullViewport viewport = make_cull_viewport(size, size, 8);
        const std::vector<GpuVertex> vertices = run<GpuVertex>(kVerticesComp, clip, viewport);
        uint64_t different_codes = 0;
        uint64_t compared = 0;
        float furthest = 0.0F;
        for (std::size_t i = 0; i < clip.size(); ++i) {
            const uint32_t code = clip_code(clip[i]);
            different_codes += static_cast<uint64_t>(vertices[i].code != code);
            if ((code & (kClipBehind | kClipInaccurate)) != 0) continue;
            const glm::vec2 distance = glm::abs(vertices[i].window - window_position(clip[i], viewport));
            furthest = std::max({furthest, distance.x, distance.y});
            EXPECT_EQ(vertices[i].window, glm::floor(vertices[i].window));
            ++compared;
        }
        EXPECT_EQ(different_codes, 0U) << size;
        EXPECT_GE(compared, clip.size() / 8) << size;
        // A GPU's division may differ from the CPU's, by what the margin allows for.
        EXPECT_LE(furthest, viewport.margin) << size;
        std::printf("%u pixels: window positions differ by at most %g subpixels\n", size,
                    static_cast<double>(furthest));
    }
}

}  // namespace
}  // namespace sublet::test
