# SPDX-License-Identifier: GPL-3.0-or-later
"""Random scenes whose collisions are known in advance.

Each pair of bodies is placed by a point and an outward normal on the surface of each: the normals are made opposite,
and the points are placed a chosen distance apart along them. The planes through the two points prove that the gap is at
least that distance, and the points prove that it is at most that. A negative distance is the penetration depth,
provided that each body contains a ball that touches its surface at its point (`Feature.ball`), and that the sum of the
radii of the two balls is at least the depth: separating the bodies takes at least as much as separating the balls. All
other bodies are far apart, each pair in its own cell.

All numbers come from numpy. Nothing here uses the library that the scenes test.
"""

from dataclasses import dataclass, replace

import numpy as np

from tests.helpers.scene_bodies import MAKERS, UP, Floats, Form, Item, random_rotation, rotation_between, turn, unit

CLEARANCE = 0.05  # the distance of each pair is clearly less or clearly greater
CELL = 7.0  # from one pair to the next


@dataclass(frozen=True)
class Feature:
    """A point of a form's surface, a normal there, and the radius of an inner ball that touches the surface there."""

    point: Floats
    normal: Floats
    ball: float


@dataclass(frozen=True)
class HalfSpace:
    """A half-space: everything below an empty, opposite to its own Z axis."""

    name: str
    normal: Floats
    origin: Floats


@dataclass(frozen=True)
class Truth:
    """The known facts about two bodies. The distance is None if only the verdict is known."""

    a: str
    b: str
    verdict: str  # "penetrating", "contained", "touching", "within_clearance" or "separated"
    distance: float | None


@dataclass(frozen=True)
class Spec:
    """A scene to build. Pairs of bodies without a `Truth` are more than 1 apart."""

    seed: int
    items: tuple[Item, ...]
    half_space: HalfSpace


def face_of(form: Form, rng: np.random.Generator) -> Feature:
    """Return the center of a face of a polytope, with the largest ball that touches it there."""
    face = int(rng.integers(len(form.offsets)))
    point, normal = form.centroids[face], form.normals[face]
    others = form.normals @ normal < 1.0 - 1e-9
    slack = form.offsets[others] - form.normals[others] @ point
    return Feature(point, normal, float((slack / (1.0 - form.normals[others] @ normal)).min()))


def corner_of(form: Form, rng: np.random.Generator) -> Feature:
    """Return a corner of a polytope and a direction in which no other point is farther."""
    normal = unit(rng)
    return Feature(form.core[int((form.core @ normal).argmax())], normal, 0.0)


def round_of(form: Form, rng: np.random.Generator) -> Feature:
    """Return a point on a ball, or on the side or an end of a capsule."""
    normal = unit(rng)
    if len(form.core) == 2 and rng.random() < 0.5:
        along = form.core[1] - form.core[0]
        normal = np.cross(normal, along)
        normal /= np.linalg.norm(normal)
        center = form.core[0] + rng.uniform(0.1, 0.9) * along
    else:
        center = form.core[int((form.core @ normal).argmax())]
    return Feature(center + form.radius * normal, normal, form.radius)


def feature_of(form: Form, rng: np.random.Generator) -> Feature:
    """Return a random feature of a form."""
    if form.radius > 0.0:
        return round_of(form, rng)
    return face_of(form, rng) if rng.random() < 0.6 else corner_of(form, rng)


def joined(a: Item, b: Item, rng: np.random.Generator, relation: str) -> tuple[Item, Item, float]:
    """Place two bodies by a feature of each. Return them, placed about the origin, and their signed distance."""
    while True:
        on_a, on_b = feature_of(a.form, rng), feature_of(b.form, rng)
        if relation != "penetrating":
            break
        deepest = min(on_a.ball + on_b.ball, 0.3)
        if deepest > 0.05:
            break
    distance = {
        "apart": lambda: rng.uniform(0.1, 0.5),
        "near": lambda: rng.uniform(0.005, 0.04),
        "touching": lambda: 0.0,
        "penetrating": lambda: -rng.uniform(0.02, deepest),
    }[relation]()
    turn_a = random_rotation(rng)
    normal = turn_a @ on_a.normal
    turn_b = rotation_between(on_b.normal, -normal, float(rng.uniform(0.0, 2.0 * np.pi)))
    a = replace(a, rotation=turn_a, location=-turn_a @ on_a.point)
    b = replace(b, rotation=turn_b, location=distance * normal - turn_b @ on_b.point)
    return a, b, distance


def crossed(a: Item, b: Item, rng: np.random.Generator, relation: str) -> tuple[Item, Item, float]:
    """Place two boxes with crossing edges in contact.

    Only the 15 axes of two boxes matter. The depth is that of the two edges if no other axis has a smaller one.
    """
    while True:
        turn_a, turn_b = turn(unit(rng), rng.uniform(0.0, 3.0)), turn(unit(rng), rng.uniform(0.0, 3.0))
        i, j = rng.integers(3, size=2)
        normal = np.cross(turn_a[:, i], turn_b[:, j])
        if np.linalg.norm(normal) < 0.3:
            continue
        normal /= np.linalg.norm(normal)
        distance = {"near": 0.02, "touching": 0.0, "penetrating": -0.03}[relation]
        ends = []
        for item, rotation, axis, direction in ((a, turn_a, i, normal), (b, turn_b, j, -normal)):
            half = item.form.offsets[:3]
            # The farthest edge: at any place along its own axis, and at the far side along both other axes.
            place = np.sign(direction @ rotation) * half
            place[axis] = rng.uniform(-0.5, 0.5) * half[axis]
            ends.append(rotation @ place)
        placed_a = replace(a, rotation=turn_a, location=-ends[0])
        placed_b = replace(b, rotation=turn_b, location=distance * normal - ends[1])
        axes = [*turn_a.T, *turn_b.T, *(np.cross(p, q) for p in turn_a.T for q in turn_b.T)]
        unit_axes = np.array([axis / np.linalg.norm(axis) for axis in axes if np.linalg.norm(axis) > 1e-3])
        along_a, along_b = placed_a.core() @ unit_axes.T, placed_b.core() @ unit_axes.T
        gaps = np.maximum(along_b.min(0) - along_a.max(0), along_a.min(0) - along_b.max(0))
        if np.sum(gaps > distance - 0.01) == 1:
            return placed_a, placed_b, distance


def nested(a: Item, b: Item, rng: np.random.Generator) -> tuple[Item, Item, float | None]:
    """Place the second body inside the first. The distance is known if the second is a ball."""
    room = a.form.inner_radius()
    middle = a.form.core.mean(axis=0)
    outer = float(np.linalg.norm(b.form.core, axis=1).max()) + b.form.radius
    shrink = 0.65 * room / outer
    form = replace(b.form, core=b.form.core * shrink, radius=b.form.radius * shrink, offsets=b.form.offsets * shrink)
    offset = middle + rng.uniform(0.0, 0.25) * room * unit(rng)
    turn_a = random_rotation(rng)
    inner = replace(b, form=form, scale=b.scale * shrink, rotation=random_rotation(rng), location=turn_a @ offset)
    distance = None
    if form.kind == "sphere":
        if len(a.form.offsets):
            distance = -float((a.form.offsets - a.form.normals @ offset).min()) - form.radius
        elif a.form.kind == "sphere":
            distance = float(np.linalg.norm(offset)) - a.form.radius - form.radius
    return replace(a, rotation=turn_a), inner, distance


VERDICTS = {
    "apart": "separated",
    "near": "within_clearance",
    "touching": "touching",
    "penetrating": "penetrating",
}


def with_parent(item: Item, rng: np.random.Generator) -> Item:
    """Give some bodies a rotated and scaled parent, without causing shear."""
    roll = rng.random()
    if roll < 0.4:
        return item
    place = item.location + rng.uniform(-1.0, 1.0, 3)
    if roll < 0.7:
        return replace(item, parent=(random_rotation(rng), np.full(3, rng.uniform(0.5, 2.0)), place))
    return replace(item, parent=(item.rotation, rng.uniform(0.5, 2.0, 3), place))


def with_inner_ball(item: Item, distance: float, rng: np.random.Generator) -> Item:
    """Give some bodies with collider names a second collider inside the first, which changes no result.

    The surface of the other body is at `distance` from this one's surface, so a ball with a diameter greater than the
    depth is not inside it.
    """
    radius = 0.5 * item.form.inner_radius()
    if item.said_by != "name" or rng.random() < 0.5 or 2.0 * radius < 0.01 - distance:
        return item
    return replace(item, inner_ball=radius)


def random_scene(seed: int) -> tuple[Spec, tuple[Truth, ...]]:
    """Return a scene of 12 pairs and a tilted half-space with 4 bodies on it, and the known facts about them.

    Parameters
    ----------
    seed : int
        The same seed gives the same scene.

    Returns
    -------
    spec : Spec
        What `build_in_blender` builds.
    truth : tuple of Truth
        One for each pair of bodies that is not far apart.
    """
    rng = np.random.default_rng(seed)
    kinds = list(MAKERS)
    items: list[Item] = []
    truths: list[Truth] = []
    relations = ["apart", "near", "touching", "penetrating", "penetrating", "contained"] * 2
    for cell, relation in enumerate(relations):
        corner = np.array([cell % 4 - 1.5, cell // 4 - 1.0, 0.0])
        crossing = relation in ("near", "touching", "penetrating") and rng.random() < 0.2
        names = [f"{'PQ'[i]}_{cell:02d}" for i in range(2)]
        a, b = (
            MAKERS["box" if crossing else str(rng.choice(kinds))](name, rng, float(rng.uniform(0.7, 1.1)))
            for name in names
        )
        distance: float | None
        if relation == "contained":
            a, b, distance = nested(a, b, rng)
        else:
            a, b, distance = (crossed if crossing else joined)(a, b, rng, relation)
            a, b = (with_inner_ball(item, distance, rng) for item in (a, b))
        items += [with_parent(replace(item, location=item.location + CELL * corner), rng) for item in (a, b)]
        truths.append(Truth(a.name, b.name, VERDICTS.get(relation, relation), distance))

    normal = turn(turn(UP, rng.uniform(0.0, 6.0)) @ np.eye(3)[0], rng.uniform(0.0, 0.4)) @ UP
    lowest = min(float((item.core() @ normal).min()) - item.form.radius for item in items)
    side = np.cross(normal, np.eye(3)[0])
    for i, relation in enumerate(("near", "touching", "penetrating", "contained")):
        item = MAKERS[str(rng.choice(kinds))](f"S_{i:02d}", rng, float(rng.uniform(0.7, 1.1)))
        item = replace(item, rotation=random_rotation(rng))
        place = (lowest - 4.5) * normal + CELL / 2 * (i - 1.5) * side / np.linalg.norm(side)
        down = item.rotation.T @ -normal
        size = item.form.reach(down) + item.form.reach(-down)
        distance = {"near": 0.02, "touching": 0.0, "penetrating": -0.3 * size, "contained": -1.2 * size}[relation]
        items.append(replace(item, location=place + (distance + item.form.reach(down)) * normal))
        truths.append(Truth(item.name, "Ground", VERDICTS.get(relation, relation), distance))
    ground = HalfSpace("Ground", normal, (lowest - 4.5) * normal)
    return Spec(seed, tuple(items), ground), tuple(truths)
