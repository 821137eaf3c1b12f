# SPDX-License-Identifier: GPL-3.0-or-later
"""Choose the view of a picture that explains a pair best."""

import numpy as np

from ...core.numerics.types import Floats, Ints
from ...core.numerics.vectors import cross
from ...core.shapes import Boxes
from ..debug_draw.surfaces import box_triangles
from .raster import NOTHING, View, clip, rasterise

# Focal length in widths of the picture: that of a 50 mm lens, which has little distortion.
FOCAL = 1.39

# Fractions of the picture that stay empty around the framed points: left, right, top, and bottom with the caption.
MARGIN = (0.08, 0.08, 0.09, 0.18)

# Directions to try: this many around, at these elevations.
AROUND = 24
HEIGHTS = np.radians((16.0, 27.0, 40.0))
PREFERRED_HEIGHT = np.radians(24.0)
# Without an axis the picture is an overview.
OVERVIEW_HEIGHT = np.radians(34.0)

# Number of directions, the best by angle, that are tested with an image, and the size of that image.
TRIALS = 20
TRIAL_SIZE = 176

# Objects with more triangles than this are replaced by their bounding boxes during the search for a view.
SIMPLE = 600


def best_direction(
    framed: Floats, normal: Floats | None, bodies: list[Floats], others: list[Floats], size: tuple[int, int]
) -> Floats:
    """Return the unit view direction that shows some bodies best in a picture that frames some points.

    Seen along the normal, a gap or an overlap has no extent. So views across it are preferred, from slightly above, in
    which little of the bodies is hidden, all of them are visible, and much of their line of contact is visible.

    Parameters
    ----------
    framed : (K, 3) float64
        Points that the picture must contain.
    normal : (3,) float64 or None
        From A to B. None: no direction is preferred.
    bodies : list of (T, 3, 3) float64
        Triangles of the subject.
    others : list of (T, 3, 3) float64
        Triangles of possible occluders, object by object.
    size : (width, height)
        Size of the picture, in pixels.
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
    """Return the view of a picture of an axis that contains some points, ignoring occluders."""
    return framing(_directions(normal)[0], framed, size)


def framing(
    direction: Floats,
    framed: Floats,
    size: tuple[int, int],
    margin: tuple[float, float, float, float] = MARGIN,
) -> View:
    """Return the nearest perspective view along `direction` with all points of `framed` within the margins."""
    width, height = size
    axes = upright(direction)
    scale = FOCAL * width
    spread = max(float(np.ptp(framed, axis=0).max()), 1e-6)
    left, right, top, bottom = margin
    lowest = np.array([left * width, top * height])
    highest = np.array([(1.0 - right) * width, (1.0 - bottom) * height])
    middle = (lowest + highest) / 2.0 - (width / 2.0, height / 2.0)
    eye = framed.mean(axis=0) - 10.0 * spread * axes[2]
    # Each step centers the visible points and moves to where they would just fill the frame. It converges in a few
    # steps.
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
    """Return unit view directions, best by angle first."""
    directions = []
    for height in HEIGHTS:
        for around in np.arange(AROUND) * 2.0 * np.pi / AROUND + 0.31:
            flat = np.array([np.cos(around), np.sin(around), 0.0])
            directions.append(np.cos(height) * flat - np.array([0.0, 0.0, np.sin(height)]))
    directions.sort(key=lambda direction: -_angle_score(direction, normal))
    # Neighbors score alike. Taking alternate directions from the better half keeps the candidates apart.
    return directions[::2] + directions[1::2] if normal is not None else directions[::3]


def upright(direction: Floats) -> Floats:
    """Return right, up and forward (3, 3) of a view along a unit vector, with up as near to +Z as possible."""
    right = cross(direction, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    return np.stack([right, cross(right, direction), direction])


def _angle_score(direction: Floats, normal: Floats | None) -> float:
    height = np.arcsin(np.clip(-direction[2], -1.0, 1.0))
    score = -0.8 * abs(height - (PREFERRED_HEIGHT if normal is not None else OVERVIEW_HEIGHT))
    if normal is not None:
        along = float(direction @ normal)
        # A view exactly across the axis looks flat. A little depth is easier to read.
        score -= 1.6 * max(abs(along) - 0.35, 0.0)
    return score


def _sight_score(view: View, bodies: list[Floats], others: list[Floats]) -> float:
    """Return how well a view shows the bodies: unhidden, all of them, and their place of contact."""
    owner = _who_is_seen(view, bodies)
    area = np.bincount(owner[owner >= 0], minlength=len(bodies)).astype(float)
    if not area.all():
        return -10.0 + float((area > 0.0).sum())
    hidden = 0.0
    if others:
        in_front = _who_is_seen(view, [*bodies, *others])
        behind = np.bincount(owner[(owner >= 0) & (in_front >= len(bodies))], minlength=len(bodies))
        # Much of a floor may be hidden. The body that covers less of the picture decides.
        hidden = float((behind / area)[np.argmin(area)])
    least = float(area.min() / area.sum())
    meeting = (owner[:, 1:] != owner[:, :-1]) & (owner[:, 1:] >= 0) & (owner[:, :-1] >= 0)
    return -2.5 * hidden + 0.9 * min(least / 0.25, 1.0) + 0.5 * min(meeting.sum() / 20.0, 1.0)


def _who_is_seen(view: View, groups: list[Floats]) -> Ints:
    """Return the group that each pixel shows (H, W), or `NOTHING`."""
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
