#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "gpu/commands.h"
#include "gpu/device.h"
#include "gpu/node_shader.h"
#include "gpu/shader_interface.h"
#include "gpu/specialization.h"
#include "gpu/vulkan.h"

namespace sublet::gpu {

// One stage: SPIR-V for vulkan1.3 whose entry point is main, or what unpack() makes that of; only read while the
// pipeline is made.
struct Shader {
    std::span<const uint32_t> spirv = {};
    std::vector<Specialization> specialization = {};
    // 0: whatever the driver picks. Else exactly that many lanes; Error when the capabilities do not allow it for this
    // stage.
    uint32_t required_subgroup_size = 0;
    // Compute, mesh and task stages: no subgroup is partly filled when the workgroup's size is a multiple of the
    // subgroup size. Error without subgroup_size_control.
    bool full_subgroups = false;
};

// Descriptor sets of a pipeline at most. Set kTextureSet is BindlessTextures; the others are DescriptorArena's.
inline constexpr uint32_t kDescriptorSets = 3;
inline constexpr uint32_t kTextureSet = 1;

// Layouts of descriptors and push constants are those that the shaders declare (shader_interface.h).
struct ComputePipelineDesc {
    std::string name = {};
    Shader shader = {};
    VkDescriptorSetLayout textures = VK_NULL_HANDLE;  // BindlessTextures::layout(), where the shader has that set
    bool generated = false;                           // for generated commands (generated_commands.h)
};

enum class Blend {
    kOff,       // replace
    kAdditive,  // destination + source, in every component
    kAlpha,     // source over destination, straight alpha
};

struct ColorAttachment {
    VkFormat format = VK_FORMAT_UNDEFINED;
    Blend blend = Blend::kOff;
    VkColorComponentFlags write_mask =
        VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT;
};

struct Faces {
    VkCullModeFlags cull = VK_CULL_MODE_BACK_BIT;
    VkFrontFace front = VK_FRONT_FACE_COUNTER_CLOCKWISE;
};

// Lists of triangles, filled, or of lines, one sample, no vertex input: vertices are pulled from storage buffers.
// Either vertex, or [task +] mesh; a fragment shader may be left out (depth only). Viewport, scissor, and `faces` where
// there are none are dynamic: set them before the draw.
struct GraphicsPipelineDesc {
    std::string name = {};
    Shader vertex = {};
    Shader task = {};
    Shader mesh = {};
    Shader fragment = {};
    VkDescriptorSetLayout textures = VK_NULL_HANDLE;  // BindlessTextures::layout(), where a shader has that set
    bool lines = false;                               // not triangles
    bool generated = false;                           // for generated commands (generated_commands.h)
    std::vector<ColorAttachment> colors = {};         // as in VkRenderingInfo; may be empty
    VkFormat depth_format = VK_FORMAT_UNDEFINED;
    // Reversed Z: nearer is greater. Used when depth_format is given.
    VkCompareOp depth_compare = VK_COMPARE_OP_GREATER_OR_EQUAL;
    bool depth_write = true;
    std::optional<Faces> faces = {};
};

// An execution graph (VK_AMDX_shader_enqueue), of nodes that are compute shaders, and one that draws: for each index of
// that name a pipeline of a mesh shader.
struct ExecutionGraphDesc {
    struct Node {
        NodeDesc node;
        Shader shader;  // what make_node() takes
    };
    std::string name = {};
    std::vector<Node> nodes = {};
    NodeDesc draw = {};
    std::vector<GraphicsPipelineDesc> draws = {};  // by index, with faces and without task shaders
};

// A pipeline with its layouts. Move-only.
class Pipeline {
  public:
    Pipeline() = default;
    // Throws Error naming the pipeline: a stage the device does not have, a subgroup size it cannot give, attachments
    // that differ without independent_blend, more storage buffers in a stage or more push constants than it allows,
    // shaders that declare a binding differently, or the driver's own refusal.
    Pipeline(Device& device, const ComputePipelineDesc& desc);
    Pipeline(Device& device, const GraphicsPipelineDesc& desc);
    // Throws Error as well where shaders break rules of nodes (node_shader.h).
    Pipeline(Device& device, const ExecutionGraphDesc& desc);
    ~Pipeline();
    Pipeline(Pipeline&& other) noexcept;
    Pipeline& operator=(Pipeline&& other) noexcept;

    explicit operator bool() const { return pipeline_ != VK_NULL_HANDLE; }
    [[nodiscard]] VkPipeline handle() const { return pipeline_; }
    [[nodiscard]] VkPipelineLayout layout() const { return layout_; }
    [[nodiscard]] VkDescriptorSetLayout set_layout(uint32_t set) const { return set_layouts_.at(set); }
    [[nodiscard]] VkPipelineBindPoint bind_point() const { return bind_point_; }
    // Of all its stages, which all its push constants are for.
    [[nodiscard]] VkPushConstantRange push_constants() const {
        return {push_stages_, 0, interface_.push_constant_bytes};
    }
    // Of all sets, by set, then by number.
    [[nodiscard]] std::span<const Binding> bindings() const { return interface_.bindings; }
    [[nodiscard]] const std::string& name() const { return name_; }

    // vkCmdBindPipeline.
    void bind(Commands commands) const;
    // Pushes all the push constants; nothing where no shader uses them, as some variants don't. `padding`: so many
    // bytes at their end may be none of the shaders'. Throws Error when those declare another size.
    void push(Commands commands, std::span<const std::byte> constants, std::size_t padding = 0) const;
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void push(Commands commands, const T& constants) const {
        // Named with its dynamic extent: a fixed one would call this template again.
        const std::span<const std::byte> bytes = std::as_bytes(std::span<const T, 1>(&constants, 1));
        push(commands, bytes, alignof(T) - 1);
    }

  private:
    // Adds a stage's interface. Throws Error where the device can't bind it.
    void add_interface(const Shader& shader, VkShaderStageFlagBits stage);
    void create_layout(VkDescriptorSetLayout textures, VkShaderStageFlags stages);
    [[nodiscard]] VkDescriptorSetLayout create_set_layout(uint32_t set) const;
    // Adds the interfaces of a pipeline's stages, which are returned.
    VkShaderStageFlags add_interfaces(const GraphicsPipelineDesc& desc);
    void create_graph(const ExecutionGraphDesc& desc);
    // Once it is compiled.
    void made();
    void destroy() noexcept;

    Device* device_ = nullptr;
    VkPipeline pipeline_ = VK_NULL_HANDLE;
    std::vector<VkPipeline> libraries_;  // that it consists of
    VkPipelineLayout layout_ = VK_NULL_HANDLE;
    std::array<VkDescriptorSetLayout, kDescriptorSets> set_layouts_{};  // that of textures is not ours
    VkPipelineBindPoint bind_point_ = VK_PIPELINE_BIND_POINT_COMPUTE;
    VkShaderStageFlags push_stages_ = 0;
    mutable bool recorded_ = false;  // by bind(), once at least
    ShaderInterface interface_;
    std::string name_;
};

// vkCmdSetViewport and vkCmdSetScissor over the whole extent, depth 0 to 1.
void set_viewport(Commands commands, VkExtent2D extent);

// An image that is rendered to, in COLOR_ATTACHMENT_OPTIMAL or DEPTH_ATTACHMENT_OPTIMAL layout.
struct Attachment {
    VkImageView view = VK_NULL_HANDLE;
    VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_LOAD;
    VkAttachmentStoreOp store = VK_ATTACHMENT_STORE_OP_STORE;
    std::uint32_t clear = 0;  // the bits of what each component is cleared to
};

// vkCmdBeginRendering over the whole extent, and set_viewport(). `depth`: without a view there is none.
void begin_rendering(Commands commands, VkExtent2D extent, std::span<const Attachment> colors,
                     const Attachment& depth = {});

}  // namespace sublet::gpu
