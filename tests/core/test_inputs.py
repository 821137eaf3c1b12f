# SPDX-License-Identifier: GPL-3.0-or-later
"""Any error in an argument of a public function raises one clear error that names it: one table of all."""

import inspect
import re
from enum import Enum

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core import fit, planar
from collision_kit.core.continuous.motion import RigidMotion
from collision_kit.core.shapes.batch import Batch
from collision_kit.core.shapes.bounded import Geometries
from tests.helpers import bad_inputs as bad
from tests.helpers.argument_table import CORNERS, FACES, TABLE

pytestmark = pytest.mark.filterwarnings("error")

BALLS = bad.BALLS
ARGUMENTS = [pytest.param(name, field, id=f"{name}-{field}") for name, (_, given) in TABLE.items() for field in given]


@pytest.mark.parametrize("name", TABLE)
def test_what_is_good_is_taken(name):
    call, given = TABLE[name]
    call(**{field: value for field, (value, _) in given.items() if value is not None})


@pytest.mark.parametrize(("name", "field"), ARGUMENTS)
def test_what_is_bad_raises_one_error_that_names_it(name, field):
    call, given = TABLE[name]
    good = {other: value for other, (value, _) in given.items() if value is not None}
    value, sort = given[field]
    failed = []
    for wrong, says in sort(value):
        try:
            call(**{**good, field: wrong})
            failed.append(f"{wrong!r}: nothing raised")
        except (ValueError, ck.UnsupportedPair) as error:
            named = re.search(rf"\b{field}\b", str(error))
            if not named or says not in str(error):
                failed.append(f"{wrong!r}: {error}")
        except Exception as error:
            failed.append(f"{wrong!r}: {type(error).__name__}: {error}")
    assert not failed, "\n".join(failed)


def is_numeric(value):
    return isinstance(value, np.ndarray) or (isinstance(value, list) and type(value[0]) in (int, float))


@pytest.mark.parametrize("form", bad.SAME)
def test_the_same_numbers_in_another_form_are_taken(form):
    refused = {}
    for name, (call, given) in TABLE.items():
        good = {field: value for field, (value, _) in given.items() if value is not None}
        for field in (field for field, value in good.items() if is_numeric(value)):
            try:
                call(**{**good, field: bad.SAME[form](np.asarray(good[field]))})
            except Exception as error:
                refused[f"{name}-{field}"] = f"{type(error).__name__}: {error}"
    assert refused == {}


def test_masked_entries_are_refused_everywhere():
    taken = {}
    for name, (call, given) in TABLE.items():
        good = {field: value for field, (value, _) in given.items() if value is not None}
        for field in (field for field, value in good.items() if is_numeric(value)):
            try:
                call(**{**good, field: bad.masked(good[field])})
            except ValueError as error:
                if re.search(rf"\b{field}\b.* masked", str(error)):
                    continue
                taken[f"{name}-{field}"] = str(error)
            else:
                taken[f"{name}-{field}"] = "taken"
    assert taken == {}


def test_small_floats_are_lengths_like_any_others():
    for small in (np.float16(0.25), np.float32(0.25), np.array(0.25, np.float16), np.full(3, 0.25, np.float32)):
        assert ck.classify(BALLS, BALLS, touching=small, clearance=small).tolist() == [ck.Verdict.CONTAINED] * 3
        if np.ndim(small) == 0:
            assert len(ck.contacts(BALLS, BALLS, margin=small)) == len(ck.contacts(BALLS, BALLS, margin=0.25))
    assert len(fit.loose_parts(CORNERS.astype(np.float16), FACES)) == 1


def test_the_table_has_everything_public():
    missing = {name: sorted(wanted - {*TABLE[name][1]}) if name in TABLE else "all" for name, wanted in callables()}
    assert {name: fields for name, fields in missing.items() if fields} == {}
    wanted = dict(callables())
    assert [f"{name}-{field}" for name, (_, given) in TABLE.items() for field in {*given} - wanted[name]] == []


# What takes the arrays of other parts of the core, which were checked where they came in.
INNER = {
    *{*vars(Batch), *vars(RigidMotion), *vars(Geometries)} - {"take"}, "allclose", "allows", "between", "empty",
    "equals", "joined", "misses", "of", "of_anything", "parts_of", "per_row", "put", "spread", "with_rows",
    # How a shape and a character are known to the algorithms.
    "walker",
    "support", "outline", "on_patch", "bulge", "bend", "lines", "feature_points", "seen_from",
}  # fmt: skip


def callables():
    """Everything public that takes arguments, and the names of these."""
    for module, prefix in ((ck, ""), (fit, ""), (planar, "planar.")):
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isclass(thing) and not issubclass(thing, Exception | Enum) and thing is not ck.Motion:
                # Dataclasses with an __init__ that is made for them are answers.
                made = getattr(thing.__init__, "__code__", None)
                if made is not None and made.co_filename != "<string>" and arguments(thing):
                    yield prefix + name, arguments(thing)
                for method in dir(thing):
                    value = getattr(thing, method)
                    if not method.startswith("_") and method not in INNER and callable(value) and arguments(value):
                        yield f"{prefix}{name}.{method}", arguments(value)
            elif inspect.isfunction(thing):
                yield prefix + name, arguments(thing)


def arguments(call):
    return {name for name in inspect.signature(call).parameters if name != "self"}


@pytest.mark.parametrize(("off", "taken"), [(9.9e-6, True), (1.01e-5, False)])
@pytest.mark.parametrize("sort", ["scale", "shear", "one entry"])
def test_a_matrix_is_a_rotation_if_no_entry_is_farther_from_the_nearest_one_than_the_limit(off, taken, sort):
    """A symmetric change of a rotation leaves it the nearest, so that what is added is how far off it is."""
    change = {"scale": np.eye(3), "shear": [[0, 1, 0], [1, 0, 0], [0, 0, 0]], "one entry": np.diag([0.0, 0.0, -1.0])}[
        sort
    ]
    given = np.eye(3) + off * np.array(change)
    for turn in (np.eye(3), np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])):
        if not taken:
            with pytest.raises(ValueError, match="rotation: row 0 is not a rotation: 1e-05 from orthonormal"):
                ck.Boxes([[0, 0, 0]], [[1, 1, 1]], (turn @ given)[None])
            continue
        made = ck.Boxes([[0, 0, 0]], [[1, 1, 1]], (turn @ given)[None]).rotation[0]
        np.testing.assert_allclose(made, turn, atol=1e-15)
