#!/usr/bin/env python3
"""Writes scenes that fill the picture with one material each, to time what each feature of materials costs.

    material_scenes.py FOLDER

FOLDER gets NAME.gltf for each feature, with textures beside them: a curved wall of 4,608 triangles before a camera.
All but the first, "plain", add one thing to it.
"""

import base64
import json
import math
import pathlib
import struct
import sys
import zlib

COLUMNS, ROWS = 64, 36
SIZE = 512  # of textures, in texels


def png(path, texel):
    """Writes an 8-bit RGBA image of texel(x, y)."""
    rows = b"".join(b"\0" + b"".join(bytes(texel(x, y)) for x in range(SIZE)) for y in range(SIZE))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 6, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 6)) + chunk(b"IEND", b"")
    )


def wall():
    """Positions, normals, tangents and texture coordinates of a bulge 16:9 at z = -2, and its indices."""
    positions, normals, tangents, uvs, indices = [], [], [], [], []
    for j in range(ROWS + 1):
        for i in range(COLUMNS + 1):
            u, v = i / COLUMNS, j / ROWS
            x, y = (u - 0.5) * 8.0, (0.5 - v) * 4.5
            positions += [x, y, -2.0 - 0.05 * (x * x + y * y)]
            length = math.sqrt(1.0 + 0.25 * (x * x + y * y))
            normals += [-0.5 * x / length, -0.5 * y / length, 1.0 / length]
            along = math.sqrt(1.0 + 0.25 * x * x)
            tangents += [1.0 / along, 0.0, 0.5 * x / along, 1.0]
            uvs += [u * 4.0, v * 4.0]
    for j in range(ROWS):
        for i in range(COLUMNS):
            a = j * (COLUMNS + 1) + i
            b = a + COLUMNS + 1
            indices += [a, b, a + 1, a + 1, b, b + 1]
    return positions, normals, tangents, uvs, indices


def scene(material):
    """A glTF document of the wall with this material."""
    positions, normals, tangents, uvs, indices = wall()
    count = len(positions) // 3
    parts = [
        (struct.pack(f"<{len(data)}{code}", *data), kind, component)
        for data, code, kind, component in (
            (positions, "f", "VEC3", 5126),
            (normals, "f", "VEC3", 5126),
            (tangents, "f", "VEC4", 5126),
            (uvs, "f", "VEC2", 5126),
            (indices, "I", "SCALAR", 5125),
        )
    ]
    views, accessors, blob = [], [], b""
    for data, kind, component in parts:
        views.append({"buffer": 0, "byteOffset": len(blob), "byteLength": len(data)})
        number = len(indices) if kind == "SCALAR" else count
        accessors.append({"bufferView": len(views) - 1, "componentType": component, "count": number, "type": kind})
        blob += data
    accessors[0]["min"] = [min(positions[i::3]) for i in range(3)]
    accessors[0]["max"] = [max(positions[i::3]) for i in range(3)]
    used = sorted(material.get("extensions", {}))
    names = ["color.png", "normal.png", "data.png", "mask.png"]
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": 0}, {"camera": 0}],
        "cameras": [{"type": "perspective", "perspective": {"yfov": 0.9, "znear": 0.1}}],
        "meshes": [
            {
                "primitives": [
                    {
                        "attributes": {"POSITION": 0, "NORMAL": 1, "TANGENT": 2, "TEXCOORD_0": 3},
                        "indices": 4,
                        "material": 0,
                    }
                ]
            }
        ],
        "materials": [material],
        "images": [{"uri": name} for name in names],
        "textures": [{"source": i} for i in range(len(names))],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [
            {
                "byteLength": len(blob),
                "uri": "data:application/octet-stream;base64," + base64.b64encode(blob).decode(),
            }
        ],
    }
    if used:
        document["extensionsUsed"] = used
    return document


COLOR, NORMAL, DATA, MASK = ({"index": i} for i in range(4))


def plain(**more):
    """A dielectric of medium roughness, and what is added to it."""
    core = {"baseColorFactor": [0.7, 0.6, 0.5, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.4}
    core.update(more.pop("core", {}))
    return {"pbrMetallicRoughness": core, **more}


def extended(**extensions):
    """The plain one with extensions."""
    return plain(extensions={"KHR_materials_" + name: value for name, value in extensions.items()})


GLASS = {"transmissionFactor": 0.9}
MATERIALS = {
    "plain": plain(),
    "unlit": extended(unlit={}),
    "base-color-map": plain(core={"baseColorTexture": COLOR}),
    "metallic-roughness-map": plain(core={"metallicRoughnessTexture": DATA}),
    "normal-map": plain(normalTexture=NORMAL),
    "occlusion-map": plain(occlusionTexture=DATA),
    "emissive-map": plain(emissiveTexture=COLOR, emissiveFactor=[0.2, 0.2, 0.2]),
    "five-maps": plain(
        core={"baseColorTexture": COLOR, "metallicRoughnessTexture": DATA},
        normalTexture=NORMAL,
        occlusionTexture=DATA,
        emissiveTexture=COLOR,
        emissiveFactor=[0.2, 0.2, 0.2],
    ),
    "specular": extended(specular={"specularFactor": 0.5}),
    "clearcoat": extended(clearcoat={"clearcoatFactor": 1.0, "clearcoatRoughnessFactor": 0.1}),
    "sheen": extended(sheen={"sheenColorFactor": [0.5, 0.5, 0.5], "sheenRoughnessFactor": 0.5}),
    "anisotropy": extended(anisotropy={"anisotropyStrength": 0.7}),
    "iridescence": extended(iridescence={"iridescenceFactor": 1.0}),
    "transmission": extended(transmission=GLASS),
    "volume": extended(transmission=GLASS, volume={"thicknessFactor": 0.2}),
    "dispersion": extended(transmission=GLASS, volume={"thicknessFactor": 0.2}, dispersion={"dispersion": 2.0}),
    "mask": plain(core={"baseColorTexture": MASK}, alphaMode="MASK"),
}


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__.strip())
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    png(folder / "color.png", lambda x, y: (150 + (x ^ y) % 100, 140 + x % 90, 130 + y % 80, 255))
    png(folder / "normal.png", lambda x, y: (128 + (x // 8 % 3 - 1) * 40, 128 + (y // 8 % 3 - 1) * 40, 245, 255))
    png(folder / "data.png", lambda x, y: (200 + x % 50, 100 + (x + y) % 100, (x ^ y) % 2 * 60, 255))
    png(folder / "mask.png", lambda x, y: (150, 200, 120, 255 if (x // 32 + y // 32) % 2 == 0 else 0))
    for name, material in MATERIALS.items():
        (folder / (name + ".gltf")).write_text(json.dumps(scene(material)))


if __name__ == "__main__":
    main()
