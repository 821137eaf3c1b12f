# SPDX-License-Identifier: GPL-3.0-or-later
"""Bad values for every type of argument, made from a good one, each with part of its error message."""

import numpy as np

import collision_kit.core as ck
from collision_kit.core import planar
from collision_kit.core.planar.world import World as PlanarWorld

BALLS = ck.Spheres(np.eye(3), np.ones(3))
DISCS = planar.Circles(np.eye(3)[:, :2], np.ones(3))

NOTHING_LIKE_NUMBERS = [
    "here",
    {"a": 1},
    [[1, 2], [3]],
    [object()],
    np.array(["1.0", "2.0"]),
    np.array(["1", "2"], dtype=object),
    np.array([None, "2"]),
    np.ma.masked,
    [1.0, np.ma.masked],
]
NO_NUMBERS = [*NOTHING_LIKE_NUMBERS, None]


# Other representations with the same numbers, made from an array.
SAME = {
    "list": lambda value: value.tolist(),
    "objects": lambda value: value.astype(object),
    "nothing masked": np.ma.array,
    "read-only": lambda value: np.broadcast_to(value, value.shape),
    "other bytes": lambda value: value.astype(value.dtype.newbyteorder()),
    "strided": lambda value: np.repeat(value, 2, axis=0)[::2],
    "Fortran": np.asfortranarray,
}


def swapped(value, row, number):
    """A copy of the array with one whole row replaced."""
    result = np.array(value, dtype=np.float64)
    result[row] = number
    return result


def masked(value):
    """A copy of the array with the last entry of row 1 masked."""
    result = np.ma.array(value, copy=True)
    result[(1, *(-1 for _ in result.shape[1:]))] = np.ma.masked
    return result


def each(*values):
    yield from ((value, "") for value in values)


def optional(sort):
    """A type of argument that may also be None."""

    def bad(value):
        yield from ((wrong, says) for wrong, says in sort(value) if wrong is not None)

    return bad


def per_row(sort):
    """A type of argument with one row for each of three shapes or pairs."""

    def bad(value):
        yield from sort(value)
        yield from each(value[:2], np.concatenate([value, value]))

    return bad


def numbers(value):
    """Finite numbers."""
    yield from each(*NOTHING_LIKE_NUMBERS)
    yield np.array(value, dtype=complex), "not an array of numbers"
    yield np.array(value, dtype=str), "not an array of numbers"
    yield np.array(value, dtype=str).astype(object), "not an array of numbers"
    yield masked(value), "row 1 is masked"
    yield [*value[:1], *masked(value)[1:]], "row 1 is masked"
    yield swapped(value, 1, np.nan), "row 1 is not finite"
    yield swapped(value, 0, np.inf), "row 0 is not finite"


def points(value):
    yield from numbers(value)
    yield None, ""
    yield value[..., :1], "shape"
    yield value[None], "shape"


def coordinates(value):
    """Coordinates of shapes, which have a limited range."""
    yield from points(value)
    yield swapped(value, 1, -1e200), "row 1 is out of range"


def sizes(value):
    yield from numbers(value)
    yield None, ""
    yield value[None], "shape"
    yield swapped(value, 1, -1.0), "row 1 is negative"
    yield swapped(value, 1, 1e200), "row 1 is out of range"
    yield swapped(value, 1, 1e-200), "row 1 is out of range"


def rotations(value):
    yield from points(value)
    yield 1.1 * value, "row 0 is not a rotation"
    yield swapped(value, 1, 1e300), "row 1 is not a rotation"
    yield swapped(value, 1, np.diag([1.0, 1.0, -1.0])), "row 1 is a reflection"
    yield swapped(value, 2, np.zeros((3, 3))), "row 2 is not a rotation"


def square(value):
    """One square matrix."""
    yield from numbers(value)
    yield from each(None, value[:2], value[None])


def regular(value):
    yield from square(value)
    yield from each(0.0 * value)


def scalars(value):
    """One number."""
    yield from each(*NO_NUMBERS, np.nan, [0.1, 0.2], [0.1], 1j, "0.1")


def fractions(value):
    yield from scalars(value)
    yield from each(-1.0)


def one_length(value):
    yield from fractions(value)
    yield from each(np.inf, 1e200)


def levels(value):
    """Lengths: one for all, or one for each of three pairs."""
    yield from each(*NO_NUMBERS, -1.0, np.nan, np.inf, 1e200, 1j, [0.1, 0.2], [[0.1]], [])
    yield [0.1, -0.1, 0.1], "row 1"
    yield [0.1, 0.1, np.nan], "row 2"


def limits(value):
    """Lengths that may be infinite: one for all, or one for each of three rays."""
    yield from each(*NO_NUMBERS, -1.0, np.nan, 1j, [0.1, 0.2], [[0.1]], [])
    yield [0.1, -0.1, 0.1], "row 1"


def counts(value):
    yield from each(*NO_NUMBERS, -1, np.nan, [6, 7], 1j, 4.5, "6")


def at_most_two(value):
    """A row of three."""
    yield from each(*NO_NUMBERS, -1, np.nan, [6, 7], 1j, 4.5, "6", 10**6)


def at_least_one(value):
    yield from counts(value)
    yield from each(0)


def finite(value):
    """One number of any sign."""
    yield from scalars(value)
    yield from each(np.inf, -np.inf)


def finite_fractions(value):
    yield from fractions(value)
    yield from each(np.inf)


def two_sides(value):
    """Integers for the rows of A and for the rows of B."""
    yield from each(*NOTHING_LIKE_NUMBERS, 3, value[:1], [*value, value[0]], (value[0], None), (value[0], "abc"))
    yield from each((value[0], value[1] + 0.5), (value[0], value[1][:2]), (value[0][None], value[1]))


def pairs(value):
    yield from each(*NO_NUMBERS)
    yield [[0.0, 1.0]], "integers"
    yield [[0, 1, 2]], "shape"
    yield [0, 1], "shape"
    yield [[0, 1], [0, 3]], "row 1"
    yield [[-1, 0]], "row 0"
    yield [[True, False]], "integers"
    # Masks of all pairs, which would be interpreted as rows 0 and 1.
    yield [True, False, True], "bool"
    yield np.zeros(0, bool), "bool"
    yield [[0, np.nan]], "integers"


def rows(value):
    yield from each(*NO_NUMBERS, [[0]])
    yield [0.0, 1.0], "integers"
    yield [0, 99, 1], "row 1"
    yield [-1, 0, 0], "row 0"
    yield [True, False, True], "bool"
    yield [True], "bool"
    yield np.zeros(0, bool), "bool"


def selected(value):
    """Rows to take from three: indices, a mask or a slice."""
    yield from each(*NO_NUMBERS, [[0]], True, slice("a", None))
    yield [0.0, 1.0], "integers"
    yield [0.5], "integers"
    yield [0, 99, 1], "row 1 is 99"
    yield [0, 2, -4], "row 2 is -4"
    yield np.array([0, 2, 3]), "row 2 is 3"
    yield np.array([-4]), "row 0 is -4"
    yield np.array([2**63], np.uint64), "row 0"
    yield [True, False], "mask of shape (2,), but there are 3 rows"
    yield np.ones(4, bool), "mask of shape (4,)"
    yield np.ones((3, 1), bool), "mask of shape (3, 1)"
    yield np.zeros(0, bool), "mask of shape (0,)"
    yield np.ma.array([0, 1], mask=[False, True]), "row 1 is masked"


def integers(value):
    yield from each(*NOTHING_LIKE_NUMBERS, [[0]], [0.0, 1.0, 2.0], [0, 1])


def faces(value):
    yield from each(*NO_NUMBERS, [], [[0, 1]], [0, 1, 2])
    yield [[0.0, 1.0, 2.0]], "integers"
    yield [[0, 1, 2], [0, 1, 99]], "row 1"
    yield [[0, 1, -1]], "row 0"


def corners(value):
    """Triangles of a mesh that may have none."""
    yield from ((wrong, says) for wrong, says in faces(value) if not (isinstance(wrong, list) and not wrong))


def bounds(value):
    yield from each(*NO_NUMBERS, value.astype(complex), value.astype(str), value[:, :1], value[:2])
    yield swapped(value, 1, np.nan), "row 1"


def batch(value):
    """A batch of shapes of one kind."""
    yield from each(3, None, "balls", [], [value], np.eye(3))
    yield BALLS if isinstance(value, planar.Circles) else DISCS, ""


def parts(value):
    """Several batches, or other objects with rows, of one class."""
    yield from each(3, None, "balls", [], [3], [*value, np.eye(3)], [*value, DISCS])


def shapes(value):
    yield from batch(value)
    if not isinstance(value, planar.Circles):
        yield PlanarWorld([DISCS]), ""


def primitive(value):
    yield from batch(value)
    yield from each(BALLS, ck.HalfSpaces([[0, 0, 1]], [0]))


def batches(value):
    yield from each(3, None, BALLS, [3], [None], {}, np.array(3))
    yield [BALLS, DISCS], "row 1"


def flat_batches(value):
    yield from each(3, None, DISCS, [3], [None], {}, np.array(3), [DISCS, BALLS])


def margins(value):
    yield from ((wrong, says.removesuffix(" is not finite")) for wrong, says in numbers(value))
    yield value[None], "shape"
    yield swapped(value, 1, -1.0), "row 1"


def bodies(value):
    yield from each(3, None, BALLS, [3], [None], [[3]] * 3, [[]] * 3, {}, np.array(3))
    yield [[BALLS], [DISCS], [BALLS]], "body 1"


def materials(value):
    yield from each(3, "rubber", [0.5, 0.5, 0.5], ck.Materials([0.5, 0.5]))


def choice(value):
    yield from each(None, 3, "sideways")


def flags(value):
    """True or False."""
    yield from each(None, "yes", 3, 0.5, [True], np.array([True, False]))


def solid(value):
    yield from each(None, 3, "sideways", [[1, 2], [3]], [1, 0, 1], [True, False], [[True]])


def sets(value):
    """Sequences of point sets."""
    yield from each(3, None, [3], [None], [[]], [value[0].astype(complex)], [value[0][:, :1]], "here", np.array(3), {})
    yield [value[0], swapped(value[0], 1, np.nan)], "row 1"


def hulls(value):
    """Sequences of hulls that have a volume."""
    yield from each(3, None, [], [3], [None], "here", np.array(3), {})
    yield [value[0], ck.convex_hull([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])], "1"


def meshes(value):
    (vertices, triangles), *_ = value
    yield from each(3, None, [3], [None], [vertices], [(vertices,)], [(vertices, triangles, 3)])
    yield [(swapped(vertices, 1, np.nan), triangles)], "row 1"
    yield [(vertices, triangles + 2)], "row"


def regions(value):
    (outline, holes), *_ = value
    yield from each(3, None, [3], [None], [outline], [(outline,)], [(outline, 3)], [(outline, None)])
    yield [(swapped(outline, 1, np.nan), holes)], "row 1"


def geometries(value):
    yield from each(3, None, [np.eye(3)], [], {}, np.array(3), {value[0]})
    yield [value[0], None, value[0]], "row 1"
    yield [value[0], 3, value[0]], "row 1"


def hull(value):
    yield from each(3, None, np.eye(3), BALLS)


def kind(value):
    yield from each(None, "sphere", ck.Kind.PLANE, 3.5)


def kinds(value):
    yield from each(None, 3, [], ["sphere"], [ck.Kind.MESH])


def other(value):
    """Any argument that must be of a specific type."""
    yield from each(-3, "other", [1.0])


def known(value):
    yield from other(value)
    yield ck.distance(BALLS, BALLS, [[0, 1]]), "rows"
