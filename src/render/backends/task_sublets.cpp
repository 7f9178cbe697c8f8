// Task shaders that cull, and mesh shaders that cull triangles. task-flat: a pass culls instances and lists their
// tasks, the task shader culls the meshlets of a task and launches the mesh workgroups of those that survive.
// task-hierarchical: no pass at all, the task shader tests the instances of its tasks too. Reads: encoded or decoded
// sublets, tasks, bounds. Writes: a list (flat), counters, ids, depth.
#include <algorithm>
#include <utility>

#include "gpu/barriers.h"
#include "render/backends/backend.h"
#include "render/backends/mesh_shader.h"
#include "render/cull/sublet_work.h"
#include "render/passes/passes.h"
#include "render/passes/storage_buffer.h"
#include "shaders/embedded.h"

namespace sublet::render {
namespace {

constexpr std::uint32_t kCullGroup = 128;         // cull/tasks.comp's local size
constexpr std::uint32_t kHierarchicalTasks = 32;  // of a task workgroup

class TaskSubletsBackend final : public BackendBase {
  public:
    TaskSubletsBackend(gpu::Device& device, bool flat) : device_(device), flat_(flat) {}

    CpuCounters record(RecordContext& context) override {
        VkCommandBuffer commands = context.frame.commands;
        const MeshShaderVariant variant = mesh_shader_variant(
            context.plan, device_.capabilities(), flat_ ? MeshSource::kTaskFlat : MeshSource::kTaskHierarchical);
        if (!work_list_) {
            work_list_ = make_storage_buffer(device_, "task work list", std::uint64_t{context.scene.task_count} * 4);
        }
        if (flat_) {
            cull_instances(context);
        }

        const auto pass = context.pass("draw");
        context.output.begin(commands, context.targets, context.first_draw());
        const gpu::Pipeline& pipeline = context.pipelines.get(context.output.pipeline(stages(variant, context.phase)));
        std::vector<gpu::Descriptor> descriptors = sublet_descriptors(context);
        descriptors.push_back(gpu::buffer_at(9, work_list_));
        descriptors.push_back(gpu::buffer_at(10, context.cull_state));
        descriptors.push_back(gpu::buffer_at(11, context.scene.tasks));
        descriptors.push_back(gpu::buffer_at(12, context.scene.meshlet_bounds));
        descriptors.push_back(gpu::buffer_at(13, context.scene.sublet_bounds));
        add_phase_descriptors(descriptors, 14, context.phase_buffers);
        context.frame.descriptors->bind(commands, pipeline, descriptors);
        for (std::uint32_t draw_class = 0; draw_class < shared::kDrawClasses; ++draw_class) {
            const std::uint32_t tasks = context.scene.class_tasks[draw_class];
            if (tasks == 0) {
                continue;
            }
            set_draw_class(commands, draw_class);
            if (flat_) {
                record_mesh_draws(commands, device_.capabilities(), pipeline, context.cull_state, draw_class, tasks,
                                  MeshConstants{draw_class, 0, 0});
            } else {
                draw_tasks(commands, pipeline, draw_class, tasks);
            }
        }
        vkCmdEndRendering(commands);
        return {};
    }

    void scene_changed() override { device_.retire(std::move(work_list_)); }

    [[nodiscard]] std::uint64_t transient_bytes() const override { return work_list_ ? work_list_.size() : 0; }

  private:
    void cull_instances(const RecordContext& context) {
        VkCommandBuffer commands = context.frame.commands;
        const auto pass = context.pass("cull instances");
        gpu::ComputePipelineDesc desc;
        desc.name = "cull instances";
        desc.shader.spirv = shaders::cull_tasks_comp;
        desc.shader.specialization = {{0, context.plan.collect_counters ? 1U : 0U}, phase_constant(context.phase)};
        desc.layout.bindings = buffer_bindings(11);
        const gpu::Pipeline& pipeline = context.pipelines.get(desc);
        std::vector<gpu::Descriptor> descriptors{
            gpu::buffer_at(0, context.frame_data),      gpu::buffer_at(1, context.scene.meshes),
            gpu::buffer_at(2, context.scene.instances), gpu::buffer_at(3, context.scene.materials),
            gpu::buffer_at(4, context.scene.tasks),     gpu::buffer_at(5, work_list_),
            gpu::buffer_at(6, context.cull_state)};
        add_phase_descriptors(descriptors, 7, context.phase_buffers);
        context.frame.descriptors->bind(commands, pipeline, descriptors);
        const std::uint32_t groups = (context.scene.task_count + kCullGroup - 1) / kCullGroup;
        dispatch_rows(commands, groups);
        gpu::memory_barrier(commands, gpu::kCompute, gpu::kConsume);
    }

    // Hierarchical: a workgroup for every 32 tasks, in draws within every device's limits.
    static void draw_tasks(VkCommandBuffer commands, const gpu::Pipeline& pipeline, std::uint32_t draw_class,
                           std::uint32_t tasks) {
        const std::uint32_t groups = tasks / kHierarchicalTasks + (tasks % kHierarchicalTasks != 0 ? 1 : 0);
        for (std::uint32_t first = 0; first < groups; first += shared::kMeshDrawGroups) {
            const std::uint32_t here = std::min(groups - first, shared::kMeshDrawGroups);
            pipeline.push(commands, MeshConstants{draw_class, first, tasks});
            vkCmdDrawMeshTasksEXT(commands, std::min(here, shared::kMeshDrawRow),
                                  (here + shared::kMeshDrawRow - 1) / shared::kMeshDrawRow, 1);
        }
    }

    [[nodiscard]] GeometryStages stages(const MeshShaderVariant& variant, CullPhase phase) const {
        GeometryStages out;
        out.id = IdSource::kPerPrimitive;
        out.name = flat_ ? "task-flat" : "task-hierarchical";
        out.mesh = mesh_shader(variant);
        out.mesh.specialization.push_back(phase_constant(phase));
        out.task.spirv = flat_ ? shaders::sublet_flat_task : shaders::sublet_hierarchical_task;
        out.task.specialization = {{0, variant.count ? 1U : 0U}, {2, variant.group}, phase_constant(phase)};
        out.storage_buffers = 12;
        out.push_constant_bytes = sizeof(MeshConstants);
        return out;
    }

    gpu::Device& device_;
    bool flat_;
    gpu::Buffer work_list_;  // flat
};

}  // namespace

std::unique_ptr<BackendBase> make_task_flat(gpu::Device& device) {
    return std::make_unique<TaskSubletsBackend>(device, true);
}

std::unique_ptr<BackendBase> make_task_hierarchical(gpu::Device& device) {
    return std::make_unique<TaskSubletsBackend>(device, false);
}

}  // namespace sublet::render
