# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps of the floors that a character reached or not, and of issues: an SVG picture for each floor."""

from typing import TYPE_CHECKING

from ... import core
from ..i18n.units import length_text
from ..model.probe_report import ProbeReport
from ..system.late import np
from .html_parts import escaped

if TYPE_CHECKING:
    from ...core.numerics.types import Floats, Ints

# The longer side of a picture in pixels, and the maximum number of floors.
_SIZE, _FLOORS = 900.0, 12
# Radius of the mark of an issue, in pixels.
_MARK = 6.0
# Heights in a column that differ by less than this fraction of the spacing are equal.
_SAME = 1e-5


# Kinds of places and their colors: reached, not reached, reached without return. The last one has priority.
_COLORS = {"reached": "#39b97a", "not reached": "#d9625e", "no way back": "#a55fd0"}


def maps_of(report: ProbeReport) -> str:
    """Return the pictures of all floors, one below the other. Empty if nothing was reached.

    A place above another one in the same column is on the next floor.
    """
    reached, spacing, origin = report.reached, report.reached.spacing, report.reached.places[:1]
    if not len(origin):
        return ""
    across = core.walking.ground.Frame.of(reached.gravity, np.zeros(3)).rotation[:2]
    found = [(one.ground, 2 if one.kind == "stuck" else 1) for one in report.found if one.ground is not None]
    grounds = [(reached, 0), *found]
    points = np.concatenate([ground.places for ground, _ in grounds])
    kind = np.concatenate([np.full(len(ground.places), number) for ground, number in grounds])
    places = np.rint((points - origin) @ across.T / spacing).astype(np.int64)
    up = -(points @ reached.gravity)
    # For a place that is listed twice, the last kind is used.
    order = np.lexsort((-kind, np.rint(up / (_SAME * spacing)), places[:, 0], places[:, 1]))
    places, up, kind = places[order], up[order], kind[order]
    again = (np.diff(places, axis=0) == 0).all(axis=1) & (np.abs(np.diff(up)) <= _SAME * spacing)
    kept = np.append(True, ~again)
    places, up, kind = places[kept], up[kept], kind[kept]
    low = places.min(axis=0)
    places -= low
    size = places.max(axis=0) + 1
    column = places[:, 1] * size[0] + places[:, 0]
    first = np.flatnonzero(np.append(True, np.diff(column) != 0))
    floor = np.arange(len(column)) - np.repeat(first, np.diff(np.append(first, len(column))))
    pixel = _SIZE / max(size.max(), 1)
    wide, high = size * pixel
    pictures = [_legend(kind)]
    for level in range(min(int(floor.max()) + 1, _FLOORS)):
        rows, circles = np.flatnonzero(floor == level), []
        for one in report.found:
            if not _is_at(-float(np.array(one.point) @ reached.gravity), up[rows], report.request.step):
                continue
            x, y = (across @ (np.array(one.point) - origin[0]) / spacing - low + 0.5) * pixel
            circles.append(
                f'<circle cx="{x:.1f}" cy="{high - y:.1f}" r="{_MARK:g}">'
                f"<title>{escaped(one.kind)} {escaped(one.id)}</title></circle>"
            )
        squares = "".join(
            f'<g fill="{color}">{"".join(_runs(places[rows[kind[rows] == number]], pixel))}</g>'
            for number, color in enumerate(_COLORS.values())
            if (kind[rows] == number).any()
        )
        low_text, high_text = (length_text(float(value), report.units) for value in (up[rows].min(), up[rows].max()))
        heights = f"a height of {low_text}" if low_text == high_text else f"heights from {low_text} to {high_text}"
        pictures.append(
            f"<h3>Floor {level + 1} from above, at {heights}</h3>"
            f'<svg viewBox="0 0 {wide:.1f} {high:.1f}" width="100%" role="img" '
            f'style="max-width:{_SIZE:g}px;background:#8882">'
            f'<g transform="translate(0 {high:.1f}) scale(1 -1)" shape-rendering="crispEdges">{squares}</g>'
            f'<g fill="#222" stroke="#fff" stroke-width="2">{"".join(circles)}</g></svg>'
        )
    return "".join(pictures)


def _legend(kind: "Ints") -> str:
    """Return the legend of the pictures."""
    named = [
        f'<span style="color:{color}">■</span> {name}'
        for number, (name, color) in enumerate(_COLORS.items())
        if (kind == number).any()
    ]
    return f"<p>{' &nbsp; '.join(named)}</p>"


def _is_at(height: float, heights: "Floats", step: float) -> bool:
    """Return whether a height is about equal to one of these."""
    return bool(np.abs(heights - height).min() <= step)


def _runs(places: "Ints", pixel: float) -> list[str]:
    """Return rectangles of adjacent columns. Places are sorted by row and column."""
    new = np.append(True, (np.diff(places[:, 1]) != 0) | (np.diff(places[:, 0]) != 1))
    first = np.flatnonzero(new)
    count = np.diff(np.append(first, len(places)))
    return [
        f'<rect x="{x * pixel:.1f}" y="{y * pixel:.1f}" width="{n * pixel:.1f}" height="{pixel:.1f}"/>'
        for (x, y), n in zip(places[first].tolist(), count.tolist(), strict=True)
    ]
