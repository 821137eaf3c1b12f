# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare the answers of another state of the code with those of this one, about the pairs of the hunt `pairs`.

    python tests/hunt/compare.py COMMIT [--cases 1000000] [--seed 0]

Each state answers in a process of its own, from the same numbers. A difference is not a failure: what was wrong before
differs, too. The first pairs of each kind that differ are printed.
"""

import argparse
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


def pairs(seed: int, count: int) -> Iterator[tuple[Any, Any]]:
    """The batches of the hunt, as numbers."""
    # This imports `core`, of which the processes of `--inside` load another one.
    from tests.hunt.pairs import batches

    for a, b in batches(seed, count):
        yield written(a), written(b)


def written(shapes: Any) -> tuple[str, dict[str, Any]]:
    """The name of the class of a batch, and its fields."""
    fields = {name: value for name, value in vars(shapes).items() if isinstance(value, np.ndarray)}
    if hasattr(shapes, "geometry"):
        fields["geometry"] = [hull.points for hull in shapes.geometry]
    return type(shapes).__name__, fields


def answered(core: Any, a: tuple[str, dict[str, Any]], b: tuple[str, dict[str, Any]]) -> Answers:
    """The answers of a state of the code about a batch."""
    batches = []
    for name, fields in (a, b):
        geometry = {"geometry": [core.convex_hull(points) for points in fields.get("geometry", ())]}
        batches.append(getattr(core, name)(**fields | (geometry if "geometry" in fields else {})))
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


def compare(commit: str, cases: int, seed: int) -> None:
    """Print how often the answers differ, for each question and pair of kinds."""
    counted: Counter[tuple[str, tuple[str, str]]] = Counter()
    with tempfile.TemporaryDirectory(prefix="collision-kit-") as folder:
        tree, batches = Path(folder, "tree"), Path(folder, "batches")
        subprocess.run(["git", "-C", ROOT, "worktree", "add", "-q", "--detach", tree, commit], check=True)
        try:
            for chunk in range(seed, seed + -(-cases // CHUNK)):
                batches.write_bytes(pickle.dumps(list(pairs(chunk, min(CHUNK, cases)))))
                answers = []
                for root in (tree, ROOT):
                    command = [sys.executable, __file__, "--inside", root, batches]
                    answers.append(pickle.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout))
                for number, (old, new) in enumerate(zip(*answers, strict=True)):
                    for name, rows in differences(old, new).items():
                        for row in rows[: max(0, SHOWN - counted[name, old["kinds"]])]:
                            print(f"seed {chunk}, batch {number}, row {row}: {name}", *old["kinds"])
                            for key in old.keys() - {"kinds"}:
                                print(f"    {key}: {old[key][row]} -> {new[key][row]}")
                        counted[name, old["kinds"]] += len(rows)
        finally:
            subprocess.run(["git", "-C", ROOT, "worktree", "remove", "--force", tree], check=True)
    print(f"{-(-cases // CHUNK) * min(CHUNK, cases):,} pairs; answers that differ:")
    for (name, kinds), count in counted.most_common():
        print(f"{count:8,} {name}: {kinds[0]}, {kinds[1]}")


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
    parser.add_argument("--cases", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--inside", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.inside:
        _inside(*given.inside)
    elif given.commit:
        compare(given.commit, given.cases, given.seed)
    else:
        parser.error("name a commit")
