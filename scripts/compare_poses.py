#!/usr/bin/env python3
"""A row of scripts/compare_poses.sh: how far vertices of three.js are from the nearest of a posed .glb file.

usage: compare_poses.py POSE.glb POSITIONS.json FILE ANIMATION TIME
"""
import json
import math
import struct
import sys

MOST = 1e-4  # of the scene's size


def read_glb(path):
    data = open(path, 'rb').read()
    length = struct.unpack_from('<I', data, 12)[0]
    document = json.loads(data[20:20 + length])
    return document, data[20 + length + 8:]


def positions_of(document, binary, accessor_number):
    accessor = document['accessors'][accessor_number]
    assert accessor['componentType'] == 5126 and accessor['type'] == 'VEC3'
    view = document['bufferViews'][accessor['bufferView']]
    start = view.get('byteOffset', 0) + accessor.get('byteOffset', 0)
    stride = view.get('byteStride', 12)
    return [struct.unpack_from('<3f', binary, start + i * stride) for i in range(accessor['count'])]


def matrix_of(node):
    """Rows of the local transform."""
    if 'matrix' in node:
        m = node['matrix']
        return [[m[c * 4 + r] for c in range(4)] for r in range(3)]
    x, y, z, w = node.get('rotation', (0, 0, 0, 1))
    s = node.get('scale', (1, 1, 1))
    t = node.get('translation', (0, 0, 0))
    turn = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return [[turn[r][c] * s[c] for c in range(3)] + [t[r]] for r in range(3)]


def product(a, b):
    return [[sum(a[r][k] * b[k][c] for k in range(3)) + (a[r][3] if c == 3 else 0) for c in range(4)] for r in range(3)]


def world_positions(document, binary):
    out = []
    stack = [(root, [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]) for root in document['scenes'][0]['nodes']]
    while stack:
        number, above = stack.pop()
        node = document['nodes'][number]
        world = product(above, matrix_of(node))
        if 'mesh' in node:
            for primitive in document['meshes'][node['mesh']]['primitives']:
                for p in positions_of(document, binary, primitive['attributes']['POSITION']):
                    out.append(tuple(sum(row[k] * p[k] for k in range(3)) + row[3] for row in world))
        stack += [(child, world) for child in node.get('children', [])]
    return out


def main():
    glb, positions, file, animation, time = sys.argv[1:]
    ours = world_positions(*read_glb(glb))
    theirs = [tuple(p) for primitive in json.load(open(positions))['primitives'] for p in primitive['position']]
    low = [min(p[k] for p in ours) for k in range(3)]
    high = [max(p[k] for p in ours) for k in range(3)]
    size = math.dist(low, high)
    # Cells as large as what is looked for is far at most, so that it lies in a cell next to it.
    cell = 10 * MOST * size
    cells = {}
    for p in ours:
        cells.setdefault(tuple(int(x // cell) for x in p), []).append(p)
    greatest = total = 0.0
    for p in theirs:
        at = [int(x // cell) for x in p]
        near = [q for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)
                for q in cells.get((at[0] + i, at[1] + j, at[2] + k), [])]
        distance = min((math.dist(p, q) for q in near), default=cell) / size
        greatest = max(greatest, distance)
        total += distance
    print(f'{file[:36]:36} {animation[:24]:24} {float(time):8.3f} {len(theirs):9} {greatest:10.2e} '
          f'{total / len(theirs):10.2e}')
    return 0 if greatest <= MOST else 1


if __name__ == '__main__':
    sys.exit(main())
