# SPDX-License-Identifier: GPL-3.0-or-later
"""The cost of the overlay of one pair: to make its primitives, to send them to the graphics card, and to redraw them.

python benchmarks/blender/bench_drawing.py [--repeats N]

Draws offscreen, in the size of a viewport. Redrawing is timed until the graphics card has finished; where a software
renderer takes its place, that is what it takes to compute the pixels.
"""

import argparse
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import collision_kit  # noqa: F401  the add-on's modules are found through it
from collision_kit.addon.debug_draw.extract import pair_primitives
from collision_kit.addon.debug_draw.primitives import Primitives
from collision_kit.addon.viewport import gpu as drawing
from tests.helpers.blender import graphics

WIDTH, HEIGHT = 1920, 1080
COUNTS = (4, 100, 1000, 10000)


def contacts(count: int) -> Primitives:
    """A pair with so many contacts, spread over a disc in the middle of the view."""
    turn = np.arange(count) * np.pi * (3.0 - np.sqrt(5.0))
    radius = 0.8 * np.sqrt((np.arange(count) + 0.5) / count)
    points = np.c_[radius * np.cos(turn), radius * np.sin(turn), np.zeros(count)]
    return pair_primitives([0.2, 0, 0], [-0.2, 0, 0], [0, 0, 1], -0.4, points, np.full(count, 0.02), 0.05, "0.4 m")


def median(repeats: int, work: Callable[[], Any]) -> float:
    """Milliseconds that it takes, the median of so many times."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return 1000.0 * float(np.median(times))


def measure(count: int, repeats: int) -> None:
    """Print the three times for so many contacts."""
    import gpu

    made = median(repeats, lambda: contacts(count))
    primitives = contacts(count)
    offscreen = gpu.types.GPUOffScreen(WIDTH, HEIGHT, format="RGBA8")
    with offscreen.bind():
        framebuffer = gpu.state.active_framebuffer_get()

        def finish() -> None:
            framebuffer.read_color(0, 0, 1, 1, 4, 0, "UBYTE")  # waits for the graphics card

        def redraw() -> None:
            framebuffer.clear(color=(0.2, 0.2, 0.2, 1.0), depth=1.0)
            drawing.draw_view(kept, (WIDTH, HEIGHT))
            drawing.draw_pixel(primitives, np.eye(4), (WIDTH, HEIGHT))
            calls.append(time.perf_counter())
            finish()

        sent = median(repeats, lambda: drawing.batches(primitives))
        kept = drawing.batches(primitives)
        calls: list[float] = []
        redraw()
        drawn = median(repeats, redraw)
        starts = []
        for _ in range(repeats):
            starts.append(time.perf_counter())
            redraw()
        called = 1000.0 * float(np.median(np.array(calls[-repeats:]) - starts))
    print(
        f"{count:6,} contacts: made {made:.2f} ms, sent {sent:.2f} ms, "
        f"a redraw {called:.2f} ms of calls and {drawn:.1f} ms in all"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=15)
    wanted = parser.parse_args()
    if not graphics.works():
        sys.exit("no usable graphics driver")
    graphics.start()
    for number in COUNTS:
        measure(number, wanted.repeats)
