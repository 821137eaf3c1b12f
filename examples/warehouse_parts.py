# SPDX-License-Identifier: GPL-3.0-or-later
"""The things in the example warehouse: what each looks like, and the colliders that stand for it.

The colliders are named as Unreal's importer wants them: UBX a box, USP a sphere, UCP a capsule, UCX a convex
hull. An asset without colliders is itself a convex mesh and is tested as that. Lengths are meters.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from warehouse_solids import (
    Solid,
    arc,
    bar,
    block,
    capsule,
    extruded,
    join,
    lathed,
    moved,
    panel_box,
    span,
    sphere,
    upright_to,
)

PALLET = (1.2, 0.8, 0.144)  # the European pallet
PALLET_DECK = 0.022  # thickness of the deck boards
CRATE = (0.6, 0.4, 0.4)
BARREL = (0.29, 0.88)  # radius, height
FORK_THICKNESS = 0.04
FORK_WIDTH = 0.12
FORK_SPREAD = 0.185  # from the truck's middle to a fork's middle
FORK_HEEL = 0.97  # where the forks begin, from the truck's origin
FORK_LENGTH = 1.1
POST = 0.1  # side of a rack upright
RACK_DEPTH = 1.0


@dataclass(frozen=True)
class Asset:
    """One kind of thing: a render mesh that stands on the origin, and its colliders in the same frame."""

    name: str
    render: Solid
    colliders: tuple[tuple[str, Solid], ...] = ()  # prefix, shape


def crate(size: Sequence[float] = CRATE) -> Asset:
    """Return a slatted wooden crate; the corner posts reach its full size, and so does its one collider."""
    w, d, h = size
    t, rail, inset = 0.045, 0.06, 0.012
    wood, frame = "plank", "crate_frame"
    parts = [span((-w / 2 + t, -d / 2 + t, 0.01), (w / 2 - t, d / 2 - t, h - 0.02), "crate_inside")]
    for x in (-1, 1):
        for y in (-1, 1):
            parts.append(block((t, t, h), frame, (x * (w - t) / 2, y * (d - t) / 2, 0.0)))
    for z in (0.0, h - rail):
        for side in (-1, 1):
            parts.append(block((w - 2 * t, t, rail), frame, (0.0, side * (d - t) / 2, z)))
            parts.append(block((t, d - 2 * t, rail), frame, (side * (w - t) / 2, 0.0, z)))
    count = max(2, round((h - 2 * rail) / 0.1))
    pitch = (h - 2 * rail) / count
    for i in range(count):
        low, high = rail + i * pitch + 0.003, rail + (i + 1) * pitch - 0.003
        parts.append(span((-w / 2 + t, -d / 2 + inset, low), (w / 2 - t, d / 2 - inset, high), wood))
        parts.append(span((-w / 2 + inset, -d / 2 + t, low), (w / 2 - inset, d / 2 - t, high), wood))
    lids = max(3, round(d / 0.1))
    for i in range(lids):
        near, far = (-d / 2 + t + k * (d - 2 * t) / lids for k in (i, i + 1))
        parts.append(span((-w / 2 + t, near + 0.003, h - 0.02), (w / 2 - t, far - 0.003, h - 0.008), wood))
    for y in (-1, 1):
        ends = np.array([(-w / 2 + t, rail), (w / 2 - t, h - rail)])
        brace = extruded(
            [
                (ends[0, 0], ends[0, 1]),
                (ends[0, 0] + 0.07, ends[0, 1]),
                (ends[1, 0], ends[1, 1]),
                (ends[1, 0] - 0.07, ends[1, 1]),
            ],
            (y * (d / 2 - 0.006) - 0.005, y * (d / 2 - 0.006) + 0.005),
            frame,
        )
        parts.append(brace)
    return Asset(f"Crate {w:g} x {d:g} x {h:g}", join(*parts), (("UBX", block(size)),))


def carton(size: Sequence[float]) -> Asset:
    """Return a taped cardboard box. It is convex, so it needs no collider."""
    w, d, h = size
    tape = 0.025

    def paint(axis: int, side: int, center: NDArray[np.float64]) -> str:
        on_top = axis == 2 and side > 0
        on_end = axis == 0 and center[2] > h - 0.08
        if abs(center[1]) < tape and (on_top or on_end):
            return "tape"
        label = axis == 1 and side < 0 and 0.0 < center[0] < w / 4 and 0.3 * h < center[2] < h - 0.08
        return "label" if label else "cardboard"

    cuts = (
        (-w / 2, 0.03, 0.03 + w / 4, w / 2),
        (-d / 2, -tape, tape, d / 2),
        (0.0, 0.35 * h, h - 0.08, h),
    )
    return Asset(f"Carton {w:g} x {d:g} x {h:g}", panel_box(cuts, paint))


def pallet() -> Asset:
    """Return a pallet with a box collider for the deck and one for each of its three runners."""
    length, width, height = PALLET
    under = height - PALLET_DECK
    runners = ((-0.35, 0.1), (0.0, 0.145), (0.35, 0.1))  # the middle in Y, and the width
    parts = []
    boards = ((-0.3275, 0.145), (-0.1675, 0.1), (0.0, 0.145), (0.1675, 0.1), (0.3275, 0.145))
    for y, board in boards:
        parts.append(block((length, board, PALLET_DECK), "pallet_wood", (0.0, y, under)))
    for x in (-0.5275, 0.0, 0.5275):
        parts.append(block((0.145, width, PALLET_DECK), "pallet_wood", (x, 0.0, under - PALLET_DECK)))
        for y, board in runners:
            parts.append(block((0.145, board, 0.078), "pallet_block", (x, y, PALLET_DECK)))
    for y, board in runners:
        parts.append(block((length, board, PALLET_DECK), "pallet_wood", (0.0, y, 0.0)))
    deck = block((length, width, PALLET_DECK), base=(0.0, 0.0, under))
    feet = tuple(("UBX", block((length, board, under), base=(0.0, y, 0.0))) for y, board in runners)
    return Asset("Pallet", join(*parts), (("UBX", deck), *feet))


def barrel(paint: str) -> Asset:
    """Return a steel drum with rolling hoops, and the prism that is its hull."""
    radius, height = BARREL
    skin, hoop = radius - 0.012, 0.02
    profile = [(radius - 0.01, 0.0), (radius, 0.008), (radius, 0.03), (skin, 0.036)]
    for z in (height / 3, 2 * height / 3):
        profile += [(skin, z - hoop), *arc((skin - 0.008, z), 0.02, (-40.0, 40.0), 4), (skin, z + hoop)]
    profile += [(skin, height - 0.036), (radius, height - 0.03), (radius, height - 0.006)]
    profile += [(radius - 0.01, height), (radius - 0.02, height), (radius - 0.022, height - 0.018)]
    caps = [
        moved(lathed([(0.035, 0.0), (0.035, 0.012), (0.0, 0.012)], "dark_metal", 16), offset)
        for offset in ((0.18, 0.0, height - 0.018), (-0.19, 0.05, height - 0.018))
    ]
    hull = lathed([(radius, 0.0), (radius, height)], segments=24)
    return Asset(f"Barrel {paint}", join(lathed(profile, paint, 48), *caps), (("UCX", hull),))


def gas_bottle() -> Asset:
    """Return a gas cylinder and its capsule."""
    radius, height = 0.12, 1.35
    shoulder = height - 0.22
    profile = [(0.07, 0.012), *arc((radius - 0.03, 0.05), 0.03, (-60.0, 0.0), 3), (radius, shoulder - 0.12)]
    profile += arc((0.0, shoulder - 0.12), radius, (0.0, 70.0), 6)
    neck = [(0.035, shoulder - 0.01), (0.035, shoulder + 0.05), (0.03, shoulder + 0.06)]
    cap = [(0.05, shoulder + 0.05), *arc((0.0, height - 0.05), 0.05, (0.0, 90.0), 4)]
    body = lathed(profile, ["bottle"] * 4 + ["bottle_shoulder"] * (len(profile) - 5))
    render = join(body, lathed(neck, "dark_metal", 20), lathed(cap, "bottle_shoulder", 20))
    return Asset("Gas bottle", render, (("UCP", capsule(radius, height)),))


def bollard() -> Asset:
    """Return a striped steel bollard and its capsule."""
    radius, height = 0.085, 0.95
    foot = lathed([(0.14, 0.0), (0.14, 0.012), (radius, 0.014)], "dark_metal")
    rings = [(radius, 0.013 + 0.12 * i) for i in range(8)]
    profile = rings + arc((0.0, height - radius), radius, (0.0, 90.0), 6)
    stripes = ["safety_yellow" if i % 2 == 0 else "black" for i in range(7)]
    render = join(foot, lathed(profile, stripes + ["safety_yellow"] * (len(profile) - 8)))
    return Asset("Bollard", render, (("UCP", capsule(radius, height)),))


def traffic_cone() -> Asset:
    """Return a traffic cone and the hull of it."""
    radii = [(0.125, 0.03), (0.098, 0.15), (0.078, 0.24), (0.055, 0.34), (0.038, 0.42), (0.022, 0.49)]
    body = lathed(radii, ["cone", "reflector", "cone", "reflector", "cone"])
    foot = block((0.34, 0.34, 0.03), "black")
    hull = block((0.34, 0.34, 0.49))
    hull.vertices[hull.vertices[:, 2] > 0.0, :2] *= 0.13  # a box whose lid shrinks to the cone's tip
    return Asset("Traffic cone", join(foot, body), (("UCX", hull),))


def lamp(collider_radius: float) -> Asset:
    """Return a pendant lamp that hangs with its rim at the origin, and the ball that stands for its shade."""
    inside = [(0.0, 0.19), (0.1, 0.18), (0.19, 0.09), (0.235, 0.01)]
    outside = [(0.25, 0.0), (0.24, 0.03), (0.2, 0.1), (0.12, 0.19), (0.06, 0.23), (0.045, 0.3)]
    shade = lathed(inside + outside, ["enamel_inside"] * 3 + ["enamel"] * 6)
    bulb = lathed(arc((0.0, 0.075), 0.055, (-90.0, 90.0), 8), "bulb", 20)
    cable = lathed([(0.008, 0.3), (0.008, 3.0)], "black", 8)
    return Asset(
        f"Lamp {collider_radius:g}",
        join(shade, bulb, cable),
        (("USP", sphere(collider_radius, 0.12)), ("UCP", moved(capsule(0.02, 2.7), (0.0, 0.0, 0.3)))),
    )


def rack(bays: int, bay_width: float, levels: Sequence[float], height: float) -> Asset:
    """Return pallet racking along X: a box collider for every post, beam pair and shelf.

    The left face of the first post is at X = 0, the front of the rack at Y = 0; `levels` are the tops of the
    shelves. A shelf and its two beams are one box each.
    """
    pitch = bay_width + POST
    parts: list[Solid] = []
    colliders: list[tuple[str, Solid]] = []
    for i in range(bays + 1):
        x = i * pitch
        for y in (0.0, RACK_DEPTH - POST):
            post = span((x, y, 0.0), (x + POST, y + POST, height))
            colliders.append(("UBX", post))
            parts.append(span((x, y, 0.012), (x + POST, y + POST, height), "rack_blue"))
            foot = ((x - 0.03, y - 0.02, 0.0), (x + POST + 0.03, y + POST + 0.02, 0.012))
            parts.append(span(*foot, "dark_metal"))
            for k in range(int(height / 0.1) - 1):  # the slots that beams hook into
                z = 0.1 + 0.1 * k
                parts.append(block((0.016, 0.002, 0.04), "black", (x + POST / 2, y, z)))
        zigzag = np.linspace(0.15, height - 0.15, 6)
        for k in range(len(zigzag) - 1):
            ends = (POST, RACK_DEPTH - POST)[:: 1 if k % 2 == 0 else -1]
            start, end = (x + POST / 2, ends[0], zigzag[k]), (x + POST / 2, ends[1], zigzag[k + 1])
            parts.append(bar(start, end, 0.04, 0.03, "rack_blue"))
    for i in range(bays):
        left, right = i * pitch + POST, (i + 1) * pitch
        for top in levels:
            shelf = span((left, 0.04, top - 0.03), (right, RACK_DEPTH - 0.04, top), "shelf")
            parts.append(shelf)
            colliders.append(("UBX", shelf))
            for y in (0.0, RACK_DEPTH - 0.05):
                beam = span((left, y, top - 0.15), (right, y + 0.05, top - 0.03), "beam_orange")
                colliders.append(("UBX", beam))
                parts.append(beam)
                for x in (left, right - 0.008):  # the end plates that hook into the posts
                    plate = ((x, y - 0.012, top - 0.2), (x + 0.008, y + 0.062, top - 0.02))
                    parts.append(span(*plate, "beam_orange"))
    return Asset("Rack", join(*parts), tuple(colliders))


def wall_sign(width: float, height: float, colors: tuple[str, str]) -> Asset:
    """Return a flat striped board, 2 cm thick, that stands upright facing -Y."""
    stripes = np.linspace(-width / 2, width / 2, 9)

    def paint(axis: int, side: int, center: NDArray[np.float64]) -> str:
        return colors[int(np.searchsorted(stripes, center[0])) % 2]

    return Asset("Sign", panel_box((stripes.tolist(), (-0.01, 0.01), (0.0, height)), paint))


def wheel(radius: float, width: float) -> Solid:
    """Return a tyre with its rim; its axle lies along Y through the origin."""
    half, rim = width / 2, radius * 0.62
    side = [
        (0.0, half + 0.01), (radius * 0.2, half + 0.01), (radius * 0.22, half - 0.03),
        (rim - 0.01, half - 0.03), (rim, half - 0.01), (radius * 0.9, half), (radius, half * 0.6),
    ]  # fmt: skip
    bands = ["dark_metal", "dark_metal", "rim", "rim", "rubber", "rubber"]
    profile = [(r, -y) for r, y in side] + side[::-1]
    return upright_to(lathed(profile, [*bands, "rubber", *bands[::-1]]), "y")
