# SPDX-License-Identifier: GPL-3.0-or-later
"""Hostile arguments of everything public: each call answers, or raises one error that names the argument; none warns.

A case is the name of a call, an argument of it, and the steps by which a bad value was made of a good one.
"""

import copy
import random
import re
import warnings
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

import collision_kit.core as ck
from tests.helpers.argument_table import BALLS, BOX, CUBE, DISCS, FACES, TABLE

COUNT = 5000

NUMBERS = [
    0.0, -0.0, 1.0, -1.0, 2.0, 3.0, 1e-320, 1e-300, -1e-160, 1e-60, 1e-45, 1e-9, 0.1, 1e9, 1e38, 3.5e38, 1e49, 1e51,
    1e100, 1e139, 1e141, -1e200, 1e300, -1e308, np.nan, np.inf, -np.inf,
]  # fmt: skip
OBJECTS: list[Any] = [
    10**400, -(10**30), Fraction(1, 3), Decimal("1e400"), Decimal("sNaN"), None, "1", b"1", "x", 1j, object(), [],
    [1.0], {}, np.ma.masked, np.array([1.0, 2.0]), np.float16(1.0), np.float32(0.5), np.datetime64("2020-01-01"),
    np.longdouble("1e4000"), True, lambda: 1,
]  # fmt: skip
WHOLE: list[Any] = [
    *NUMBERS, *OBJECTS, 0, 1, -1, 3, 2**31, 2**63, -(2**64), (), set(), {1, 2}, range(3), "sideways", np.array(3),
    np.array("3"), np.zeros((0, 3)), np.zeros((3, 0)), np.zeros((2, 3, 4)), np.array([[1, 2], [3]], dtype=object),
    np.zeros(3, dtype="f4,i4"), BALLS, DISCS, BOX, [BALLS], [[BALLS]], CUBE, FACES, (CUBE, FACES), ck.Kind.SPHERE,
    ck.Kind.MESH, int, np.ndarray, Ellipsis, slice(3), NotImplemented, "auto", b"auto", ck.convex_hull(CUBE),
    ck.World([BALLS]), np.random.default_rng(1), memoryview(b"abc"),
]  # fmt: skip
TYPES = [
    "f2", "f4", "g", ">f8", "i1", "i8", "u1", "u8", ">i4", "?", "c16", "O", "U", "S", "M8[s]", "m8[s]", "V8",
]  # fmt: skip
FORMS: list[Callable[[Any], Any]] = [
    lambda v: v.tolist(), lambda v: tuple(v.tolist()) if v.ndim else v, lambda v: iter(v), lambda v: v[None],
    lambda v: v[:0], lambda v: v[:1], lambda v: v[:-1], lambda v: v[..., :1], lambda v: v[..., :-1], lambda v: v[::-1],
    lambda v: v.T, lambda v: v.ravel(), lambda v: np.concatenate([v, v]), lambda v: np.repeat(v, 2, axis=-1),
    lambda v: v.reshape(-1)[0], lambda v: np.squeeze(v), list, lambda v: np.asfortranarray(v),
    lambda v: np.broadcast_to(v, (3, *v.shape)), lambda v: np.matrix(v) if v.ndim == 2 else v, lambda v: np.ma.array(v),
    lambda v: v.reshape(-1, 1), lambda v: np.stack([v, v], axis=-1), lambda v: {"a": v}, lambda v: v * 1e50,
    lambda v: v * 1e-50, lambda v: v * 1e150, lambda v: v * 1e-200, lambda v: v * 0.0, lambda v: -v,
    lambda v: np.roll(v, 1, axis=-1),
]  # fmt: skip
LISTS: list[Callable[[list[Any]], Any]] = [
    tuple, iter, lambda v: v[:-1], lambda v: v[::-1], lambda v: v * 2, lambda v: [v],
    lambda v: np.array([*v, None], dtype=object)[:-1], lambda v: dict(enumerate(v)), lambda v: v[:0], lambda v: v[0],
    lambda v: {i: i for i in range(len(v))},
]  # fmt: skip

Step = list[Any]


def run(seed: int, count: int) -> list[dict[str, Any]]:
    """Make so many calls; see `__main__` for what is returned."""
    failures = []
    for number in range(count):
        chance = random.Random(f"{seed} {number}")
        call = chance.choice([*TABLE])
        steps = [[chance.choice(["whole", "put", "object", "mask", "type", "form", "form"]), chance.randrange(1 << 16),
                  chance.randrange(1 << 16)] for _ in range(chance.choice([1, 1, 2, 3]))]  # fmt: skip
        failure = {"what": "", "case": {"call": call, "field": chance.choice([*TABLE[call][1]]), "steps": steps}}
        failure["what"] = wrong(failure)
        if failure["what"]:
            failures.append(failure)
    return failures


def wrong(failure: dict[str, Any]) -> str:
    """Make the call of a failure again; returns the errors."""
    name, field = failure["case"]["call"], failure["case"]["field"]
    call, table = TABLE[name]
    good = {other: value for other, (value, _) in table.items() if value is not None or other == field}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what the steps do to the value
        value = made(good[field], failure["case"]["steps"])
    before = copy.deepcopy(value) if isinstance(value, np.ndarray) and not value.dtype.hasobject else None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            call(**{**good, field: value})
    except ck.UnsupportedPair:  # which names the kinds
        return ""
    except (ValueError, TypeError) as error:
        if re.search(rf"\b{field}\b", str(error)) or _names_its_partner(table, str(error)):
            return ""
        return f"{name}, {field}: {type(error).__name__} without its name: {re.sub(r'[0-9.]+', 'N', str(error))[:80]}"
    except Exception as error:
        return f"{name}, {field}: {type(error).__name__}: {re.sub(r'[0-9.]+', 'N', str(error))[:80]}"
    if before is not None and before.tobytes() != value.tobytes():
        return f"{name}, {field}: it is changed"
    return f"{name}, {field}: masked entries are taken" if _is_masked(value) else ""


def made(value: Any, steps: list[Step]) -> Any:
    """A value after some steps; those that cannot be done to it are left out."""
    for step, which, place in steps:
        try:
            value = _after(value, step, which, place)
        except Exception:
            continue
    return value


def _after(value: Any, step: str, which: int, place: int) -> Any:
    if step == "whole":
        return WHOLE[which % len(WHOLE)]
    if isinstance(value, list | tuple) and not all(isinstance(one, int | float) for one in value):
        if step == "form":
            return LISTS[which % len(LISTS)](list(value))
        # The same to one of its entries.
        result = list(value)
        at = place % len(result)
        result[at] = OBJECTS[which % len(OBJECTS)] if step == "object" else _after(result[at], step, which, place >> 3)
        return type(value)(result)
    given = np.asanyarray(value)
    match step:
        case "put" | "object":
            values = NUMBERS if step == "put" else OBJECTS
            result = given.astype(object if step == "object" else np.float64)
            result.reshape(-1)[place % result.size : place % result.size + 1][0:1].fill(values[which % len(values)])
            return result if given.ndim else result[()]
        case "mask":
            result = np.ma.array(given, copy=True)
            result[np.unravel_index(place % given.size, given.shape)] = np.ma.masked
            return result
        case "type":
            return given.astype(TYPES[which % len(TYPES)])
    return FORMS[which % len(FORMS)](given)


def _names_its_partner(table: dict[str, Any], text: str) -> bool:
    """Whether an error names another argument, with which the bad one does not go together."""
    return any(re.search(rf"\b{field}\b", text.partition(":")[0]) for field in table)


def _is_masked(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(_is_masked(one) for one in value)
    return isinstance(value, np.ma.MaskedArray) and bool(np.ma.is_masked(value))
