// The poses of a workgroup's DeformTask. All are asked for at once, before the work on the first begins: one after the
// other, each would wait for its own. After `deform_tasks`, `pose_rounds` and `constants`.

#include "scene/deformed_mesh.glsl"

shared DeformedMesh task_poses[kPosesOfTask];
shared bool task_wanted[kPosesOfTask];  // whether each is to be deformed in this round

// By all lanes, of which there are at least kPosesOfTask.
void load_task_poses(DeformTask task) {
    uint lane = gl_LocalInvocationIndex;
    if (lane < task.poses) {
        task_poses[lane] = deformed_record(task.first_pose + lane);
        task_wanted[lane] = pose_rounds[task.first_pose + lane] == constants.round;
    }
    barrier();
}
