# SPDX-License-Identifier: GPL-3.0-or-later
"""The floor that a character reached, and what it found, from above: a picture for each floor as SVG."""

from typing import TYPE_CHECKING

from ... import core
from ..model.probe_report import ProbeReport
from ..system.late import np
from .html_parts import escaped

if TYPE_CHECKING:
    from ...core.numerics.types import Floats, Ints

# The longer side of a picture, in pixels, and the most floors that are drawn.
_SIZE, _FLOORS = 900.0, 12
# The radius of the mark of a finding, in pixels.
_MARK = 6.0


def maps_of(report: ProbeReport) -> str:
    """The pictures of all floors, one below the other; "" if nothing was reached.

    A place of a column that is above another reached one is on the next floor.
    """
    reached, spacing = report.reached, report.reached.spacing
    if not len(reached.places):
        return ""
    across = core.walking.ground.Frame.of(reached.gravity, np.zeros(3)).rotation[:2]
    places = np.rint((reached.places - reached.places[0]) @ across.T / spacing).astype(np.int64)
    up = -(reached.places @ reached.gravity)
    low = places.min(axis=0)
    places -= low
    size = places.max(axis=0) + 1
    order = np.lexsort((up, places[:, 0], places[:, 1]))
    places, up = places[order], up[order]
    column = places[:, 1] * size[0] + places[:, 0]
    first = np.flatnonzero(np.append(True, np.diff(column) != 0))
    floor = np.arange(len(column)) - np.repeat(first, np.diff(np.append(first, len(column))))
    pixel = _SIZE / max(size.max(), 1)
    pictures = []
    for level in range(min(int(floor.max()) + 1, _FLOORS)):
        rows = np.flatnonzero(floor == level)
        squares, circles = _runs(places[rows], pixel), []
        for one in report.found:
            if not _is_at(-float(np.array(one.point) @ reached.gravity), up[rows], report.request.step):
                continue
            x, y = (across @ (np.array(one.point) - reached.places[0]) / spacing - low + 0.5) * pixel
            circles.append(
                f'<circle cx="{x:.1f}" cy="{size[1] * pixel - y:.1f}" r="{_MARK:g}">'
                f"<title>{escaped(one.kind)} {escaped(one.id)}</title></circle>"
            )
        heights = f"{up[rows].min():.4g} to {up[rows].max():.4g}"
        wide, high = size * pixel
        turned = f'<g transform="translate(0 {high:.1f}) scale(1 -1)">'
        pictures.append(
            f"<h3>Reached floor {level + 1}, at heights from {heights}</h3>"
            f'<svg viewBox="0 0 {wide:.1f} {high:.1f}" width="100%" role="img" '
            f'style="max-width:{_SIZE:g}px;background:#8882" fill="#3a7bd5">'
            f"{turned}{''.join(squares)}</g>"
            f'<g fill="#d33" stroke="#fff">{"".join(circles)}</g></svg>'
        )
    return "".join(pictures)


def _is_at(height: float, heights: "Floats", step: float) -> bool:
    """Whether a height is about one of these."""
    return bool(np.abs(heights - height).min() <= step)


def _runs(places: "Ints", pixel: float) -> list[str]:
    """Rectangles of columns beside each other; places are sorted by row and column."""
    new = np.append(True, (np.diff(places[:, 1]) != 0) | (np.diff(places[:, 0]) != 1))
    first = np.flatnonzero(new)
    count = np.diff(np.append(first, len(places)))
    return [
        f'<rect x="{x * pixel:.1f}" y="{y * pixel:.1f}" width="{n * pixel:.1f}" height="{pixel:.1f}"/>'
        for (x, y), n in zip(places[first].tolist(), count.tolist(), strict=True)
    ]
