# SPDX-License-Identifier: GPL-3.0-or-later
"""The probe on a level of about 500 kit parts of 100 x 100 m, and its floor beside a navigation mesh of Recast.

    python benchmarks/bench_probe.py [--side M] [--spacing M] [--recast FOLDER]

FOLDER has the packages @recast-navigation/core and @recast-navigation/generators of npm. Without it, only the probe is
measured. Times are of a processor, memory is the most that the process has had.
"""

import argparse
import json
import resource
import shutil
import subprocess
import time
from pathlib import Path

import numpy as np

import collision_kit.core as ck

RECAST = Path(__file__).with_name("recast.mjs")


def kit(side: float, cell: float = 10.0) -> ck.Boxes:
    """Rooms of floors, walls with doors, stairs to platforms, and crates, with walls around all."""
    rng, lower, upper = np.random.default_rng(0), [], []

    def box(low: tuple[float, float, float], high: tuple[float, float, float]) -> None:
        lower.append(low)
        upper.append(high)

    count = round(side / cell)
    for x in np.arange(count) * cell:
        for y in np.arange(count) * cell:
            box((x, y, -0.3), (x + cell, y + cell, 0.0))
            if x + cell < side - 1e-9:
                door = rng.uniform(2.0, 7.0)
                box((x + cell - 0.1, y, 0.0), (x + cell + 0.1, y + door, 3.0))
                box((x + cell - 0.1, y + door + 1.2, 0.0), (x + cell + 0.1, y + cell, 3.0))
            if y + cell < side - 1e-9:
                box((x, y + cell - 0.1, 0.0), (x + 4.0, y + cell + 0.1, 3.0))
            if rng.uniform() < 0.2:
                for step in range(5):
                    box((x + 2.0 + 0.3 * step, y + 1.0, 0.0), (x + 4.5, y + 3.0, 0.2 * (step + 1)))
            else:
                size, at = rng.uniform(0.5, 1.0), rng.uniform(3.0, 7.0, 2)
                box((x + at[0], y + at[1], 0.0), (x + at[0] + size, y + at[1] + size, size))
    for low, high in (
        ((-0.2, -0.2, 0.0), (side + 0.2, 0.0, 3.0)),
        ((-0.2, side, 0.0), (side + 0.2, side + 0.2, 3.0)),
        ((-0.2, 0.0, 0.0), (0.0, side, 3.0)),
        ((side, 0.0, 0.0), (side + 0.2, side, 3.0)),
    ):
        box(low, high)
    low, high = np.array(lower), np.array(upper)
    return ck.Boxes((low + high) / 2.0, (high - low) / 2.0)


def triangles_of(boxes: ck.Boxes) -> np.ndarray:
    """Two triangles for each face, (T, 3, 3)."""
    signs = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    corners = boxes.center[:, None] + signs * boxes.half_extents[:, None]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners[:, [one for a, b, c, d in faces for one in ((a, b, c), (a, c, d))]].reshape(-1, 3, 3)


def main() -> None:
    """Measure, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--side", type=float, default=100.0)
    parser.add_argument("--spacing", type=float, default=0.25)
    parser.add_argument("--recast", type=Path)
    options = parser.parse_args()
    boxes, character = kit(options.side), ck.Character()
    begin = time.process_time()
    found = ck.probe(boxes, [[5.0, 5.0, 0.0]], character, spacing=options.spacing)
    seconds = time.process_time() - begin
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{len(boxes)} parts, {options.side:g} x {options.side:g} m, spacing {options.spacing:g} m")
    print(f"probe: {seconds:.2f} s, {memory:.0f} MB, {len(found.poses)} poses, {found.reached_area:.1f} m², ", end="")
    print(f"no gap above {found.undetected_below:.3f} m missed, {len(found.findings)} findings")
    _measure_coverage(boxes, found)
    if options.recast is not None:
        _beside_recast(options.recast, boxes, character, found, options.spacing)


def _measure_coverage(boxes: ck.Boxes, found: ck.Probe) -> None:
    """Print how long it takes to compare each part with a collider that is 5 cm larger, and with what is in reach."""
    seen = triangles_of(boxes).reshape(len(boxes), 12, 3, 3)
    number = np.arange(36).reshape(12, 3)
    colliders = ck.Boxes(boxes.center, boxes.half_extents + 0.05)
    begin = time.process_time()
    near = found.near(1.5 * found.spacing)
    lower, upper = near.bounds()
    least, most = colliders.bounds()
    made = time.process_time() - begin
    for title in ("all", "in reach"):
        begin, compared = time.process_time(), 0
        for row, triangles in enumerate(seen):
            within = None
            if title == "in reach":
                rows = np.flatnonzero((lower <= most[row]).all(axis=1) & (upper >= least[row]).all(axis=1))
                if not len(rows):
                    continue
                within = near.take(rows)
            mesh = ck.Meshes.from_triangles([(triangles.reshape(-1, 3), number)])
            ck.coverage(colliders.take([row]), mesh, within=within)
            compared += 1
        print(f"coverage, {title}: {time.process_time() - begin:.2f} s for {compared} parts")
    print(f"space near the character: {len(near)} shapes for {len(found.poses)} poses, {made:.2f} s")


def _beside_recast(folder: Path, boxes: ck.Boxes, character: ck.Character, found: ck.Probe, spacing: float) -> None:
    """Print how much of each floor is on the other one, to within the spacing."""
    cell, high = spacing / 2.0, 0.05
    config = {
        **{"cs": cell, "ch": high, "walkableSlopeAngle": character.slope},
        "walkableHeight": int(np.ceil(character.height / high)),
        "walkableClimb": int(character.step / high + 1e-9),
        "walkableRadius": int(np.ceil(character.radius / cell)),
    }
    # From +Z up to +Y up.
    corners = triangles_of(boxes)[..., [0, 2, 1]] * (1.0, 1.0, -1.0)
    # Clockwise and counterclockwise: Recast walks on what faces up.
    both = np.concatenate([corners, corners[:, ::-1]]).reshape(-1, 3)
    floor = found.floor[found.over_ground]
    given = {
        **{"positions": both.ravel().tolist(), "indices": list(range(len(both))), "config": config},
        **{"points": (floor[:, [0, 2, 1]] * (1.0, 1.0, -1.0)).tolist(), "near": 2.0 * spacing},
    }
    script = folder / RECAST.name
    shutil.copy(RECAST, script)
    done = subprocess.run(["node", script.name], cwd=folder, input=json.dumps(given), capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    answer = json.loads(done.stdout)
    points = (np.array(answer["positions"]).reshape(-1, 3) * (1.0, 1.0, -1.0))[:, [0, 2, 1]]
    mesh = points[np.array(answer["indices"]).reshape(-1, 3)]
    sides = mesh[:, 1:] - mesh[:, :1]
    area = 0.5 * np.abs(sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0])
    print(f"Recast: {answer['seconds']:.2f} s, cells of {cell:g} m, {area.sum():.1f} m²")
    share = 100.0 * np.mean(answer["on"])
    print(f"of the reached floor, {share:.2f} % are on the navigation mesh, within {2 * spacing:g} m")
    shares = np.random.default_rng(1).dirichlet((1.0, 1.0, 1.0), 4 * len(mesh))
    which = np.random.default_rng(2).choice(len(mesh), len(shares), p=area / area.sum())
    samples = np.einsum("nk,nkj->nj", shares, mesh[which])
    near = [_is_near(one, floor, 2.0 * spacing, character.step) for one in samples]
    print(f"of the navigation mesh, {100.0 * np.mean(near):.2f} % are on the reached floor")


def _is_near(point: np.ndarray, floor: np.ndarray, near: float, step: float) -> bool:
    away = np.abs(floor - point)
    return bool(((away[:, 0] <= near) & (away[:, 1] <= near) & (away[:, 2] <= step)).any())


if __name__ == "__main__":
    main()
