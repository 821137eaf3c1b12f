# SPDX-License-Identifier: GPL-3.0-or-later
"""The look of each role of the overlay. Colors are sRGB. Sizes are pixels at a resolution scale of 1."""

from typing import NamedTuple

from ..debug_draw.roles import Role

Color = tuple[float, float, float]


class Look(NamedTuple):
    """The look of a role.

    Attributes
    ----------
    color : (r, g, b)
    width : float
        Width of lines. Points are discs with diameter `disc`.
    disc : float
    seen, hidden : float
        Opacity of visible parts, and of hidden parts: the explanation of a collision is inside the two bodies and must
        still be visible there.
    fill : float
        Opacity of triangles, as a fraction of that of lines.
    """

    color: Color
    width: float
    disc: float
    seen: float
    hidden: float
    fill: float = 0.30


# White and blue are distinguishable with every common kind of color blindness and, with a dark rim, on light and dark
# backgrounds. Blender outlines selected objects in orange.
COLOR_A: Color = (1.00, 1.00, 1.00)
COLOR_B: Color = (0.30, 0.62, 1.00)
FAULT: Color = (1.00, 0.20, 0.36)
CALM: Color = (0.24, 0.86, 0.55)
BRIGHT: Color = (1.00, 0.94, 0.42)
OBSTACLE: Color = (0.80, 0.56, 1.00)
# As different as A and B, and distinguishable by lightness as well.
INSIDE: Color = (0.30, 0.72, 1.00)
CROSSING: Color = (1.00, 0.86, 0.30)
OUTSIDE: Color = (0.94, 0.34, 0.30)
# Darker than the red of faults and any other color of a walk.
UNREACHED: Color = (0.55, 0.10, 0.08)
PATH: Color = (1.00, 0.48, 0.86)
CURVE: Color = (0.98, 0.36, 1.00)
# The worst verdict on a body, from harmless to severe. Lightness decreases as well.
TOUCHING: Color = (0.98, 0.80, 0.26)
NEAR: Color = (0.46, 0.86, 0.98)
QUIET: Color = (0.62, 0.66, 0.70)
CONTAINED: Color = (0.76, 0.30, 0.98)
DUPLICATE: Color = (0.62, 0.16, 0.62)
COPLANAR: Color = (1.00, 0.55, 0.80)
AFTER: Color = (0.98, 0.58, 0.16)

# From 0 to 1. Gray is within the limits. The other colors decrease in lightness, and differ from gray with every common
# kind of color blindness.
HEAT: tuple[tuple[float, Color], ...] = (
    (0.00, (0.60, 0.63, 0.67)),
    (0.08, (0.78, 0.77, 0.58)),
    (0.25, (1.00, 0.87, 0.35)),
    (0.50, (0.98, 0.55, 0.16)),
    (0.75, (0.84, 0.18, 0.28)),
    (1.00, (0.45, 0.03, 0.38)),
)
# For a shaded surface: its brightness facing the light, and edge-on.
HEAT_LIT, HEAT_DARK = 1.0, 0.68
HEAT_LIGHT = (0.37, -0.48, 0.80)
# The scale at the lower left, in pixels: its length, its height, and its distance from the border.
SCALE_SIZE = (220.0, 12.0)
SCALE_INSET = 24.0

# In drawing order, the last on top.
LOOKS: dict[Role, Look] = {
    Role.HEAT: Look(HEAT[-1][1], 1.0, 5.0, 1.0, 0.0),
    Role.REACHED: Look(CALM, 1.0, 5.0, 0.9, 0.25, 0.35),
    Role.UNREACHED: Look(UNREACHED, 1.0, 5.0, 0.95, 0.35, 0.50),
    Role.TRAP: Look(CONTAINED, 1.0, 5.0, 0.95, 0.35, 0.50),
    Role.CLEAR: Look(QUIET, 1.0, 5.0, 0.75, 0.20, 0.10),
    Role.WORST_NEAR: Look(NEAR, 1.25, 5.0, 0.85, 0.32),
    Role.WORST_TOUCHING: Look(TOUCHING, 1.25, 5.0, 0.90, 0.36),
    Role.WORST_COPLANAR: Look(COPLANAR, 1.5, 5.0, 1.0, 0.45, 0.40),
    Role.COPLANAR: Look(COPLANAR, 2.0, 5.0, 1.0, 0.60, 1.0),
    Role.WORST_PENETRATING: Look(FAULT, 1.5, 5.0, 1.0, 0.50, 0.45),
    Role.WORST_CONTAINED: Look(CONTAINED, 1.5, 5.0, 1.0, 0.50, 0.45),
    Role.CONTAINED: Look(CONTAINED, 1.5, 5.0, 1.0, 0.90, 0.70),
    Role.WORST_DUPLICATE: Look(DUPLICATE, 1.5, 5.0, 1.0, 0.50, 0.45),
    Role.OUTSIDE: Look(OUTSIDE, 1.25, 5.0, 0.85, 0.32),
    Role.INSIDE: Look(INSIDE, 1.5, 5.0, 0.95, 0.42),
    Role.CROSSING: Look(CROSSING, 1.75, 5.0, 1.0, 0.50),
    Role.FLOATING: Look(NEAR, 1.75, 7.0, 1.0, 0.55, 0.45),
    Role.FRUSTUM: Look((1.0, 1.0, 1.0), 2.0, 5.0, 0.95, 0.50),
    Role.SHAPE_A: Look((0.94, 0.94, 0.94), 1.75, 5.0, 1.0, 0.50),
    Role.SHAPE_B: Look((0.50, 0.76, 1.00), 1.75, 5.0, 1.0, 0.50),
    Role.OBSTACLE: Look(OBSTACLE, 2.0, 5.0, 1.0, 0.55),
    Role.START: Look((1.0, 1.0, 1.0), 2.0, 7.0, 1.0, 0.60),
    Role.POSE_BEFORE: Look(NEAR, 2.0, 7.0, 1.0, 0.60),
    Role.POSE_AFTER: Look(AFTER, 2.0, 7.0, 1.0, 0.60),
    Role.PATH: Look(PATH, 3.0, 7.0, 1.0, 0.80),
    Role.CURVE: Look(CURVE, 3.0, 7.0, 1.0, 0.85),
    Role.FEATURE_A: Look(COLOR_A, 3.5, 11.0, 1.0, 0.70, 0.40),
    Role.FEATURE_B: Look(COLOR_B, 3.5, 11.0, 1.0, 0.70, 0.40),
    Role.PATCH: Look(BRIGHT, 2.0, 7.0, 1.0, 0.80, 0.45),
    Role.RULER: Look((0.86, 0.88, 0.92), 1.0, 4.0, 0.70, 0.45),
    Role.INTERVAL_A: Look(COLOR_A, 4.0, 6.0, 1.0, 0.85),
    Role.INTERVAL_B: Look(COLOR_B, 4.0, 6.0, 1.0, 0.85),
    Role.NORMAL: Look(BRIGHT, 2.0, 5.0, 1.0, 0.70),
    Role.WAY: Look(CALM, 4.0, 6.0, 1.0, 0.90),
    Role.GAP: Look(NEAR, 4.5, 7.0, 1.0, 0.90),
    Role.DEPTH: Look(FAULT, 4.5, 7.0, 1.0, 1.0),
    Role.CONTACT: Look(BRIGHT, 2.0, 9.0, 1.0, 0.90),
    Role.WITNESS_A: Look(COLOR_A, 2.0, 11.0, 1.0, 1.0),
    Role.WITNESS_B: Look(COLOR_B, 2.0, 11.0, 1.0, 1.0),
    Role.FOUND: Look(FAULT, 2.0, 11.0, 1.0, 0.80),
    Role.ORIGIN: Look((1.0, 1.0, 1.0), 2.0, 11.0, 1.0, 1.0),
    Role.WORST_PLACE: Look((1.0, 1.0, 1.0), 2.0, 12.0, 1.0, 0.85),
}

# A dark rim around lines and discs keeps bright colors legible on a light background. Its opacity is proportional to
# the square of the line's opacity, so that hidden parts look faint, not dark.
HALO: Color = (0.05, 0.06, 0.08)
HALO_WIDTH = 1.25
HALO_STRENGTH = 0.8

PLATE: Color = (0.09, 0.10, 0.13)
PLATE_STRENGTH = 0.86
PLATE_PADDING = 6.0
# Width of the bar at the left of a plate, in the color of its role.
PLATE_BAR = 3.0
# Width of the dark border around a plate and its bar.
PLATE_RIM = 1.0
TEXT: Color = (1.0, 1.0, 1.0)
TEXT_SIZE = 14.0
# Of the legend: the size of its text, its distance from the border, the size of a color and the distance to its
# meaning. Beyond these fractions of the view's width and height, texts are shortened, and there is no legend.
LEGEND_TEXT = 12.0
LEGEND_INSET = 12.0
LEGEND_COLOR = 10.0
LEGEND_BESIDE = 8.0
LEGEND_MOST = (0.6, 0.5)
# Offset of a label to the right of and above its place.
LABEL_OFFSET = (14.0, 8.0)
