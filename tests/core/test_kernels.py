# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels give the same answers compiled and interpreted, and only those that were made of these sources are used."""

import dataclasses
import importlib.util
import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core import fit
from collision_kit.core.convex.polytopes.placed import PolytopeSupport, polytopes
from collision_kit.core.convex.rooms import work_room
from collision_kit.core.kernels import closest, loading, sources
from collision_kit.core.shapes import sides
from scripts.translate_kernels import KernelError, Translation
from tests.helpers import zoo
from tests.hunt import pair_cases

compiled = pytest.mark.skipif(loading.mode != loading.COMPILED, reason="the kernels are not compiled")

# Every kind with hulls and with its like, and the flat-faced kinds with each other.
UNBOUNDED = {ck.Kind.HALF_SPACE, ck.Kind.PLANE}
KINDS = list(ck.Kind)
CONVEX = [kind for kind in KINDS if kind not in {ck.Kind.MESH, ck.Kind.COMPOUND, *UNBOUNDED}]
PAIRS = [(kind, ck.Kind.HULL) for kind in KINDS]
PAIRS += [(kind, kind) for kind in KINDS if kind not in {ck.Kind.HULL, *UNBOUNDED}]
PAIRS += [(ck.Kind.BOX, ck.Kind.TRIANGLE), (ck.Kind.SPHERE, ck.Kind.CYLINDER)]


def answers(a, b):
    """Every answer about all pairs of two batches, as bytes; of convex ones also when they meet."""
    pairs = np.stack([index.ravel() for index in np.indices((len(a), len(b)))], axis=1)
    found = [ck.overlap(a, b, pairs).tobytes(), ck.classify(a, b, pairs, touching=1e-6).tobytes()]
    found += [ck.contains(a, b, pairs).tobytes()]
    results = [ck.separating_axis(a, b, pairs), ck.distance(a, b, pairs), ck.contacts(a, b, pairs)]
    results.append(ck.coplanar_faces(a, b, pairs, tolerance=0.1))
    if {a.kind, b.kind} == {ck.Kind.HULL}:
        results.append(ck.candidate_axes(a, b, pairs))
    if not {a.kind, b.kind} & {ck.Kind.MESH, ck.Kind.COMPOUND, *UNBOUNDED}:
        away = 3.0 * np.random.default_rng(1).normal(size=(len(a), 3))
        results.append(ck.time_of_impact(a, b, pairs, velocity_a=away))
    if not {a.kind, b.kind} & {*UNBOUNDED}:
        world, rng = ck.World([a, b]), np.random.default_rng(2)
        origin = 3.0 * rng.normal(size=(len(world), 3))
        results += [world.ray_cast(origin, ck.bounds(world)[0] - origin), world.closest(origin)]
        results += [ck.ray_cast(a, origin[: len(a)], -origin[: len(a)], pairs), ck.closest_points(b, origin, pairs)]
        farthest = ck.greatest_distance(a, b, tolerance=0.05, union=True)
        found += [farthest.point.tobytes(), np.float64(farthest.bound).tobytes()]
    for result in results:
        found += [getattr(result, field.name).tobytes() for field in dataclasses.fields(result)]
    return found


def counted(monkeypatch, calls, functions):
    """Have these functions called in place of kernels, and note which."""
    for name, function in functions.items():
        module, _, attribute = name.partition(".")

        def noted(*arguments, function=function, name=name):
            calls.append(name)
            return function(*arguments)

        monkeypatch.setattr(import_module(f"collision_kit.core.kernels.{module}"), attribute, noted)


@compiled
@pytest.mark.parametrize("maker", zoo.MAKERS)
@pytest.mark.parametrize("kinds", PAIRS, ids=str)
def test_compiled_and_interpreted_kernels_give_the_same_bits(monkeypatch, kinds, maker):
    rng = np.random.default_rng([KINDS.index(kind) for kind in kinds])
    a, b = (zoo.MAKERS[maker](kind, rng, 5) for kind in kinds)
    fast = answers(a, b)
    counted(monkeypatch, [], loading.SOURCES)
    assert answers(a, b) == fast


@pytest.mark.parametrize("second", CONVEX, ids=str)
@pytest.mark.parametrize("first", CONVEX, ids=str)
def test_no_kernel_asks_python_for_the_points_of_a_kind_that_it_knows(monkeypatch, first, second):
    rng = np.random.default_rng([first, second])
    a, b = (zoo.generic(kind, rng, 3) for kind in (first, second))
    # Small ones inside, so that all steps of the questions are reached.
    b = zoo.placed(b, np.eye(3), 0.05, np.zeros(3))
    b = zoo.moved(b, ck.support(a, np.zeros((3, 3))) - b.bounding_spheres()[0])

    def ask(*arguments):
        raise AssertionError("a kernel asks for a support point row by row")

    monkeypatch.setattr(sides.AskedSide, "ask", ask)
    answers(a, b)


@compiled
def test_these_pairs_reach_every_kernel(monkeypatch):
    calls = []
    counted(monkeypatch, calls, {name: kernel_named(name) for name in loading.SOURCES})
    for kinds in PAIRS:
        for maker in zoo.MAKERS.values():
            rng = np.random.default_rng(3)
            answers(*(maker(kind, rng, 4) for kind in kinds))
    with np.errstate(all="ignore"):
        for seed, kinds, query in (
            (3, (ck.Kind.ELLIPSOID, ck.Kind.TRIANGLE), ck.distance),
            (0, (ck.Kind.CYLINDER, ck.Kind.CYLINDER), ck.distance),
            (2, (ck.Kind.ELLIPSOID, ck.Kind.ELLIPSOID), ck.contains),
        ):
            query(*pair_cases.pairs(np.random.default_rng(seed), 100, kinds))
    probed()
    fit.simplify_hull(np.random.default_rng(3).normal(size=(40, 3)), vertices=8)
    found_hulls()
    assert {*loading.SOURCES} - {*calls} == set()


def probed():
    """A walk over shapes of several kinds and through a narrow door, as bytes."""
    floors = ck.Boxes([[0, 0, -0.5], [3.2, 0, -0.5]], [[1, 1.5, 0.5], [1.2, 1.5, 0.5]])
    jambs = ck.Boxes([[0.3, 1.0, 1], [0.3, -1.0, 1]], [[0.1, 0.58, 1], [0.1, 0.58, 1]])
    poles = ck.Cylinders([[3, 0, -1], [4.4, 0, -1]], [[3, 0, 0.2], [4.4, 0, 2]], 0.4)
    hills = [ck.Ellipsoids([3.4, 1, 0], [0.6, 0.5, 0.2]), ck.Cones([2.4, 1, 0], [2.4, 1, 0.3], 0.5)]
    world = ck.World([floors, jambs, poles, *hills, ck.Spheres([2.2, -1, -0.2], 0.4), ck.Planes([0, 0, 1], -9)])
    found = ck.probe(world, [[-0.5, 0, 0]], ck.Character(drop=1.5), spacing=0.5)
    assert {one.kind for one in found.findings} >= {"fall"}
    measures = [np.array([one.measure, *one.point]) for one in found.findings]
    return [found.poses.tobytes(), found.normal.tobytes(), *(one.tobytes() for one in measures)]


def found_hulls():
    """Hulls of scattered and of noisy sets of all dimensions, an image, and a hull in the plane, as bytes."""
    rng = np.random.default_rng(11)
    turn = zoo.rotations(rng, 1)[0]
    sets = [rng.normal(size=(30, 3)) * extent @ turn for extent in np.tri(4, 3, -1)]
    sets += [rng.integers(-2, 3, (40, 3)) * extent @ turn for extent in np.tri(4, 3, -1)]
    sets += [sets[-1] + rng.normal(size=(40, 3)) * noise for noise in (1e-16, 1e-15, 3e-15, 1e-14)]
    found = ck.convex_hulls(sets)
    assert {hull.dimension for hull in found} == {0, 1, 2, 3}
    found.append(found[-1].transformed(turn, [1.0, 2.0, 3.0]))
    found.append(ck.planar.convex_hull(sets[-1][:, :2]))
    names = ("vertices", "edges", "normals", "offsets", "centroid")
    return [getattr(hull, name).tobytes() for hull in found for name in names]


@compiled
def test_compiled_and_interpreted_kernels_find_the_same_hulls(monkeypatch):
    fast = found_hulls()
    calls = []
    counted(monkeypatch, calls, loading.SOURCES)
    assert found_hulls() == fast
    assert {"hulls.convex_hulls", "hull_order.write_solid", "spanning.spanning_simplices"} <= {*calls}


@compiled
def test_compiled_and_interpreted_kernels_walk_alike(monkeypatch):
    fast = probed()
    counted(monkeypatch, [], loading.SOURCES)
    assert probed() == fast


def kernel_named(name):
    module, _, function = name.partition(".")
    return getattr(import_module(f"collision_kit.core.kernels.{module}"), function)


@pytest.fixture
def arguments():
    """The arguments of `closest.closest` for one pair of points."""
    side = PolytopeSupport.of(polytopes(ck.Spheres(np.zeros((1, 3)), np.zeros(1)))).side
    given = [work_room(), np.zeros((1, 3)), *np.zeros((2, 1)), 0.0, True, *np.zeros((2, 1)), *np.zeros((3, 1, 3))]
    return [side, side, *given, *np.zeros((4, 1), dtype=bool), np.zeros((1, 4, 6))]


@compiled
@pytest.mark.parametrize(
    ("position", "wrong", "message"),
    [
        (3, np.zeros((1, 3), dtype=np.float32), "an array Floats2 is needed, not one with 2 dimensions of 4 bytes"),
        (3, np.zeros(3), "an array Floats2 is needed, not one with 1 dimensions of 8 bytes"),
        (4, np.zeros(1, dtype=np.int64), "an array Floats1 is needed"),
        (3, np.zeros((3, 2)).T, "contiguous"),
        (13, np.zeros(1), "an array Bools1 is needed, not one with 1 dimensions of 8 bytes"),
        (8, np.broadcast_to(0.0, 1), "read-only"),
        (4, 1.0, "bytes-like object is required, not 'float'"),
    ],
)
def test_compiled_kernels_refuse_what_is_not_the_array_that_they_need(arguments, position, wrong, message):
    closest.closest(*arguments)
    arguments[position] = wrong
    with pytest.raises((TypeError, ValueError, BufferError), match=message):
        closest.closest(*arguments)


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process of its own."""
    command = [sys.executable, "-c", code]
    known = {name: value for name, value in os.environ.items() if name != "COLLISION_KIT_KERNELS"}
    return subprocess.run(
        command, env={**known, **environment}, capture_output=True, text=True, timeout=60, check=False
    )


MODE = "from collision_kit.core.kernels.loading import mode; print(mode)"


@compiled
def test_compiled_kernels_are_used_unless_the_sources_are_asked_for():
    assert [run(MODE, **given).stdout.strip() for given in ({}, {"COLLISION_KIT_KERNELS": "interpreted"})] == [
        "compiled",
        "interpreted",
    ]


def test_another_word_for_the_mode_of_kernels_is_an_error():
    done = run(MODE, COLLISION_KIT_KERNELS="sometimes")
    assert "ValueError: the environment variable COLLISION_KIT_KERNELS is 'sometimes'; it can be" in done.stderr


@pytest.fixture
def copied(tmp_path) -> Path:
    """A clone with the kernels as they are here, which is imported as ``clone``."""
    shutil.copytree(sources.CORE, tmp_path / "clone" / "core", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "clone" / "__init__.py").touch()
    return tmp_path


def in_clone(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return run(
        f"import sys; sys.path.insert(0, {str(folder)!r}); {MODE.replace('collision_kit', 'clone')}", **environment
    )


@compiled
@pytest.mark.parametrize("changed", ["kernels/gjk.py", "numerics/tolerances.py"])
def test_kernels_that_were_compiled_from_other_sources_are_not_used(copied, changed):
    built = loading.built_file(sources.CORE.parent)
    place = copied / "clone" / "build" / "kernels"
    place.mkdir(parents=True)
    shutil.copy(built, place)
    done = in_clone(copied)
    assert (done.stdout.strip(), done.stderr) == ("compiled", "")
    with (copied / "clone" / "core" / changed).open("a", encoding="utf-8") as file:
        file.write("ANOTHER = 1.0\n")
    done = in_clone(copied)
    assert done.stdout.strip() == "interpreted"
    assert "was made of other sources of core/kernels; in a clone, run: make kernels" in done.stderr
    done = in_clone(copied, COLLISION_KIT_KERNELS="compiled")
    assert "ImportError: the kernels are to be compiled, but cannot be used: " in done.stderr


def test_without_compiled_kernels_the_sources_run_and_say_nothing(copied):
    done = in_clone(copied)
    assert (done.stdout.strip(), done.stderr) == ("interpreted", "")
    done = in_clone(copied, COLLISION_KIT_KERNELS="compiled")
    assert "ImportError: the kernels are to be compiled, but cannot be used: No module named" in done.stderr


HEAD = """
from math import inf, sqrt
from typing import NamedTuple
from ..numerics.tolerances import EPS
from .arrays import Floats1, Floats2, Vector, floats1
from .loading import kernel
"""


def translated(tmp_path: Path, text: str) -> str:
    path = tmp_path / "tried.py"
    path.write_text(HEAD + text, encoding="utf-8")
    return Translation([path], sources.constant_file(), "digest").text()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("return a ** 2.0", "Pow is not for kernels"),
        ("return rows[0]", "Floats2 needs 2 indices"),
        ("return rows[:, 0]", "Slice is not for kernels"),
        ("return vector[count]", "the index in a tuple must be a number"),
        ("return max(vector)", "give the numbers one by one"),
        ("return [a]", "List is not for kernels"),
        ("return missing", "missing is not known"),
        ("return rows.sum()", "functions are called by their names"),
        ("for k in (1, 2): a = 0.0", "loops are over ranges"),
        ("other = floats1(count)", "count is not a constant"),
        ("other = floats1(100000)", "larger than"),
    ],
)
def test_what_cannot_be_translated_is_named_with_its_place(tmp_path, line, message):
    text = f"def tried(a: float, vector: Vector, rows: Floats2, count: int) -> float:\n    {line}\n"
    with pytest.raises(KernelError, match=message) as told:
        translated(tmp_path, text)
    assert f"tried.py:{HEAD.count(chr(10)) + 2}: " in str(told.value)


LARGE = """
class Large(NamedTuple):
    rows: Floats2

def changed(of: Large) -> Large:
    return of

def first(of: Large) -> float:
    return of.rows[0, 0]
"""


@pytest.mark.parametrize(
    ("line", "message"),
    [("return first(changed(of))", "give a name to a structure"), ("of = changed(of)", "cannot be assigned")],
)
def test_structures_of_arrays_that_have_no_address_are_named(tmp_path, line, message):
    with pytest.raises(KernelError, match=message):
        translated(tmp_path, f"{LARGE}\ndef tried(of: Large) -> float:\n    {line}\n    return first(of)\n")


@pytest.mark.skipif(importlib.util.find_spec("Cython") is None, reason="Cython is not installed")
def test_parameters_can_have_any_name(tmp_path):
    text = "def tried(count: int, views: Floats1, result: Floats1) -> float:\n    return views[count] + result[0]\n"
    source = tmp_path / "tried.pyx"
    source.write_text(translated(tmp_path, f"@kernel\n{text}"), encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "cython", "-3", source.name], cwd=tmp_path, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def tried(a: float = 1.0) -> float:\n    return a\n", "parameters can have no defaults"),
        ("def tried(a) -> float:\n    return a\n", "nothing is not a type of kernels"),
        ("def tried(a: list[float]) -> float:\n    return a\n", "list.float. is not a type of kernels"),
        ("from math import hypot\n", "kernels cannot use math.hypot"),
        ("import numpy\n", "only constants, functions and named tuples"),
        ("SIZES = (1, 2)\n", "is not a number"),
        ("def one() -> None:\n    pass\ndef _one() -> None:\n    pass\n", "another function has the same name"),
    ],
)
def test_a_file_that_is_not_of_kernels_is_named(tmp_path, text, message):
    with pytest.raises(KernelError, match=message):
        translated(tmp_path, text)
