// Push constants of task and mesh shaders.
layout(push_constant) uniform Constants {
    uint draw_class;
    uint first_group;  // of this draw
    uint task_count;   // of the class (TASK_HIERARCHICAL)
};
