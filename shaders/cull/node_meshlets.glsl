// How the node `meshlets` (shared/graph.h) takes and emits payloads where the driver plays it. There are no rounds:
// what is emitted has room.

NODE_PAYLOAD MeshletsPayload node_in;
NODE_OUT(sublets, SubletsPayload, kMeshletsMost)

bool take_meshlet(out uint instance, out uint place) {
    uint item = (gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x) * kMeshletsLanes + gl_LocalInvocationIndex;
    instance = node_in.instance;
    place = node_in.first_place + item;
    return item < node_in.count;
}

// All lanes come here together.
void emit_survivor(bool live, Survivor survivor) {
    node_allocate(node_out_sublets, kForLane, live ? 1u : 0u, 0u);
    if (live) {
        node_out_sublets[0].instance = survivor.instance;
        node_out_sublets[0].meshlet = survivor.meshlet;
    }
    node_enqueue(node_out_sublets);
    count_drawn(live, survivor);
}
