// Tasks by their numbers over all instances. After scene/bindings.glsl and expansion/entries.glsl.

// Instances class by class.
layout(set = kPassSet, binding = kBindTaskSources, std430) readonly buffer TaskSources { TaskSource task_sources[]; };

// Task `number`, an entry whose items are places.
uvec2 task_of(uint number) {
    uint low = 0u;
    uint high = frame.instance_count;
    while (low + 1u < high) {
        uint middle = (low + high) >> 1u;
        if (task_sources[middle].first_task <= number) {
            low = middle;
        } else {
            high = middle;
        }
    }
    TaskSource source = task_sources[low];
    uint meshlets = meshes[instances[source.instance].mesh].meshlet_count;
    return uvec2(source.instance, entry_items(number - source.first_task, meshlets, kTaskMeshlets));
}
