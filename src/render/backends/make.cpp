#include "base/error.h"
#include "render/backends/backend.h"

namespace sublet::render {

std::unique_ptr<BackendBase> make_backend(Backend backend, gpu::Device& device) {
    switch (backend) {
        case Backend::kAuto:
            break;
        case Backend::kCompact:
            return make_compact(device);
        case Backend::kMeshIndirect:
            return make_mesh_indirect(device);
        case Backend::kTaskMesh:
            return make_task_mesh(device);
        case Backend::kMeshSublets:
            return make_mesh_sublets(device);
        case Backend::kTaskFlat:
            return make_task_flat(device);
        case Backend::kTaskHierarchical:
            return make_task_hierarchical(device);
        case Backend::kMdi:
            return make_mdi(device);
        case Backend::kMdiMeshlets:
            return make_mdi_meshlets(device);
        case Backend::kDirect:
            return make_direct(device);
    }
    throw Error("settings", "backend", "auto must be resolved before a frame is recorded");
}

}  // namespace sublet::render
