// Compares what print_tangents wrote with the tangents that three.js makes of the same corners. One line for each file:
//   node compare_tangents.mjs THREE FILE NAME...     THREE: the folder of the package; a NAME for each FILE
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const kFloats = 16; // of a corner: position, normal, UV, tangent, packed tangent
const [three, ...files] = process.argv.slice(2);
const module = join(resolve(three), 'examples/jsm/libs/mikktspace.module.js');
const { generateTangents } = await import(pathToFileURL(module));

// In degrees, of directions in arrays at these places.
function angle(a, i, b, j) {
  const cross = Math.hypot(a[i + 1] * b[j + 2] - a[i + 2] * b[j + 1], a[i + 2] * b[j] - a[i] * b[j + 2],
    a[i] * b[j + 1] - a[i + 1] * b[j]);
  return Math.atan2(cross, a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2]) * 180 / Math.PI;
}

function column(corners, from, size) {
  const out = new Float32Array(corners.length / kFloats * size);
  for (let c = 0; c * kFloats < corners.length; ++c) {
    for (let i = 0; i < size; ++i) out[c * size + i] = corners[c * kFloats + from + i];
  }
  return out;
}

// What it returns where no triangle gives a direction, whatever the normal.
const isDefault = (t, i) => t[i] === 1 && t[i + 1] === 0 && t[i + 2] === 0 && t[i + 3] === -1;

function compare(file) {
  const bytes = readFileSync(file);
  const sum = { corners: 0, undirected: 0, worst: 0, total: 0, packing: 0, beyond: 0, signs: 0 };
  const angles = [];
  for (let at = 0; at < bytes.length;) {
    const count = bytes.readUInt32LE(at);
    const corners = new Float32Array(bytes.buffer.slice(bytes.byteOffset + at + 4,
      bytes.byteOffset + at + 4 + count * kFloats * 4));
    at += 4 + count * kFloats * 4;
    const theirs = generateTangents(column(corners, 0, 3), column(corners, 3, 3), column(corners, 6, 2));
    sum.corners += count;
    for (let c = 0; c < count; ++c) {
      const ours = c * kFloats + 8;
      if (corners[ours + 3] !== -theirs[c * 4 + 3]) ++sum.signs; // theirs takes V to point up
      const between = angle(corners, ours, theirs, c * 4);
      if (isDefault(theirs, c * 4) && between > 0) {
        ++sum.undirected;
        continue;
      }
      angles.push(between);
      sum.total += between;
      sum.packing = Math.max(sum.packing, angle(corners, ours, corners, ours + 4));
    }
  }
  for (const a of angles) {
    sum.worst = Math.max(sum.worst, a);
    if (a > sum.packing) ++sum.beyond;
  }
  return { ...sum, mean: sum.total / Math.max(angles.length, 1) };
}

const degrees = (x) => (x === 0 ? '0' : x.toPrecision(2));
// "beyond that": corners that differ by more than packing loses at most.
console.log('| model | corners | without a direction | worst angle | mean angle | packing loses | beyond that '
  + '| other signs |');
console.log('|---|---|---|---|---|---|---|---|');
let failed = false;
for (let i = 0; i < files.length; i += 2) {
  const r = compare(files[i]);
  if (r.corners === 0) continue;
  failed ||= r.beyond > 0 || r.signs > 0;
  console.log(`| ${files[i + 1]} | ${r.corners} | ${r.undirected} | ${degrees(r.worst)}° | ${degrees(r.mean)}° | `
    + `${degrees(r.packing)}° | ${r.beyond} | ${r.signs} |`);
}
process.exitCode = failed ? 1 : 0;
