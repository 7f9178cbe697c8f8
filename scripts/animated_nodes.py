#!/usr/bin/env python3
"""Writes a scene of many nodes that turn, each a cube by itself, to time what moving them takes.

    animated_nodes.py COUNT FILE.gltf

They share 64 rotations of five keys, and stand in a block with as many to each side.
"""

import base64
import json
import math
import pathlib
import random
import struct
import sys

SIDE = 0.6  # of a cube; its neighbour's centre is 1 away
CORNERS = [[x, y, z] for x in (-SIDE / 2, SIDE / 2) for y in (-SIDE / 2, SIDE / 2) for z in (-SIDE / 2, SIDE / 2)]
FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
TIMES = [0.0, 1.0, 2.0, 3.0, 4.0]
ROTATIONS = 64


class Buffer:
    """A glTF file's bytes, with the accessors that read them."""

    def __init__(self):
        self.bytes = b""
        self.views = []
        self.accessors = []

    def add(self, form, component, kind, width, values, bounds=False):
        """Adds `values`, `width` to an element, and returns the number of their accessor."""
        data = struct.pack(f"<{len(values)}{form}", *values)
        self.views.append({"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(data)})
        self.bytes += data + bytes(-len(data) % 4)
        accessor = {
            "bufferView": len(self.views) - 1,
            "componentType": component,
            "count": len(values) // width,
            "type": kind,
        }
        if bounds:
            accessor["min"] = [min(values[i::width]) for i in range(width)]
            accessor["max"] = [max(values[i::width]) for i in range(width)]
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def turn(axis, angle):
    """A quaternion."""
    return [math.sin(angle / 2) * part for part in axis] + [math.cos(angle / 2)]


def scene(count):
    rng = random.Random(1)
    buffer = Buffer()
    positions = buffer.add("f", 5126, "VEC3", 3, [part for corner in CORNERS for part in corner], True)
    triangles = [corner for a, b, c, d in FACES for corner in (a, b, c, a, c, d)]
    indices = buffer.add("H", 5123, "SCALAR", 1, triangles)
    times = buffer.add("f", 5126, "SCALAR", 1, TIMES, True)
    samplers = []
    for i in range(ROTATIONS):
        axis = [1, 0, 0] if i % 2 else [0, 1, 0]
        angles = [rng.uniform(0, 2 * math.pi) for _ in TIMES[1:]]
        keys = [part for angle in angles + angles[:1] for part in turn(axis, angle)]
        samplers.append({"input": times, "output": buffer.add("f", 5126, "VEC4", 4, keys)})
    side = math.ceil(count ** (1 / 3))
    places = [[i % side - side / 2, i // side % side - side / 2, -(i // side // side)] for i in range(count)]
    uri = "data:application/octet-stream;base64," + base64.b64encode(buffer.bytes).decode()
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": list(range(count))}],
        "nodes": [{"mesh": 0, "translation": place} for place in places],
        "meshes": [{"primitives": [{"attributes": {"POSITION": positions}, "indices": indices}]}],
        "animations": [
            {
                "samplers": samplers,
                "channels": [
                    {"sampler": i % ROTATIONS, "target": {"node": i, "path": "rotation"}} for i in range(count)
                ],
            }
        ],
        "accessors": buffer.accessors,
        "bufferViews": buffer.views,
        "buffers": [{"byteLength": len(buffer.bytes), "uri": uri}],
    }


def main():
    if len(sys.argv) != 3 or not sys.argv[1].isdigit() or int(sys.argv[1]) == 0:
        sys.exit(__doc__.strip())
    pathlib.Path(sys.argv[2]).write_text(json.dumps(scene(int(sys.argv[1]))))


if __name__ == "__main__":
    main()
