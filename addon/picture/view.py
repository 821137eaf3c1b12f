# SPDX-License-Identifier: GPL-3.0-or-later
"""From where a picture is taken: the view in which a pair explains itself best."""

import numpy as np

from ...core.numerics.types import Floats, Ints
from ...core.shapes import Boxes
from ..debug_draw.surfaces import box_triangles
from .raster import NOTHING, View, clip, rasterise

# Focal length in widths of the picture: that of a 50 mm lens, which bends nothing.
FOCAL = 1.39

# Shares of the picture that stay empty around what is framed: left, right, top, and bottom with the caption.
MARGIN = (0.08, 0.08, 0.09, 0.18)

# Directions tried: this many around, at these heights above the horizon.
AROUND = 24
HEIGHTS = np.radians((16.0, 27.0, 40.0))
PREFERRED_HEIGHT = np.radians(24.0)
# Without an axis the picture is an overview.
OVERVIEW_HEIGHT = np.radians(34.0)

# How many of them, the best by angle alone, are looked through, and how large that trial picture is.
TRIALS = 20
TRIAL_SIZE = 176

# Objects with more triangles than this stand in for themselves as their bounding boxes while a view is
# sought.
SIMPLE = 600


def best_direction(
    framed: Floats, normal: Floats | None, bodies: list[Floats], others: list[Floats], size: tuple[int, int]
) -> Floats:
    """The unit vector along which a picture that frames some points shows some bodies best.

    Seen along the normal, a gap or an overlap has no extent; so views across it are preferred, from slightly
    above, in which little of the bodies is hidden, all of them show, and much of the line in which they meet
    is seen.

    Parameters
    ----------
    framed : (K, 3) float64
        Points that the picture must hold.
    normal : (3,) float64 or None
        From A to B; None: no direction is better than another.
    bodies : list of (T, 3, 3) float64
        Triangles of what the picture is about.
    others : list of (T, 3, 3) float64
        Triangles of what may stand in the way, object by object.
    size : (width, height)
        Of the picture, in pixels.
    """
    directions = _directions(normal)[:TRIALS]
    if not bodies:
        return directions[0]
    views = [framing(direction, framed, size) for direction in directions]
    shown = [_simplified(triangles) for triangles in bodies]
    in_the_way = [_simplified(triangles) for triangles in others]
    scores = [
        _angle_score(view.axes[2], normal) + _sight_score(view.resized(TRIAL_SIZE / size[0]), shown, in_the_way)
        for view in views
    ]
    best: Floats = views[int(np.argmax(scores))].axes[2]
    return best


def usual_view(framed: Floats, normal: Floats, size: tuple[int, int]) -> View:
    """The view of a picture of an axis that holds some points, whatever stands in the way."""
    return framing(_directions(normal)[0], framed, size)


def framing(
    direction: Floats,
    framed: Floats,
    size: tuple[int, int],
    margin: tuple[float, float, float, float] = MARGIN,
) -> View:
    """The nearest perspective view along `direction` that holds all points of `framed` within the margins."""
    width, height = size
    axes = upright(direction)
    scale = FOCAL * width
    spread = max(float(np.ptp(framed, axis=0).max()), 1e-6)
    left, right, top, bottom = margin
    lowest = np.array([left * width, top * height])
    highest = np.array([(1.0 - right) * width, (1.0 - bottom) * height])
    middle = (lowest + highest) / 2.0 - (width / 2.0, height / 2.0)
    eye = framed.mean(axis=0) - 10.0 * spread * axes[2]
    # Each step centers what is seen now and moves to where it would just fill the frame; it settles in a few.
    for _ in range(12):
        seen = (framed - eye) @ axes.T
        flat = seen[:, :2] / np.maximum(seen[:, 2:], 1e-9) * scale * (1.0, -1.0)
        low, high = flat.min(axis=0), flat.max(axis=0)
        fill = float(((high - low) / (highest - lowest)).max())
        distance = float(np.median(seen[:, 2]))
        offset = ((low + high) / 2.0 - middle) * distance / scale
        eye = eye + offset[0] * axes[0] - offset[1] * axes[1] + (1.0 - fill) * distance * axes[2]
        nearest = float(((framed - eye) @ axes[2]).min())
        if nearest < 0.1 * spread:
            eye = eye - (0.1 * spread - nearest) * axes[2]
    nearest = float(((framed - eye) @ axes[2]).min())
    return View(eye, axes, scale, width, height, near=nearest / 50.0)


def _directions(normal: Floats | None) -> list[Floats]:
    """Unit directions to look along, best by angle first."""
    directions = []
    for height in HEIGHTS:
        for around in np.arange(AROUND) * 2.0 * np.pi / AROUND + 0.31:
            flat = np.array([np.cos(around), np.sin(around), 0.0])
            directions.append(np.cos(height) * flat - np.array([0.0, 0.0, np.sin(height)]))
    directions.sort(key=lambda direction: -_angle_score(direction, normal))
    # Neighbors score alike; taking every direction in turn from the better half keeps the trials apart.
    return directions[::2] + directions[1::2] if normal is not None else directions[::3]


def upright(direction: Floats) -> Floats:
    """Right, up and forward (3, 3) of a view along a unit vector, with up as near to +Z as can be."""
    right = np.cross(direction, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(right, direction), direction])


def _angle_score(direction: Floats, normal: Floats | None) -> float:
    height = np.arcsin(np.clip(-direction[2], -1.0, 1.0))
    score = -0.8 * abs(height - (PREFERRED_HEIGHT if normal is not None else OVERVIEW_HEIGHT))
    if normal is not None:
        along = float(direction @ normal)
        # An axis exactly across the view makes a flat drawing; a little depth is easier to read.
        score -= 1.6 * max(abs(along) - 0.35, 0.0)
    return score


def _sight_score(view: View, bodies: list[Floats], others: list[Floats]) -> float:
    """How well a view shows the bodies: unhidden, all of them, and where they meet."""
    owner = _who_is_seen(view, bodies)
    area = np.bincount(owner[owner >= 0], minlength=len(bodies)).astype(float)
    if not area.all():
        return -10.0 + float((area > 0.0).sum())
    hidden = 0.0
    if others:
        in_front = _who_is_seen(view, [*bodies, *others])
        behind = np.bincount(owner[(owner >= 0) & (in_front >= len(bodies))], minlength=len(bodies))
        # Of a floor much may be hidden; what counts is the body that covers less of the picture.
        hidden = float((behind / area)[np.argmin(area)])
    least = float(area.min() / area.sum())
    meeting = (owner[:, 1:] != owner[:, :-1]) & (owner[:, 1:] >= 0) & (owner[:, :-1] >= 0)
    return -2.5 * hidden + 0.9 * min(least / 0.25, 1.0) + 0.5 * min(meeting.sum() / 20.0, 1.0)


def _who_is_seen(view: View, groups: list[Floats]) -> Ints:
    """Which group each pixel shows (H, W), or `NOTHING`."""
    triangles = np.concatenate(groups)
    owner = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    triangles, _, parent = clip(view, triangles, np.empty((len(triangles), 3, 0)))
    index = rasterise(view.screen(triangles), view.width, view.height)
    seen: Ints = np.append(owner[parent], NOTHING)[index]
    return seen


def _simplified(triangles: Floats) -> Floats:
    if len(triangles) <= SIMPLE:
        return triangles
    corners = triangles.reshape(-1, 3)
    lower, upper = corners.min(axis=0), corners.max(axis=0)
    return box_triangles(Boxes([(lower + upper) / 2.0], [(upper - lower) / 2.0]))
