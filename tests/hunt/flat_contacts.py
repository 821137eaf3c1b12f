# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes, triangles and hulls in degenerate positions, each answer checked by a certificate in extended precision.

`run(seed, count)` makes pairs with collinear edges, level faces and tilts down to rounding, of sizes from 1e-6 to 1e6
and up to 1e7 sizes away from the origin. Witnesses and contacts must lie on both surfaces, the normal must show the
distance, no axis may show less overlap, and the candidate axes must hold one as good as the axis named.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

import collision_kit.core as ck
from collision_kit.core.numerics.tolerances import COPLANAR
from tests.hunt.exact_triangles import squared

Floats = NDArray[np.floating[Any]]
Rng = np.random.Generator

# Multiples of the rounding of a pair, sixteen of float64 at its coordinates and its size, that an answer may be off.
ALLOWED = 4.0

# 64 binary digits of significand where the machine has them: certificates round less than what they certify.
_LONG = np.longdouble

# Faces of each form as triangles, and its edges, one of each direction.
_QUADS = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]]
_FORMS: dict[str, tuple[list[list[int]], list[list[int]]]] = {
    "box": (
        [[i, j, k] for p, q, r, s in _QUADS for i, j, k in ((p, q, r), (p, r, s))],
        [[0, 1], [0, 2], [0, 4]],
    ),
    "triangle": ([[0, 1, 2]], [[0, 1], [1, 2], [2, 0]]),
    "tetrahedron": ([[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]], [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]),
    "prism": (
        [[0, 1, 2], [3, 4, 5], [0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4], [2, 0, 3], [2, 3, 5]],
        [[0, 1], [1, 2], [2, 0], [0, 3]],
    ),
}
_SIGNS = np.array([[x, y, z] for z in (-1.0, 1.0) for y in (-1.0, 1.0) for x in (-1.0, 1.0)])


@dataclass(frozen=True)
class Body:
    """A batch of one form: the shapes, and their vertices in extended precision (N, V, 3)."""

    form: str
    shapes: ck.Boxes | ck.Triangles | ck.Hulls
    vertices: Floats

    def row(self, row: int) -> dict[str, Any]:
        """The code that makes this shape again."""
        if isinstance(self.shapes, ck.Triangles):
            return {"kind": "Triangles", "vertices": self.shapes.vertices[row].tolist()}
        if isinstance(self.shapes, ck.Boxes):
            names = "center", "half_extents", "rotation"
            return {"kind": "Boxes"} | {name: getattr(self.shapes, name)[row].tolist() for name in names}
        hull = self.shapes.geometry[self.shapes.index[row]]
        names = "translation", "rotation"
        values = {name: getattr(self.shapes, name)[row].tolist() for name in names}
        return {"kind": "Hulls", "form": self.form, "points": hull.points.tolist()} | values


def shapes_of(made: dict[str, Any]) -> ck.Boxes | ck.Triangles | ck.Hulls:
    """The shape that a failure describes, as a batch of one."""
    if made["kind"] == "Triangles":
        return ck.Triangles([made["vertices"]])
    if made["kind"] == "Boxes":
        return ck.Boxes([made["center"]], [made["half_extents"]], [made["rotation"]])
    return ck.Hulls.from_points([np.array(made["points"])], [made["translation"]], [made["rotation"]])


def wrong(failure: dict[str, Any]) -> str:
    """Check the pair of a failure again; returns the same error if it is there, else any other, or an empty text."""
    case = failure["case"]
    bodies = []
    for made in (case["a"], case["b"]):
        shapes = shapes_of(made)
        if isinstance(shapes, ck.Hulls):
            form, vertices = made["form"], _placed(np.array([made["points"]]), shapes.rotation, shapes.translation)
        else:
            form, vertices = "triangle" if isinstance(shapes, ck.Triangles) else "box", placed(shapes)
        bodies.append(Body(form, shapes, vertices))
    found = [again["what"] for again in _checked(case["family"], *bodies)]
    return failure["what"] if failure["what"] in found else (found[0] if found else "")


def run(seed: int, count: int) -> list[dict[str, Any]]:
    """Try pairs of flat-faced shapes.

    Parameters
    ----------
    seed, count : int
        The same seed and count give the same pairs.

    Returns
    -------
    list of dict
        The failures: the pair and its family, what is wrong, by how much, and how much is allowed.
    """
    return [failure for made in _bodies(seed, count) for failure in _checked(*made)]


def batches(seed: int, count: int) -> Iterator[tuple[Any, Any]]:
    """The pairs of `run`."""
    for _, a, b in _bodies(seed, count):
        yield a.shapes, b.shapes


def _bodies(seed: int, count: int) -> Iterator[tuple[str, Body, Body]]:
    """The family and both bodies of each batch."""
    rng = np.random.default_rng(seed)
    for first in range(0, count, _BATCH):
        family = list(_FAMILIES)[rng.integers(len(_FAMILIES))]
        forms = rng.choice(list(_FORMS), 2)
        yield family, *_FAMILIES[family](rng, min(_BATCH, count - first), *forms)


_BATCH = 100

# Cases of a chunk.
COUNT = 2000


# How pairs are made.


def _turns(rng: Rng, count: int) -> Floats:
    """Rotations (N, 3, 3), some of them quarter turns."""
    q = rng.normal(size=(count, 4))
    few = rng.random(count) < 0.2
    q[few] = np.round(q[few])
    q[~q.any(axis=1)] = 1.0
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    return _matrices(q)


def _matrices(q: Floats) -> Floats:
    """Rotations of unit quaternions (N, 4)."""
    w, x, y, z = q.T
    rows = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
    return np.array(rows).transpose(2, 0, 1)


def _tilts(rng: Rng, count: int) -> Floats:
    """Rotations by 1e-1 to 1e-14, by rounding, or not at all, about an axis or any line."""
    angle = 10.0 ** rng.uniform(-14.0, -1.0, count) * rng.choice([-1.0, 0.0, 1.0], count, p=[0.4, 0.2, 0.4])
    axis = rng.normal(size=(count, 3))
    few = rng.random(count) < 0.4
    axis[few] = np.eye(3)[rng.integers(0, 3, np.count_nonzero(few))]
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    half = angle[:, None] / 2.0
    return _matrices(np.concatenate([np.cos(half), np.sin(half) * axis], axis=1))


def _lengths(rng: Rng, shape: tuple[int, ...]) -> Floats:
    """About one; some a simple number, some thin."""
    result = rng.uniform(0.2, 1.5, shape)
    result = np.where(rng.random(shape) < 0.4, rng.integers(1, 4, shape) / 2.0, result)
    return np.where(rng.random(shape) < 0.08, 10.0 ** rng.uniform(-12.0, -1.0, shape), result)


def _local(rng: Rng, form: str, count: int) -> Floats:
    """Vertices (N, V, 3) of a form with a face in the plane z = 0, the rest below it, and an edge along x from 0 on."""
    along, across, deep = _lengths(rng, (3, count))
    lean = rng.uniform(-0.5, 1.5, count)
    zero = np.zeros(count)
    corner = np.stack([lean * along, across, zero], axis=1)
    base = [np.zeros((count, 3)), np.stack([along, zero, zero], axis=1), corner]
    down = np.stack([zero, zero, -deep], axis=1)
    if form == "box":
        square = [base[0], base[1], np.stack([zero, across, zero], axis=1), np.stack([along, across, zero], axis=1)]
        return np.stack([*(corner + down for corner in square), *square], axis=1)
    if form == "triangle":
        return np.stack(base, axis=1)
    if form == "tetrahedron":
        return np.stack([*base, down + rng.uniform(-1.0, 1.0, (count, 3)) * [1.0, 1.0, 0.0]], axis=1)
    return np.stack([*base, *(corner + down for corner in base)], axis=1)


def _body(form: str, local: Floats, turn: Floats, shift: Floats, hulls: bool) -> Body:
    """The form with these local vertices, turned and moved."""
    if form == "box" and not hulls:
        half, middle = (local[:, 7] - local[:, 0]) / 2.0, (local[:, 7] + local[:, 0]) / 2.0
        shapes = ck.Boxes(shift + np.einsum("nij,nj->ni", turn, middle), half, turn)
        return Body(form, shapes, placed(shapes))
    if form == "triangle" and not hulls:
        triangles = ck.Triangles(shift[:, None] + np.einsum("nij,nkj->nki", turn, local))
        return Body(form, triangles, placed(triangles))
    made = ck.Hulls.from_points(list(local), shift, turn)
    return Body(form, made, _placed(local, made.rotation, made.translation))


def placed(shapes: ck.Boxes | ck.Triangles) -> Floats:
    """The vertices (N, V, 3) of boxes and triangles in extended precision."""
    if isinstance(shapes, ck.Triangles):
        return shapes.vertices.astype(_LONG)
    return _placed(_SIGNS * shapes.half_extents[:, None], shapes.rotation, shapes.center)


def _placed(local: Floats, turn: Floats, shift: Floats) -> Floats:
    return np.einsum("nij,nkj->nki", turn.astype(_LONG), local.astype(_LONG)) + shift.astype(_LONG)[:, None]


def _pair(rng: Rng, forms: tuple[str, str], locals_: tuple[Floats, Floats], turn_b: Floats, shift_b: Floats) -> Any:
    """A where it is and B turned and moved, then both turned, scaled and moved as one."""
    count = len(turn_b)
    size = 10.0 ** rng.uniform(-6.0, 6.0) if rng.random() < 0.5 else 1.0
    far = 10.0 ** rng.uniform(0.0, 7.0) * rng.normal(size=(count, 3)) if rng.random() < 0.3 else np.zeros((count, 3))
    turn = _turns(rng, count)
    place = far * size
    bodies = [
        _body(form, size * local, turned, place + size * np.einsum("nij,nj->ni", turn, shift), bool(rng.random() < 0.2))
        for form, local, turned, shift in (
            (forms[0], locals_[0], turn, np.zeros((count, 3))),
            (forms[1], locals_[1], turn @ turn_b, shift_b),
        )
    ]
    return bodies if rng.random() < 0.5 else bodies[::-1]


def _hinge(rng: Rng, count: int, form_a: str, form_b: str) -> Any:
    """Edges on one line, which share all, half, an end or nothing; B turned about the line by any angle."""
    a, b = _local(rng, form_a, count), _local(rng, form_b, count)
    length_a = a[:, 1:].max(axis=1)[:, 0] if form_a == "box" else a[:, 1, 0]
    angle = rng.choice([0.0, np.pi, np.pi / 2.0, np.pi / 6.0, 1e-3, np.pi - 1e-3], count)
    angle += 10.0 ** rng.uniform(-14.0, 0.0, count) * rng.choice([-1.0, 0.0, 1.0], count)
    half = angle / 2.0
    zero = np.zeros(count)
    turn = _matrices(np.stack([np.cos(half), np.sin(half), zero, zero], axis=1))
    share = rng.choice([0.0, 0.5, 1.0, -0.25], count) + rng.choice([0.0, 1e-9, 0.1], count) * rng.normal(size=count)
    share[rng.random(count) < 0.2] = 0.0
    shift = np.zeros((count, 3))
    shift[:, 0] = share * length_a
    few = rng.random(count) < 0.3
    shift[few] += 10.0 ** rng.uniform(-14.0, -1.0, (count, 1))[few] * rng.normal(size=(np.count_nonzero(few), 3))
    return _pair(rng, (form_a, form_b), (a, b), _tilts(rng, count) @ turn if rng.random() < 0.3 else turn, shift)


def _level(rng: Rng, count: int, form_a: str, form_b: str) -> Any:
    """Faces on each other, nearly parallel: from apart by a little to deep, aligned by an angle or not at all."""
    a, b = _local(rng, form_a, count), _local(rng, form_b, count)
    spin = rng.choice([0.0, np.pi / 2.0, np.pi], count) + np.where(rng.random(count) < 0.3, rng.uniform(0, 7, count), 0)
    zero = np.zeros(count)
    half = spin / 2.0
    turn = _matrices(np.stack([np.cos(half), zero, zero, np.sin(half)], axis=1))
    over = np.broadcast_to(np.diag([1.0, -1.0, -1.0]), turn.shape)
    turn = _tilts(rng, count) @ turn @ np.where((rng.random(count) < 0.7)[:, None, None], over, np.eye(3))
    shift = rng.uniform(-1.0, 1.0, (count, 3))
    simple = rng.random((count, 3)) < 0.4
    shift = np.where(simple, rng.integers(-2, 3, (count, 3)) / 4.0, shift)
    shift[:, 2] = rng.choice([0.0, 1e-9, 1e-3, 0.1, 0.5], count) * rng.uniform(-1.0, 0.3, count)
    return _pair(rng, (form_a, form_b), (a, b), turn, shift)


def _grid(rng: Rng, count: int, form_a: str, form_b: str) -> Any:
    """Corners on a small grid, coplanar as often as not, turned at random."""
    bodies = []
    for form in (form_a, form_b):
        local = _local(rng, form, count)
        if form != "box":
            local = rng.integers(-3, 4, local.shape) / 5.0
            local[:, :, 2] *= rng.random((count, 1)) < 0.4
        if form == "prism":
            local[:, 3:] = local[:, :3] + rng.integers(-2, 3, (count, 1, 3)) / 5.0
        bodies.append(local)
    turn = np.broadcast_to(np.eye(3), (count, 3, 3))
    turn = _tilts(rng, count) if rng.random() < 0.3 else turn
    return _pair(rng, (form_a, form_b), (bodies[0], bodies[1]), turn, rng.integers(-2, 3, (count, 3)) / 5.0)


def _shared(rng: Rng, count: int, form_a: str, form_b: str) -> Any:
    """One vertex, edge or face in common, the rest anywhere."""
    a, b = _local(rng, form_a, count), _local(rng, form_b, count)
    turn = _turns(rng, count)
    at = rng.integers(0, a.shape[1], count), rng.integers(0, b.shape[1], count)
    rows = np.arange(count)
    shift = a[rows, at[0]] - np.einsum("nij,nj->ni", turn, b[rows, at[1]])
    few = rng.random(count) < 0.3
    shift[few] += 10.0 ** rng.uniform(-14.0, -1.0, (count, 1))[few] * rng.normal(size=(np.count_nonzero(few), 3))
    return _pair(rng, (form_a, form_b), (a, b), turn, shift)


_FAMILIES: dict[str, Callable[[Rng, int, str, str], Any]] = {
    "hinge": _hinge,
    "level": _level,
    "grid": _grid,
    "shared": _shared,
}


# What must be true of the answers.


def _checked(family: str, a: Body, b: Body) -> list[dict[str, Any]]:
    """The failures among these pairs."""
    # Seen from A, so that nothing is lost far from the origin.
    origin = a.vertices[:, :1]
    near = [Body(body.form, body.shapes, body.vertices - origin) for body in (a, b)]
    found = ck.distance(a.shapes, b.shapes)
    contacts = ck.contacts(a.shapes, b.shapes)
    errors = _distance_errors(*near, found, origin[:, 0]) | _contact_errors(*near, contacts, origin[:, 0])
    errors |= _axis_errors(*near, found)
    failures = []
    size = sum(np.sqrt(((body.vertices - body.vertices[:, :1]) ** 2).sum(axis=2)).max(axis=1) for body in near)
    hulls = any(isinstance(body.shapes, ck.Hulls) for body in near)
    for name, error in errors.items():
        allowed = ALLOWED * found.rounding
        if hulls and name.startswith("contact off"):
            # Of a hull faces that are level but for so much are one.
            allowed = allowed + COPLANAR * size.astype(np.float64)
        for row in np.flatnonzero(~(error <= allowed)):
            at = int(row)
            if name.startswith(("witness of", "contact off")) and np.isfinite(error[at]):
                # Of slivers the planes of faces are rounding even with more digits.
                error[at] = _off_exactly(name, a, b, found, contacts, at)
                if error[at] <= allowed[at]:
                    continue
            failures.append(
                {
                    "what": f"{name}: {type(a.shapes).__name__} and {type(b.shapes).__name__}",
                    "case": {"family": family, "a": a.row(at), "b": b.row(at)},
                    "error": float(error[at]),
                    "allowed": float(allowed[at]),
                    "distance": float(found.distance[at]),
                    "size": float(size[at]),
                }
            )
    return failures


def _distance_errors(a: Body, b: Body, found: ck.Distances, origin: Floats) -> dict[str, Floats]:
    """Return how far witnesses, normal, distance and depth are off."""
    distance, normal = found.distance.astype(_LONG), found.normal.astype(_LONG)
    on_a, on_b = found.point_a - origin, found.point_b - origin
    best = largest_gap(a, b)
    return {
        "witness of A off its surface": off_surface(a, on_a[:, None])[:, 0],
        "witness of B off its surface": off_surface(b, on_b[:, None])[:, 0],
        "witnesses": np.abs(on_b - on_a - distance[:, None] * normal).max(axis=1),
        "normal": np.abs(np.sqrt((normal * normal).sum(axis=1)) - 1.0) * found.rounding * 2.0**47,
        "gap along the normal": np.abs(_gap(a, b, normal[:, None])[:, 0] - distance),
        "depth": np.where(distance < 0.0, best - distance, 0.0),
        "overlap": np.where(ck.overlap(a.shapes, b.shapes) == (found.distance <= found.rounding), 0.0, np.inf),
    }


def _contact_errors(a: Body, b: Body, contacts: ck.Contacts, origin: Floats) -> dict[str, Floats]:
    """Return how far contacts are off the surfaces, and pairs without a contact that overlap."""
    count = len(origin)
    has = np.bincount(contacts.pair, minlength=count) > 0
    result = {"contact": np.where(has == ck.overlap(a.shapes, b.shapes), 0.0, np.inf)}
    half = contacts.normal.astype(_LONG) * contacts.depth[:, None] / 2.0
    seen = contacts.point - origin[contacts.pair]
    for name, body, point in (("A", a, seen + half), ("B", b, seen - half)):
        part = Body(body.form, body.shapes, body.vertices[contacts.pair])
        off = np.zeros(count)
        np.maximum.at(off, contacts.pair, off_surface(part, point[:, None])[:, 0].astype(np.float64))
        result[f"contact off the surface of {name}"] = off
    return result


def _off_exactly(name: str, a: Body, b: Body, found: ck.Distances, contacts: ck.Contacts, row: int) -> float:
    """Return how far the witness of a pair, or any of its contacts, is off the surface that is named, in fractions."""
    first = "of A" in name
    body = a if first else b
    if name.startswith("witness"):
        points = [_fractions((found.point_a if first else found.point_b)[row])]
    else:
        points = []
        for at in np.flatnonzero(contacts.pair == row):
            half = Fraction(float(contacts.depth[at])) / (2 if first else -2)
            place, normal = _fractions(contacts.point[at]), _fractions(contacts.normal[at])
            points.append([x + half * y for x, y in zip(place, normal, strict=True)])
    vertices = _exact_vertices(body.row(row))
    worst = Fraction(0)
    for point in points:
        seen = [[x - y for x, y in zip(vertex, point, strict=True)] for vertex in vertices]
        worst = max(worst, min(squared(*(seen[k] for k in face)) for face in _FORMS[body.form][0]))
    return float(worst) ** 0.5


def _exact_vertices(made: dict[str, Any]) -> list[list[Fraction]]:
    """The vertices of the shape that a failure describes, without rounding."""
    if made["kind"] == "Triangles":
        return [_fractions(corner) for corner in made["vertices"]]
    turn = [_fractions(row) for row in made["rotation"]]
    if made["kind"] == "Boxes":
        place, half = _fractions(made["center"]), _fractions(made["half_extents"])
        local = [[int(sign) * size for sign, size in zip(signs, half, strict=True)] for signs in _SIGNS]
    else:
        place, local = _fractions(made["translation"]), [_fractions(point) for point in made["points"]]
    return [
        [x + sum(y * z for y, z in zip(row, point, strict=True)) for x, row in zip(place, turn, strict=True)]
        for point in local
    ]


def _fractions(numbers: Any) -> list[Fraction]:
    return [Fraction(float(number)) for number in numbers]


def _axis_errors(a: Body, b: Body, found: ck.Distances) -> dict[str, Floats]:
    """Return how far the axis named shows another gap, and how much better it is than all candidates."""
    axes, candidates = ck.separating_axis(a.shapes, b.shapes), ck.candidate_axes(a.shapes, b.shapes)
    shown = _gap(a, b, axes.axis.astype(_LONG)[:, None])[:, 0]
    return {
        "gap of the axis named": np.abs(shown - axes.gap),
        "axis named, of a pair apart": np.where(
            (found.distance > 2.0 * found.rounding) & (axes.gap <= 0.0), np.inf, 0.0
        ),
        "axis named, beyond the distance": axes.gap - found.distance,
        "candidates": axes.gap - candidates.gap[candidates.best],
    }


def _gap(a: Body, b: Body, axes: Floats) -> Floats:
    """Least of B minus greatest of A along each axis: (N, K, 3) -> (N, K)."""
    low = np.einsum("nki,nvi->nkv", axes, b.vertices).min(axis=2)
    return low - np.einsum("nki,nvi->nkv", axes, a.vertices).max(axis=2)


def largest_gap(a: Body, b: Body) -> Floats:
    """Of shapes that overlap, minus the depth: the largest gap over the normals of faces and all pairs of edges."""
    axes = []
    for body in (a, b):
        faces = np.array(_FORMS[body.form][0])
        p, q, r = (body.vertices[:, faces[:, k]] for k in range(3))
        axes.append(_cross(q - p, r - p))
    edges = [np.array(_FORMS[body.form][1]) for body in (a, b)]
    runs = [
        body.vertices[:, edge[:, 1]] - body.vertices[:, edge[:, 0]] for body, edge in zip((a, b), edges, strict=True)
    ]
    scale = (runs[0] ** 2).sum(axis=2)[:, :, None] * (runs[1] ** 2).sum(axis=2)[:, None]
    crosses = _cross(runs[0][:, :, None], runs[1][:, None])
    # Nearer to parallel there is nothing but rounding.
    crosses[(crosses**2).sum(axis=3) <= 1e-30 * scale] = 0.0
    axes.append(crosses.reshape(len(crosses), -1, 3))
    every = np.concatenate(axes, axis=1)
    length = np.sqrt((every**2).sum(axis=2))[..., None]
    every = np.where(length > 0.0, every / np.where(length > 0.0, length, 1.0), 0.0)
    gaps = np.maximum(_gap(a, b, every), _gap(a, b, -every))
    return np.where(length[..., 0] > 0.0, gaps, -np.inf).max(axis=1)


def off_surface(body: Body, points: Floats) -> Floats:
    """Distance of points (N, K, 3) from the surface of their shape: (N, K)."""
    faces = np.array(_FORMS[body.form][0])
    p, q, r = (body.vertices[:, None, faces[:, k]] for k in range(3))
    from_p = points[:, :, None] - p
    best = np.full(from_p.shape[:3], np.inf, dtype=_LONG)
    for start, end in ((p, q), (q, r), (r, p)):
        along, spoke = end - start, points[:, :, None] - start
        square = (along * along).sum(axis=3)
        t = np.clip((spoke * along).sum(axis=3) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
        away = spoke - t[..., None] * along
        best = np.minimum(best, (away * away).sum(axis=3))
    normal = _cross(q - p, r - p)
    area = (normal * normal).sum(axis=3)
    safe = np.where(area > 0.0, area, 1.0)
    one = (_cross(from_p, r - p) * normal).sum(axis=3) / safe
    other = (_cross(q - p, from_p) * normal).sum(axis=3) / safe
    within = (area > 0.0) & (one >= 0.0) & (other >= 0.0) & (one + other <= 1.0)
    height = (from_p * normal).sum(axis=3) ** 2 / safe
    return np.sqrt(np.where(within, np.minimum(best, height), best).min(axis=2))


def _cross(a: Floats, b: Floats) -> Floats:
    """Cross products in the precision of what they are of."""
    x, y, z = np.moveaxis(a, -1, 0)
    u, v, w = np.moveaxis(b, -1, 0)
    return np.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=-1)
