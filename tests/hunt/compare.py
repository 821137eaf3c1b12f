# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare the answers of another state of the code with those of this one, about the pairs of hunts.

    python tests/hunt/compare.py COMMIT [--family pairs ...] [--cases 1000000] [--seed 0]

Each state answers in a process of its own, from the same numbers, with kernels compiled from its own sources if it has
any. A difference is not a failure: what was wrong before differs, too. A distance is at least the gap along any
direction. So of two distances that differ, the one is wrong that is less than the gap along the normal of the other,
or is not the gap along its own normal. The first pairs of each kind that differ are printed.
"""

import argparse
import importlib
import importlib.util
import pickle
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
# Pairs of one process, and pairs of each kind that are printed.
CHUNK, SHOWN = 20_000, 3
# The hunts of pairs that have `batches`.
FAMILIES = ("pairs", "support_mapped_pairs", "close_pairs", "grazing_pairs", "thin_shapes", "flat_contacts")

Answers = dict[str, Any]


def load(root: Path) -> Any:
    """The `core` of a tree, as `collision_kit.core`."""
    spec = importlib.util.spec_from_file_location(
        "collision_kit", root / "__init__.py", submodule_search_locations=[str(root)]
    )
    assert spec and spec.loader
    sys.modules["collision_kit"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return importlib.import_module("collision_kit.core")


def pairs(family: str, seed: int, count: int) -> Iterator[tuple[Any, Any]]:
    """The batches of a hunt, as numbers."""
    # This imports `core`, of which the processes of `--inside` load another one.
    for a, b in importlib.import_module(f"tests.hunt.{family}").batches(seed, count):
        yield written(a), written(b)


def written(shapes: Any) -> tuple[str, dict[str, Any]]:
    """The name of the class of a batch, and its fields."""
    fields = {name: value for name, value in vars(shapes).items() if isinstance(value, np.ndarray)}
    if hasattr(shapes, "geometry"):
        fields["geometry"] = [hull.points for hull in shapes.geometry]
    return type(shapes).__name__, fields


def made(core: Any, pair: tuple[tuple[str, dict[str, Any]], tuple[str, dict[str, Any]]]) -> list[Any]:
    """The two batches of shapes, by a state of the code."""
    batches = []
    for name, fields in pair:
        geometry = {"geometry": [core.convex_hull(points) for points in fields.get("geometry", ())]}
        batches.append(getattr(core, name)(**fields | (geometry if "geometry" in fields else {})))
    return batches


def answered(core: Any, a: tuple[str, dict[str, Any]], b: tuple[str, dict[str, Any]]) -> Answers:
    """The answers of a state of the code about a batch."""
    batches = made(core, (a, b))
    found, contacts = core.distance(*batches), core.contacts(*batches)
    deepest = np.full(len(found.distance), -np.inf)
    np.maximum.at(deepest, contacts.pair, contacts.depth)
    # Half-spaces and planes have no size.
    sizes = [shapes.bounding_spheres()[1] for shapes in batches if not hasattr(shapes, "offset")]
    return {
        "kinds": (a[0], b[0]),
        "size": np.sum(sizes, axis=0),
        "rounding": found.rounding,
        "distance": found.distance,
        "normal": found.normal,
        "overlap": core.overlap(*batches),
        "gap": core.separating_axis(*batches).gap,
        "contacts": np.bincount(contacts.pair, minlength=len(deepest)),
        "deepest": deepest,
    }


def differences(old: Answers, new: Answers) -> dict[str, np.ndarray]:
    """The rows in which the answers to each question differ by more than is stated."""
    from tests.hunt.pairs import CONTACT, EXACT, NAMED

    exact = EXACT * np.maximum(old["rounding"], new["rounding"])
    far = {name: np.abs(new[name] - old[name]) for name in ("distance", "gap")}
    one, other = (np.where(each["contacts"] > 0, each["deepest"], 0.0) for each in (old, new))
    bad = {
        "overlap": old["overlap"] != new["overlap"],
        "distance": ~(far["distance"] <= exact),
        "gap": ~(far["gap"] <= exact + NAMED * old["size"]),
        "contacts or none": (old["contacts"] > 0) != (new["contacts"] > 0),
        "number of contacts": old["contacts"] != new["contacts"],
        "deepest contact": ~(np.abs(other - one) <= exact + CONTACT * old["size"]),
    }
    return {name: np.flatnonzero(rows) for name, rows in bad.items() if rows.any()}


def judged(core: Any, batch: tuple[Any, Any], old: Answers, new: Answers, rows: np.ndarray) -> list[str]:
    """Return which of the distances that differ in some rows are wrong."""
    from tests.hunt.pair_oracles import Body
    from tests.hunt.pairs import EXACT

    a, b = (shapes.take(rows) for shapes in made(core, batch))
    if "offset" in vars(a) or "offset" in vars(b):
        return ["with a plane"] * len(rows)
    origin = a.bounding_spheres()[0]
    ends = Body(a, origin, np.longdouble), Body(b, origin, np.longdouble)
    exact = EXACT * np.maximum(old["rounding"], new["rounding"])[rows]
    distance, gap = [], []
    for each in (old, new):
        normal = each["normal"][rows].astype(np.longdouble)
        distance.append(each["distance"][rows])
        gap.append((-ends[1].height(-normal) - ends[0].height(normal)).astype(float))
    most = np.maximum(*gap)
    wrong = [~((np.abs(own - g) <= exact) & (own >= most - exact)) for own, g in zip(distance, gap, strict=True)]
    names = {(True, False): "old wrong", (False, True): "new wrong", (True, True): "both wrong"}
    return [names.get(pair, "by points") for pair in zip(*(each.tolist() for each in wrong), strict=True)]


def compare(commit: str, families: list[str], cases: int, seed: int) -> None:
    """Print how often the answers differ, for each family, question and pair of kinds."""
    counted: Counter[tuple[str, str, tuple[str, str]]] = Counter()
    verdicts: Counter[tuple[str, str, tuple[str, str], str]] = Counter()
    core, tried = importlib.import_module("collision_kit.core"), 0
    with tempfile.TemporaryDirectory(prefix="collision-kit-") as folder:
        tree, batches = Path(folder, "tree"), Path(folder, "batches")
        subprocess.run(["git", "-C", ROOT, "worktree", "add", "-q", "--detach", tree, commit], check=True)
        try:
            if (tree / "scripts" / "build_kernels.py").is_file():
                subprocess.run([sys.executable, "scripts/build_kernels.py"], cwd=tree, check=True)
            for chunk, family in ((chunk, name) for chunk in range(-(-cases // CHUNK)) for name in families):
                made_here = list(pairs(family, seed + chunk, min(CHUNK, cases)))
                batches.write_bytes(pickle.dumps(made_here))
                answers = []
                for root in (tree, ROOT):
                    command = [sys.executable, __file__, "--inside", root, batches]
                    answers.append(pickle.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout))
                for number, (old, new) in enumerate(zip(*answers, strict=True)):
                    tried += len(old["distance"])
                    for name, rows in differences(old, new).items():
                        what = family, name, old["kinds"]
                        said = judged(core, made_here[number], old, new, rows) if name == "distance" else []
                        verdicts.update((*what, text) for text in said)
                        for row in rows[: max(0, SHOWN - counted[what])]:
                            print(f"{family} {seed + chunk}, batch {number}, row {row}: {name}", *old["kinds"])
                            for key in old.keys() - {"kinds", "normal"}:
                                print(f"    {key}: {old[key][row]} -> {new[key][row]}")
                        counted[what] += len(rows)
        finally:
            subprocess.run(["git", "-C", ROOT, "worktree", "remove", "--force", tree], check=True)
    print(f"{tried:,} pairs; answers that differ:")
    for (*what, kinds), count in counted.most_common():
        parts = [f"{n:,} {text}" for (*of, text), n in verdicts.items() if of == [*what, kinds]]
        print(f"{count:8,} {what[0]}, {what[1]}: {kinds[0]}, {kinds[1]}", *([f"({', '.join(parts)})"] if parts else []))


def _inside(root: str, batches: str) -> None:
    warnings.simplefilter("ignore")
    core = load(Path(root))
    with np.errstate(all="ignore"):
        found = [answered(core, *pair) for pair in pickle.loads(Path(batches).read_bytes())]
    sys.stdout.buffer.write(pickle.dumps(found))


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("commit", nargs="?")
    parser.add_argument("--family", nargs="+", default=["pairs"], choices=FAMILIES)
    parser.add_argument("--cases", type=int, default=1_000_000, help="of each family (1,000,000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--inside", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.inside:
        _inside(*given.inside)
    elif given.commit:
        compare(given.commit, given.family, given.cases, given.seed)
    else:
        parser.error("name a commit")
