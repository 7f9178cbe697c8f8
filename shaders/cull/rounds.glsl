// Rounds of culling: where the list of survivors is too short, a workgroup leaves the items that had no room, and the
// next round goes on with those, once the list is drawn. The includer declares `state` (CullState) and, as `constants`,
// CullMeshletsConstants; expansion.glsl has kFurtherRound. What is called once is called by all lanes of the workgroup
// together.

// The list may be too short: otherwise nothing here costs anything.
layout(constant_id = kSpecMayStop) const bool kMayStop = false;

layout(set = kPassSet, binding = kBindStateBefore, std430) readonly buffer StateBefore { CullState state_before; };
layout(set = kPassSet, binding = kBindUndone, std430) buffer Undone { UndoneGroup undone_groups[]; };

// This workgroup's work.
struct Group {
    uint number;    // in the first round, and how many there were in it
    uint stride;
    bool there;     // it has work
    bool mine;      // this lane's item is to be done
    bool untested;  // in no round before
};

shared uint undone_items[4];
shared bool list_full;

// Something is undone: should no round come after, all is drawn without lists.
void mark_undone() {
    state.undone.tasks.instances = frame.task_count;
    atomicMax(state.draws.raster.groups.x, kRasterGroups);
}

// What had no room in the list of the round before: each round tells the next one, until the last.
void lose() {
    atomicOr(state.undone.count, kLost);
    atomicMax(state.undone.groups.x, 1u);
    atomicMax(state.undone.groups.y, 1u);
    mark_undone();
}

Group begin_round() {
    uint number = expansion_group();
    uint lane = gl_LocalInvocationIndex;
    if (kMayStop && lane < 4u) {
        undone_items[lane] = 0u;
    }
    if (!kFurtherRound) {
        return Group(number, gl_NumWorkGroups.x * gl_NumWorkGroups.y, true, true, true);
    }
    uint count = state_before.undone.count;
    if (count > constants.capacity && number == 0u && lane == 0u) {
        lose();
    }
    if (number >= min(count & ~kLost, constants.capacity)) {
        return Group(0u, 0u, false, false, false);
    }
    uint entry = constants.first_before + number;
    number = undone_groups[entry].number;
    return Group(number & ~kUntested, state_before.undone.stride, true,
                 (undone_groups[entry].items[lane >> 5u] >> (lane & 31u) & 1u) != 0u, (number & kUntested) != 0u);
}

// This lane leaves the item of lane `lane` to the next round.
void leave_item(uint lane) {
    atomicOr(undone_items[lane >> 5u], 1u << (lane & 31u));
}

// Whether that happened to this lane's item; after a barrier.
bool left_undone() {
    return kMayStop && (undone_items[gl_LocalInvocationIndex >> 5u] >> (gl_LocalInvocationIndex & 31u) & 1u) != 0u;
}

// By one lane, once all have left what they leave.
void leave_group(Group group, bool untested) {
    uint items[4] = uint[4](undone_items[0], undone_items[1], undone_items[2], undone_items[3]);
    if ((items[0] | items[1] | items[2] | items[3]) == 0u) {
        return;
    }
    uint entry = atomicAdd(state.undone.count, 1u) & ~kLost;
    if (entry < constants.capacity) {
        undone_groups[constants.first_undone + entry] = UndoneGroup(group.number | (untested ? kUntested : 0u), items);
        atomicMax(state.undone.groups.x, min(entry + 1u, kDispatchRow));
        atomicMax(state.undone.groups.y, entry / kDispatchRow + 1u);
        state.undone.stride = group.stride;
    }
    mark_undone();
}

// Whether no class that takes part has room any more: the group is then left as it is, before anything of it is tested,
// so that every item is tested in about one round.
bool stops(Group group) {
    if (!kMayStop) {
        return false;
    }
    if (gl_LocalInvocationIndex == 0u) {
        list_full = true;
        for (uint c = 0u; c < kDrawClasses; ++c) {
            uint slots = (phase.classes >> c & 1u) != 0u ? frame.classes[c].slots : 0u;
            list_full = list_full && (slots == 0u || state.survivors.classes[c].claimed >= slots);
        }
    }
    barrier();
    if (!list_full) {
        return false;
    }
    if (group.mine) {
        leave_item(gl_LocalInvocationIndex);
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        leave_group(group, group.untested);
    }
    return true;
}
