# SPDX-License-Identifier: GPL-3.0-or-later
"""A character: an upright capsule, with limits for steps, slopes and drops."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from math import cos, radians, sqrt, tan

from ..kernels.walks import Walker
from ..numerics.tolerances import WALK_SEAM_LEAST, WALK_SEAM_MOST, WALK_TOUCH
from ..numerics.validation import one_length, one_number

# Upper limit of the tangent of the steepest slope, so that lengths can be multiplied with it.
_STEEPEST = 89.0


@dataclass(frozen=True)
class Character:
    """An upright capsule that walks: its size, and its limits for steps, slopes and drops.

    Lengths are in the caller's unit.

    Parameters
    ----------
    radius : float
        Above 0.
    height : float
        Height of the whole capsule, at least twice the radius.
    step : float
        Highest step that it climbs.
    slope : float
        Steepest slope that it walks on, in degrees, from 0 to 89.
    drop : float
        Deepest allowed drop.

    Raises
    ------
    ValueError
        If a value is not a number or is out of range. The message names it.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> ck.Character(radius=0.4, height=1.8).step
    0.35
    """

    radius: float = 0.4
    height: float = 1.8
    step: float = 0.35
    slope: float = 45.0
    drop: float = 2.0

    def __post_init__(self) -> None:
        for field in fields(self):
            check = one_number if field.name == "slope" else one_length
            object.__setattr__(self, field.name, check(getattr(self, field.name), field.name))
        if self.radius <= 0.0:
            raise ValueError(f"radius: {self.radius:g}, but a number above 0 is needed")
        if self.height < 2.0 * self.radius:
            raise ValueError(f"height: {self.height:g}, but at least twice the radius {self.radius:g} is needed")
        if not 0.0 <= self.slope <= _STEEPEST:
            raise ValueError(f"slope: {self.slope:g}, but degrees from 0 to {_STEEPEST:g} are needed")

    @classmethod
    def ball(cls, radius: float, *, slope: float = 45.0, drop: float = 2.0) -> Character:
        """Make a ball that rolls, such as a marble or a wheel.

        It climbs a step if the contact with the edge is not steeper than the steepest slope: steps of up to ``radius *
        (1 - cos(slope))``.

        Parameters
        ----------
        radius, slope, drop : float
            As for the class.

        Returns
        -------
        Character

        Raises
        ------
        ValueError
            As for the class.

        Examples
        --------
        >>> import collision_kit.core as ck
        >>> round(ck.Character.ball(0.5, slope=60).step, 3)
        0.25
        """
        size = one_length(radius, "radius")
        checked = cls(size, 2.0 * size, 0.0, slope, drop)
        return replace(checked, step=checked.radius * (1.0 - cos(radians(checked.slope))))

    def walker(self, margin: float, slope_margin: float, parts: int) -> Walker:
        """The character for kernels, with margins for what is reported, and the number of parts of a move."""
        radius = self.radius * (1.0 - WALK_TOUCH)
        low = max(self.radius - self.drop, 0.0)
        carried = sqrt(max(radius * radius - low * low, 0.0))
        near = min(self.slope + slope_margin, 90.0)
        return Walker(
            radius,
            self.height - 2.0 * self.radius,
            self.step,
            self.drop,
            # A slope of exactly the limit is walkable, within the rounding of float32.
            cos(radians(self.slope + 1e-4)),
            cos(radians(near)),
            tan(radians(self.slope)),
            margin,
            carried,
            WALK_TOUCH * self.radius,
            WALK_SEAM_LEAST * self.radius,
            WALK_SEAM_MOST * self.radius,
            parts,
        )
