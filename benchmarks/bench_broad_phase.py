# SPDX-License-Identifier: GPL-3.0-or-later
"""Broad phase against FCL's dynamic AABB tree, and frustum culling against copying the bounds, in one run.

    python benchmarks/bench_broad_phase.py [--repeats N]

Wants python-fcl for the comparison; without it our own times are printed alone. The two take turns, and the median of
each counts, so that the ratios stand for something on a busy machine too. FCL's side is what its Python package offers:
objects made beforehand, a tree built or updated, and `collide` with a callback in Python that counts.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np

import collision_kit.core as ck

try:
    import fcl
except ImportError:
    fcl = None

FRAMES = 100


def boxes(count: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Boxes with sides from 0.5 to 1.5, as dense that each overlaps about four others."""
    rng = np.random.default_rng(seed)
    size = rng.uniform(0.5, 1.5, (count, 3))
    center = rng.uniform(0, np.cbrt(2.0 * count), (count, 3))
    return center - size / 2, center + size / 2


def taken_by_turns(functions: dict[str, Callable[[], float]], repeats: int) -> dict[str, float]:
    """The median of what each function returns, in milliseconds; they take turns."""
    times: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(repeats):
        for name, function in functions.items():
            times[name].append(1e3 * function())
    return {name: float(np.median(record)) for name, record in times.items()}


def timed(function: Callable[[], object]) -> float:
    """Seconds of processor time that a call takes."""
    begin = time.process_time()
    function()
    return time.process_time() - begin


def shown(what: str, times: dict[str, float], wanted: float | None) -> None:
    """One line of the table: ours, the other's, and how many times as long that takes; what is wanted, if anything."""
    (_, ours), *others = times.items()
    line = f"{what:50}{ours:10.3f}"
    for name, other in others:
        line += f"{other:10.3f} {name:5}{other / ours:7.2f}x" + (f"  (wanted {wanted:g}x)" if wanted else "")
    print(line)


class Tree:
    """FCL's dynamic AABB tree of boxes."""

    def __init__(self, lower: np.ndarray, upper: np.ndarray) -> None:
        middle = (lower + upper) / 2
        sides = zip(upper - lower, middle, strict=True)
        self.objects = [fcl.CollisionObject(fcl.Box(*size), fcl.Transform(place)) for size, place in sides]
        self.count = 0
        self.build()

    def build(self) -> None:
        """A new tree of all objects."""
        self.manager = fcl.DynamicAABBTreeCollisionManager()
        self.manager.registerObjects(self.objects)
        self.manager.setup()

    def seen(self, first: object, second: object, data: object) -> bool:
        """The callback: counts, and wants more."""
        self.count += 1
        return False

    def build_and_collide(self) -> None:
        """All pairs from nothing."""
        self.build()
        self.count = 0
        self.manager.collide(None, self.seen)

    def move_all(self, middle: np.ndarray) -> None:
        """All boxes moved, and all pairs."""
        for item, place in zip(self.objects, middle, strict=True):
            item.setTranslation(place)
        self.manager.update()
        self.count = 0
        self.manager.collide(None, self.seen)

    def move_one(self, index: int, middle: np.ndarray) -> None:
        """One box moved, and its pairs."""
        item = self.objects[index]
        item.setTranslation(middle)
        self.manager.update(item)
        self.manager.collide(item, None, self.seen)


def from_nothing(repeats: int) -> None:
    """All pairs of 10,000 and of 100,000 boxes."""
    times = {}
    for count in (10_000, 100_000):
        lower, upper = boxes(count)
        functions = {"ours": lambda a=lower, b=upper: timed(lambda: ck.sweep_and_prune(a, b))}
        if fcl:
            tree = Tree(lower, upper)
            functions["FCL"] = lambda tree=tree: timed(tree.build_and_collide)
        times[count] = taken_by_turns(functions, repeats if count == 10_000 else max(3, repeats // 3))
        if fcl and tree.count != len(ck.sweep_and_prune(lower, upper)):
            raise SystemExit(
                f"FCL finds {tree.count} pairs, and here there are {len(ck.sweep_and_prune(lower, upper))}"
            )
        shown(f"{count} boxes from nothing", times[count], 2)
    growth = times[100_000]["ours"] / times[10_000]["ours"]
    print(f"{'':50}10 times as many boxes take {growth:.1f} times as long (wanted: at most 12)")


def every_box_moves(drift: bool) -> None:
    """Frames in which each of 10,000 boxes moves by 1 % of its size; the mean over the frames, turn by turn."""
    lower, upper = boxes(10_000)
    rng = np.random.default_rng(1)
    size = (upper - lower).mean(axis=1, keepdims=True)
    sap, indices = ck.SweepAndPrune(lower, upper), np.arange(len(lower))
    tree = Tree(lower, upper) if fcl else None
    ours, theirs, step = [], [], None
    for _ in range(FRAMES):
        if step is None or not drift:
            step = rng.normal(size=lower.shape)
            step *= 0.01 * size / np.linalg.norm(step, axis=1)[:, None]
        lower, upper = lower + step, upper + step

        def frame(lower: np.ndarray = lower, upper: np.ndarray = upper) -> object:
            return sap.update(indices, lower, upper), sap.pairs

        ours.append(timed(frame))
        if tree:
            theirs.append(timed(lambda middle=(lower + upper) / 2: tree.move_all(middle)))
            if tree.count != len(sap.pairs):
                raise SystemExit(f"FCL finds {tree.count} pairs, and here there are {len(sap.pairs)}")
    times = {"ours": 1e3 * float(np.mean(ours))} | ({"FCL": 1e3 * float(np.mean(theirs))} if tree else {})
    name = "the same way" if drift else "in random directions"
    shown(f"10000 boxes move {name}, per frame", times, 6)


def one_box_moves() -> None:
    """One of 10,000 boxes is dragged, each by ten steps of 2 % of its size."""
    lower, upper = boxes(10_000)
    sap = ck.SweepAndPrune(lower, upper)
    tree = Tree(lower, upper) if fcl else None
    ours, theirs = [], []
    for step in range(1000):
        index = step // 10
        lower[index] += 0.02
        upper[index] += 0.02
        low, high, which = lower[index : index + 1], upper[index : index + 1], np.array([index])
        ours.append(timed(lambda low=low, high=high, which=which: sap.update(which, low, high)))
        if tree:
            middle = (lower[index] + upper[index]) / 2
            theirs.append(timed(lambda index=index, middle=middle: tree.move_one(index, middle)))
    for name, take in (("median", np.median), ("mean", np.mean)):
        times = {"ours": 1e3 * float(take(ours))} | ({"FCL": 1e3 * float(take(theirs))} if tree else {})
        shown(f"one of 10000 boxes moves, {name}", times, 2)


def culling(repeats: int) -> None:
    """A million bounds against a frustum that shows some of them."""
    rng = np.random.default_rng(2)
    center, half = rng.uniform(-100, 100, (1_000_000, 3)), rng.uniform(0.1, 1, (1_000_000, 3))
    lower, upper = center - half, center + half
    near, far, slope = 0.1, 80.0, 0.6
    projection = np.zeros((4, 4))
    projection[[0, 1, 3], [0, 1, 2]] = 1 / slope, 1.5 / slope, -1.0
    projection[2, 2:] = -(far + near) / (far - near), -2 * far * near / (far - near)
    view = np.eye(4)
    view[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    frustum = ck.Frustum.from_matrix(projection @ view)
    found = frustum.classify_bounds(lower, upper)
    for exact in (False, True):
        functions = {
            "ours": lambda exact=exact: timed(lambda: frustum.classify_bounds(lower, upper, exact)),
            "copy": lambda: timed(lambda: (lower.copy(), upper.copy())),
        }
        shown(
            f"1000000 bounds culled{', exactly' if exact else ''}",
            taken_by_turns(functions, repeats),
            None if exact else 0.5,
        )
    share = 100.0 * np.bincount(found + 1, minlength=3) / len(found)
    print(f"{'':50}outside {share[0]:.1f} %, crossing {share[1]:.1f} %, inside {share[2]:.1f} %")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=15, help="how often each is timed (default: %(default)s)")
    arguments = parser.parse_args()
    print(f"{'':50}{'ours, ms':>10}{'other, ms':>10}")
    from_nothing(arguments.repeats)
    every_box_moves(drift=False)
    every_box_moves(drift=True)
    one_box_moves()
    culling(arguments.repeats)


if __name__ == "__main__":
    main()
