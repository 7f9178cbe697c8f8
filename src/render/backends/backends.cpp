#include "render/backends/backends.h"

#include "base/error.h"

namespace sublet::render {
namespace {

std::unique_ptr<BackendBase> make_backend(Backend backend, gpu::Device& device) {
    switch (backend) {
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
        case Backend::kGenerated:
            return make_generated(device);
        case Backend::kGraph:
            return make_graph(device);
        case Backend::kGraphAmdx:
            return make_graph_amdx(device);
        case Backend::kRaster:
            return make_raster(device);
        case Backend::kDirect:
            return make_direct(device);
    }
    throw Error("renderer", "backend", "has no file");
}

}  // namespace

BackendBase& Backends::get(Backend which) {
    std::unique_ptr<BackendBase>& backend = made_[which];
    if (!backend) backend = make_backend(which, device_);
    return *backend;
}

TransientBytes Backends::transient_bytes() const {
    TransientBytes bytes;
    for (const auto& [which, backend] : made_) {
        const TransientBytes of_backend = backend->transient_bytes();
        bytes.survivors += of_backend.survivors;
        bytes.triangles += of_backend.triangles;
    }
    return bytes;
}

}  // namespace sublet::render
