# SPDX-License-Identifier: GPL-3.0-or-later
"""The forklift of the example warehouse: the truck, and the carriage that slides on its mast.

Both look along +X from one origin, on the floor below the truck's middle. Lengths are meters.
"""

from itertools import pairwise

import numpy as np
from warehouse_parts import FORK_HEEL, FORK_LENGTH, FORK_SPREAD, FORK_THICKNESS, FORK_WIDTH, Asset, wheel
from warehouse_solids import Solid, arc, bar, block, extruded, join, lathed, moved, span, upright_to

WHEELS = ((0.42, 0.32, 0.20), (-0.85, 0.25, 0.17))  # where along the truck, radius, width
TRACK = 0.49  # from the truck's middle to the middle of a tyre
GUARD_TOP = 2.12


def truck() -> Asset:
    """Return the truck: hulls for chassis, guard and wheels, boxes for the mast."""
    half = 0.38
    weight = [(-1.35, 0.26), (-0.98, 0.16), (-0.7, 0.16), (-0.7, 1.05), (-1.15, 1.02), (-1.33, 0.74)]
    hood = [(-0.7, 0.6), (-0.02, 0.6), (-0.08, 0.93), (-0.7, 0.98)]
    cowl = [(0.36, 0.56), (0.7, 0.56), (0.7, 0.86), (0.56, 1.06), (0.46, 1.06)]
    paint = "truck_yellow"
    parts: list[Solid] = [
        span((-0.95, -half, 0.16), (0.7, half, 0.56), paint),
        span((-0.72, -0.52, 0.5), (0.1, 0.52, 0.6), paint),
        span((-0.05, -0.5, 0.52), (0.7, 0.5, 0.56), "dark_metal"),
        extruded(weight, (-0.54, 0.54), paint),
        extruded(hood, (-0.45, 0.45), "truck_gray"),
        extruded(cowl, (-0.5, 0.5), paint),
        block((0.46, 0.46, 0.09), "seat", (-0.4, 0.0, 0.97)),
        extruded([(-0.68, 1.02), (-0.56, 1.02), (-0.64, 1.48), (-0.74, 1.48)], (-0.23, 0.23), "seat"),
        bar((0.5, 0.0, 1.02), (0.32, 0.0, 1.22), 0.04, 0.04, "dark_metal"),
        *steering_wheel(),
        *guard(),
        *mast(),
        *gas_tank(),
    ]
    for x, radius, width in WHEELS:
        for side in (-TRACK, TRACK):
            parts.append(moved(wheel(radius, width), (x, side, radius)))
    for side in (-0.4, 0.4):
        lamp_body = upright_to(lathed([(0.045, 0.0), (0.06, 0.05)], ["dark_metal"], 20), "x")
        lens = upright_to(lathed([(0.052, 0.05), (0.05, 0.056)], "headlight", 20), "x")
        parts += [moved(solid, (0.5, side, 1.68)) for solid in (lamp_body, lens)]
    chassis = [
        (-1.35, 0.26), (-0.98, 0.16), (0.7, 0.16), (0.7, 0.86), (0.56, 1.06), (-1.15, 1.06), (-1.35, 0.74)
    ]  # fmt: skip
    cage = [(-0.86, 1.06), (0.62, 1.06), (0.46, GUARD_TOP), (-0.8, GUARD_TOP)]
    colliders = [("UCX", extruded(chassis, (-0.54, 0.54))), ("UCX", extruded(cage, (-0.5, 0.5)))]
    for side in (-1, 1):
        y = sorted((side * 0.27, side * 0.38))
        colliders.append(("UBX", span((0.72, y[0], 0.06), (0.86, y[1], 2.2))))
    for x, radius, width in WHEELS:
        for side in (-TRACK, TRACK):
            tyre = upright_to(lathed([(radius, -width / 2), (radius, width / 2)], segments=24), "y")
            colliders.append(("UCX", moved(tyre, (x, side, radius))))
    return Asset("Forklift", join(*parts), tuple(colliders))


def steering_wheel() -> list[Solid]:
    """Return the steering wheel, a ring in the plane of its column."""
    center, axis = np.array((0.32, 0.0, 1.22)), np.array((-0.67, 0.0, 0.742))
    u = np.array((0.0, 1.0, 0.0))
    v = np.cross(axis, u)
    angles = np.linspace(0.0, 2 * np.pi, 17)
    rim = [center + 0.16 * (np.cos(angle) * u + np.sin(angle) * v) for angle in angles]
    spokes = [bar(rim[0], rim[8], 0.02, 0.015, "black"), bar(rim[4], rim[12], 0.02, 0.015, "black")]
    return [bar(a, b, 0.025, 0.025, "black") for a, b in pairwise(rim)] + spokes


def guard() -> list[Solid]:
    """Return the overhead guard: four posts, two rails and the bars between."""
    metal = "dark_metal"
    parts = []
    for side in (-0.45, 0.45):
        parts.append(bar((0.6, side, 0.95), (0.42, side, GUARD_TOP - 0.03), 0.06, 0.06, metal))
        parts.append(bar((-0.78, side, 0.95), (-0.72, side, GUARD_TOP - 0.03), 0.06, 0.06, metal))
        parts.append(span((-0.78, side - 0.04, GUARD_TOP - 0.06), (0.45, side + 0.04, GUARD_TOP), metal))
    for x in np.linspace(-0.75, 0.42, 8):
        parts.append(span((x - 0.03, -0.42, GUARD_TOP - 0.045), (x + 0.03, 0.42, GUARD_TOP - 0.01), metal))
    beacon = lathed([(0.05, 0.0), (0.05, 0.05), *arc((0.0, 0.05), 0.05, (10.0, 90.0), 4)], "beacon", 20)
    parts.append(moved(lathed([(0.06, 0.0), (0.06, 0.02)], "black", 20), (-0.55, 0.3, GUARD_TOP - 0.01)))
    parts.append(moved(beacon, (-0.55, 0.3, GUARD_TOP + 0.01)))
    return parts


def mast() -> list[Solid]:
    """Return the mast: two channels, their ties, the lift cylinders and the chains."""
    metal = "mast_metal"
    parts = []
    for side in (-1, 1):
        y = sorted((side * 0.34, side * 0.38))
        parts.append(span((0.72, y[0], 0.06), (0.86, y[1], 2.2), metal))
        y = sorted((side * 0.27, side * 0.33))
        parts.append(span((0.74, y[0], 0.08), (0.855, y[1], 2.16), "dark_metal"))
        parts.append(moved(lathed([(0.035, 0.1), (0.035, 1.2)], metal, 16), (0.77, side * 0.22, 0.0)))
        parts.append(moved(lathed([(0.022, 1.2), (0.022, 2.1)], "chrome", 16), (0.77, side * 0.22, 0.0)))
        parts.append(block((0.02, 0.03, 1.95), "chain", (0.82, side * 0.14, 0.2)))
    for z in (0.08, 1.1, 2.1):
        parts.append(span((0.735, -0.34, z), (0.775, 0.34, z + 0.1), metal))
    return parts


def gas_tank() -> list[Solid]:
    """Return the gas tank that lies across the counterweight, with its two straps."""
    radius, length = 0.15, 0.78
    profile = arc((0.0, -length / 2 + radius), radius, (-90.0, 0.0), 5)
    profile += arc((0.0, length / 2 - radius), radius, (0.0, 90.0), 5)
    where = (-1.02, 0.0, 1.2)
    straps = [
        upright_to(lathed([(radius + 0.006, y - 0.03), (radius + 0.006, y + 0.03)], "mast_metal"), "y")
        for y in (-0.2, 0.2)
    ]
    saddle = block((0.24, 0.6, 0.06), "dark_metal", (-1.02, 0.0, 1.02))
    tank = upright_to(lathed(profile, "bottle_shoulder"), "y")
    return [saddle, *(moved(solid, where) for solid in (tank, *straps))]


def carriage() -> Asset:
    """Return the carriage: a box for its back rest and one for each fork. The forks lie on Z = 0."""
    back, top = 0.88, 1.15
    metal = "dark_metal"
    parts = [span((back, -0.5, z), (back + 0.04, 0.5, z + 0.1), metal) for z in (0.06, 0.4)]
    for y in np.linspace(-0.48, 0.48, 7):
        parts.append(span((back, y - 0.02, 0.16), (back + 0.03, y + 0.02, top), metal))
    parts.append(span((back, -0.5, top - 0.05), (back + 0.03, 0.5, top), metal))
    colliders = [("UBX", span((back, -0.5, 0.0), (FORK_HEEL, 0.5, top)))]
    tip = FORK_HEEL + FORK_LENGTH
    for side in (-FORK_SPREAD, FORK_SPREAD):
        y = (side - FORK_WIDTH / 2, side + FORK_WIDTH / 2)
        blade = [(back + 0.04, 0.0), (tip, 0.0), (tip, 0.014), (tip - 0.45, FORK_THICKNESS)]
        shank = [(FORK_HEEL, FORK_THICKNESS), (FORK_HEEL, 0.56), (back + 0.04, 0.56)]
        parts.append(extruded([*blade, *shank], y, "mast_metal"))
        colliders.append(("UBX", span((FORK_HEEL, y[0], 0.0), (tip, y[1], FORK_THICKNESS))))
    return Asset("Forklift carriage", join(*parts), tuple(colliders))
