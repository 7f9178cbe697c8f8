// What vertex shaders hand to id.frag.
layout(location = 0) flat out uvec2 out_id;

invariant gl_Position;
