// SPDX-License-Identifier: GPL-3.0-or-later
// Builds a navigation mesh of the triangles on standard input, for bench_probe.py. Up is +Y.
import { init, NavMeshQuery, getNavMeshPositionsAndIndices } from "@recast-navigation/core";
import { generateSoloNavMesh } from "@recast-navigation/generators";
import { readFileSync } from "node:fs";

const given = JSON.parse(readFileSync(0, "utf8"));
await init();
const begin = process.cpuUsage();
const { success, navMesh } = generateSoloNavMesh(given.positions, given.indices, given.config);
const used = process.cpuUsage(begin);
if (!success) throw new Error("no navigation mesh");
const [positions, indices] = getNavMeshPositionsAndIndices(navMesh);
const query = new NavMeshQuery(navMesh);
// Which of the points are on the mesh, within a horizontal distance.
const on = given.points.map(([x, y, z]) => {
  const found = query.findClosestPoint({ x, y, z }, { halfExtents: { x: given.near, y: 1.0, z: given.near } });
  const { point } = found;
  return found.success && found.polyRef !== 0 && Math.hypot(point.x - x, point.z - z) <= given.near;
});
console.log(JSON.stringify({ seconds: (used.user + used.system) / 1e6, positions, indices, on }));
