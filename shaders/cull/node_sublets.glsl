// How the node `sublets` (shared/graph.h) takes and emits payloads where the driver plays it. What emits is called by
// all lanes of the workgroup together.

NODE_PAYLOAD SubletsPayload node_in[kSubletsTakes];
spirv_instruction(NODE_WORDS, id = 5090) uint node_length(spirv_by_reference SubletsPayload payloads[kSubletsTakes]);
NODE_OUT(draw, DrawPayload, kSubletsMost)

const uint kSubletsPerGroup = 1u;  // of the mesh node's workgroups

uint payloads_taken() { return node_length(node_in); }
// (instance, meshlet of its mesh).
uvec2 payload_taken(uint number) { return uvec2(node_in[number].instance, node_in[number].meshlet); }

// `draw`: (instance, sublet of its mesh).
void emit_draw(bool live, uint draw_class, uvec2 draw) {
    node_allocate(node_out_draw, kForLane, live ? 1u : 0u, draw_class);
    if (live) {
        node_out_draw[0].instance = draw.x;
        node_out_draw[0].sublet = draw.y;
    }
    node_enqueue(node_out_draw);
}
