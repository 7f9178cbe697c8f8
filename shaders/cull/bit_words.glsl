// Where the tables of bits of what was visible have the words of an instance: one for each task, a bit for each of its
// meshlets, and one for each sublet, a bit for each of its triangles. Words follow one another, from the end of a table
// on at its begin. Where levels of detail are chosen, in a table that has fewer than the scene, instances start at even
// distances: little of most may be drawn, which is at their front, and has words of its own. After scene/bindings.glsl.

// The first of an instance's words for tasks; to be taken modulo the table.
uint first_task_word(uint instance) {
    return frame.task_stride != 0u ? instance * frame.task_stride : first_of[instance].task;
}

uint task_word(uint instance, uint place) {
    return (first_task_word(instance) + place / kTaskMeshlets) & frame.task_mask;
}

uint sublet_word(uint instance, uint sublet) {
    uint first = frame.sublet_stride != 0u ? instance * frame.sublet_stride : first_of[instance].sublet;
    return (first + sublet) & frame.sublet_mask;
}
