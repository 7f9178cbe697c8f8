// Task shaders that cull, and mesh shaders that cull triangles. task-flat: a pass culls instances and lists their
// tasks, the task shader culls the meshlets of a task and launches the mesh workgroups of those that survive.
// task-hierarchical: no pass at all, the task shader tests the instances of its tasks too. Reads: encoded or decoded
// sublets, bounds. Writes: a list (flat), counters, ids, depth.
#include <algorithm>

#include "render/backends/backend.h"
#include "render/backends/mesh_shader.h"
#include "render/passes/passes.h"
#include "render/passes/storage_buffer.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"

namespace sublet::render {
namespace {

constexpr std::uint32_t kCullGroup = 128;         // cull/tasks.comp's local size
constexpr std::uint32_t kHierarchicalTasks = 32;  // of a task workgroup

class TaskSubletsBackend final : public BackendBase {
  public:
    TaskSubletsBackend(gpu::Device& device, bool flat) : device_(device), flat_(flat) {}

    CpuCounters record(PhaseContext& context) override {
        const gpu::Commands commands = context.frame.commands;
        if (flat_ && !work_list_) {
            work_list_ = make_storage_buffer(device_, "task work list",
                                             context.scene.facts.meshlets.chunks * sizeof(shared::uvec2));
        }
        if (flat_) {
            cull_instances(context);
        }
        const auto pass = context.pass("draw");
        context.draw(context.first_draw(), stages(context.phase_plan()),
                     {flat_ ? gpu::buffer_at(shared::kBindWorkList, work_list_)
                            : gpu::buffer_at(shared::kBindTaskSources, context.scene.task_sources)},
                     context.scene.class_tasks, [&](const gpu::Pipeline& pipeline, std::uint32_t c) {
                         const std::uint32_t tasks = context.scene.class_tasks[c];
                         if (flat_) {
                             record_mesh_draws(context, pipeline, c, tasks, shared::MeshConstants{c, 0, 0});
                         } else {
                             draw_tasks(commands, pipeline, c, tasks);
                         }
                     });
        return {};
    }

    void add_pipelines(const PhasePlan& phase, gpu::PipelineList& out) const override {
        if (flat_) out.add(cull_desc(phase));
        phase.add_draws(stages(phase), out);
    }

    [[nodiscard]] TransientBytes transient_bytes() const override {
        return {.survivors = work_list_ ? work_list_.size() : 0};
    }

  private:
    [[nodiscard]] static gpu::ComputePipelineDesc cull_desc(const PhasePlan& phase) {
        return {.name = "cull instances",
                .shader = {.spirv = shaders::cull_tasks_comp,
                           .specialization = {{shared::kSpecCount, phase.plan.collect_counters ? 1U : 0U}}}};
    }

    void cull_instances(const PhaseContext& context) {
        const ComputePass pass(context, "cull instances");
        context.bind(context.pipelines.get(cull_desc(context.phase_plan())),
                     {gpu::buffer_at(shared::kBindWorkList, work_list_)});
        dispatch_rows(context.frame.commands, (context.scene.instance_count + kCullGroup - 1) / kCullGroup);
    }

    // Hierarchical: a workgroup for every 32 tasks, in draws within every device's limits.
    static void draw_tasks(gpu::Commands commands, const gpu::Pipeline& pipeline, std::uint32_t draw_class,
                           std::uint32_t tasks) {
        const std::uint32_t groups = tasks / kHierarchicalTasks + (tasks % kHierarchicalTasks != 0 ? 1 : 0);
        for (std::uint32_t first = 0; first < groups; first += shared::kMeshDrawGroups) {
            const std::uint32_t here = std::min(groups - first, shared::kMeshDrawGroups);
            pipeline.push(commands, shared::MeshConstants{draw_class, first, tasks});
            commands(vkCmdDrawMeshTasksEXT, std::min(here, shared::kMeshDrawRow),
                     (here + shared::kMeshDrawRow - 1) / shared::kMeshDrawRow, 1);
        }
    }

    [[nodiscard]] GeometryStages stages(const PhasePlan& phase) const {
        GeometryStages out;
        out.id = IdSource::kPerPrimitive;
        out.name = flat_ ? "task-flat" : "task-hierarchical";
        out.mesh = mesh_shader(phase.plan, flat_ ? MeshSource::kTaskFlat : MeshSource::kTaskHierarchical);
        out.task.spirv = flat_ ? shaders::sublet_flat_task : shaders::sublet_hierarchical_task;
        out.task.specialization = {{shared::kSpecCount, phase.plan.collect_counters ? 1U : 0U},
                                   {shared::kSpecMeshLanes, phase.plan.meshlet_workgroup}};
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
