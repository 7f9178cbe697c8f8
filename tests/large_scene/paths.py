#!/usr/bin/env python3
"""Camera paths (docs/USING.md) over the stones that large_scene writes: a flight low over the rows, or a jump.

    paths.py flight|jump FRAMES STONES OUTPUT.json
"""
import json
import math
import sys

kind, frames, stones, output = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
extent = 3.0 * (math.ceil(math.sqrt(stones)) - 1)
keys = []
if kind == "flight":
    for i in range(9):
        t = i / 8
        x, z = extent * (0.5 + 0.45 * math.sin(2 * math.pi * t)), extent * t
        keys.append({"frame": int(t * (frames - 1)), "eye": [x, 1.6 + 0.5 * math.sin(5 * t), z - 1.5],
                     "target": [x + 3 * math.cos(6 * t), 0.0, z + 3.0], "fov": 60})
else:
    for frame, eye, target, cut in (
        (0, [0.2, 1.6, -2.0], [0.2, 0, 2], False),
        (frames // 2 - 1, [0.2, 1.6, -1.9], [0.2, 0, 2], False),
        (frames // 2, [0.7, 1.5, 0.6], [0.8, 0, 0.9], True),
        (frames - 1, [0.7, 1.5, 0.601], [0.8, 0, 0.9], False),
    ):
        far = frame >= frames // 2  # in shares of the field: near its border in units
        keys.append({"frame": frame, "eye": [extent * eye[0], eye[1], extent * eye[2] if far else eye[2]],
                     "target": [extent * target[0], target[1], extent * target[2] if far else target[2]],
                     "fov": 60, "cut": cut})
with open(output, "w") as file:
    json.dump({"frames": frames, "keys": keys}, file)
