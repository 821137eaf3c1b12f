# SPDX-License-Identifier: GPL-3.0-or-later
"""Lengths, areas, volumes and angles in the units of the scene, and directions, as text."""

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import bpy

from ...core.constants import Verdict
from ..asset_rules.limits import Length
from ..model.message import Message
from ..model.probe_report import ProbeIssue, ProbeRequest
from ..model.report import Issue, PairResult, Units, held
from ..model.verdict_names import DEEP

if TYPE_CHECKING:
    from ...core.numerics.types import Floats


# Blender's name of each fixed unit: meters per unit, and its symbol.
FIXED_UNITS = {
    "KILOMETERS": (1000.0, "km"),
    "METERS": (1.0, "m"),
    "CENTIMETERS": (0.01, "cm"),
    "MILLIMETERS": (0.001, "mm"),
    "MICROMETERS": (0.000001, "µm"),
    "MILES": (1609.344, "mi"),
    "FEET": (0.3048, "ft"),
    "INCHES": (0.0254, "in"),
    "THOU": (0.0000254, "thou"),
}

# Notation of the first three powers of a unit.
POWERS = ("", "", "²", "³")

# A direction is shown as a world axis if the cosine of the angle between them is above this.
ALONG_AXIS = 0.99999

SIGNIFICANT_DIGITS = 4
# A length in a fixed unit below this is shown as zero. The unit was chosen for relevant lengths.
MOST_DECIMALS = 6
# Areas and volumes outside this range are written with a power of ten: usual lengths in a fixed unit can give many
# digits, and none of them is zero.
LEAST_PLAIN, MOST_PLAIN = 1e-4, 1e6
# So are lengths of more units than this, because nobody counts their digits.
LONGEST_PLAIN = 1e9
# Units that Blender chooses by itself, largest first: meters per unit, and the notation of its powers.
_LARGEST = {"METRIC": (1000.0, ("", "km", "km²", "km³")), "IMPERIAL": (1609.344, ("", "mi", "sq mi", "cu mi"))}

# Returns a length as text.
TextOf = Callable[[float, "bpy.types.UnitSettings | Units"], str]

_DIGIT = re.compile("[1-9]")
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def length_text(length: float, units: bpy.types.UnitSettings | Units, digits: int = SIGNIFICANT_DIGITS) -> str:
    """Return a length in Blender units as text in the scene's unit.

    Blender's `units.to_string` uses only the unit system and chooses the unit for each value. A list of depths is
    easier to compare in the scene's unit.
    """
    return _measure(length, units, digits, "LENGTH", 1)


def range_text(
    length: float, error: float, units: bpy.types.UnitSettings | Units, digits: int = SIGNIFICANT_DIGITS
) -> str:
    """Return a length with a possible error as in `length_text`. Both bounds are shown if they differ as text."""
    low, high = length_text(length, units, digits), length_text(length + error, units, digits)
    return low if low == high else f"{low} – {high}"


def decided_text(length: float, units: bpy.types.UnitSettings | Units, digits: int = SIGNIFICANT_DIGITS) -> str:
    """Return a length that is not a rounding error, as in `length_text`. Only zero is shown as zero."""
    text = length_text(length, units, digits)
    if length == 0.0 or not math.isfinite(length) or _DIGIT.search(text):
        return text
    if units.system == "NONE":
        return _powered_number(length, digits)
    size, name = FIXED_UNITS.get(units.length_unit, FIXED_UNITS["METERS" if units.system == "METRIC" else "FEET"])
    return f"{_powered_number(length * units.scale_length / size, digits)} {name}"


def spoken_text(length: float, units: bpy.types.UnitSettings | Units, digits: int = SIGNIFICANT_DIGITS) -> str:
    """Return a length in everyday form, in the unit of `spoken_units`."""
    return decided_text(length, spoken_units(length, units), digits)


def spoken_units(longest: float, units: bpy.types.UnitSettings | Units) -> bpy.types.UnitSettings | Units:
    """Return the unit of lengths in everyday form, of which this is the longest.

    In a metric scene, lengths below a meter are in millimeters, and so is zero.
    """
    short = abs(longest) * units.scale_length < 1.0
    if units.system == "METRIC" and units.length_unit in {"METERS", "KILOMETERS"} and short:
        return Units(units.system, units.scale_length, "MILLIMETERS")
    return units


def spoken_range(length: float, error: float, units: bpy.types.UnitSettings | Units) -> str:
    """Return a length with a possible error, as in `range_text`, with both bounds in the unit of `spoken_units`."""
    low, high = _without_rounding(length, units), _without_rounding(length + error, units)
    return range_text(low, high - low, spoken_units(high, units))


def measured_text(length: float, units: bpy.types.UnitSettings | Units, digits: int = SIGNIFICANT_DIGITS) -> str:
    """Return a length that may be a rounding error, as in `spoken_text`."""
    return spoken_text(_without_rounding(length, units), units, digits)


def _without_rounding(length: float, units: bpy.types.UnitSettings | Units) -> float:
    """Return a length, or 0 if it is shown as zero in the scene's unit."""
    return length if not math.isfinite(length) or _DIGIT.search(length_text(length, units)) else 0.0


def said_text(pair: PairResult, units: bpy.types.UnitSettings | Units) -> Message:
    """Describe a depth or a distance of a pair in words, or what its faces do."""
    if pair.faces:
        return Message("crossing faces: {count}", count=len(pair.faces))
    length = abs(shown_gap(pair, pair.gap))
    if pair.verdict == Verdict.COPLANAR:
        return Message("in one plane: flickers")
    if length == 0.0:
        return Message("touching")
    said = spoken_text(length, units)
    if pair.at_least:
        return Message("at least {length} inside", length=said)
    return Message("{length} inside" if pair.distance < 0.0 else "{length} apart", length=said)


def near_text(pair: PairResult, clearance: float, units: bpy.types.UnitSettings | Units) -> Message:
    """Describe a pair within the clearance, with the clearance."""
    length, limit = (spoken_text(one, units) for one in (pair.distance, clearance))
    return Message("{length} apart, closer than {clearance}", length=length, clearance=limit)


def through_text(length: float, units: bpy.types.UnitSettings | Units, *, at_least: bool = False) -> Message:
    """Describe how far one object of a pair has to move, if it goes through the other."""
    return Message(
        "goes through: move at least {length} to be free" if at_least else "goes through: move {length} to be free",
        length=spoken_text(length, units),
    )


def separating_text(
    name: str, length: float, units: bpy.types.UnitSettings | Units, *, at_least: bool = False
) -> Message:
    """Describe how far an object of a penetrating pair has to move."""
    return Message(
        "move {name} by at least {length} to be free" if at_least else "move {name} by {length} to be free",
        name=name,
        length=spoken_text(length, units),
    )


def shortest_move_text(length: float, units: bpy.types.UnitSettings | Units, *, at_least: bool = False) -> Message:
    """Describe the shortest move of a pair in each other on several sides."""
    return Message(
        "shortest move to be free: at least {length}" if at_least else "shortest move to be free: {length}",
        length=spoken_text(length, units),
    )


def walk_issue_message(
    one: ProbeIssue,
    units: bpy.types.UnitSettings | Units,
    text_of: TextOf = length_text,
) -> Message:
    """Return the sentence of an issue of a probe, with its measures."""
    size = text_of(abs(one.measure), units)
    if one.kind == "fall":
        if math.isinf(one.deep):
            return Message("gap {width} wide, out of the level", width=size)
        return Message("gap {width} wide, {depth} deep", width=size, depth=text_of(one.deep, units))
    if one.kind == "stuck":
        return Message("no way back from {area}, {depth} deep", area=area_text(one.area, units), depth=size)
    if one.kind == "unreachable":
        return Message(
            "floor of {area} not reached, {height} below what is"
            if one.measure < 0.0
            else "floor of {area} not reached, {height} above what is",
            area=area_text(one.area, units),
            height=size,
        )
    if one.kind == "slope":
        return Message("slope of {angle}", angle=f"{one.measure:.2f}°")
    if one.kind == "squeeze":
        return Message("passage {width} wide", width=size)
    return Message("edge {height} high" if one.kind == "snag" else "step {height} high", height=size)


def limited_walk_message(
    one: ProbeIssue,
    request: ProbeRequest,
    units: bpy.types.UnitSettings | Units,
    text_of: TextOf = length_text,
) -> Message:
    """Return the sentence of an issue of a probe, with its measures and the limit of the character that they exceed."""
    said = walk_issue_message(one, units, text_of)
    if one.kind == "squeeze":
        return Message("{text} (at least {limit})", text=said, limit=text_of(2.0 * request.radius, units))
    if one.kind == "slope":
        return Message("{text} (at most {limit})", text=said, limit=f"{round(request.slope, 2):g}°")
    limits = {"step": request.step}
    if math.isfinite(one.deep):
        limits["fall"] = request.drop
    if one.kind not in limits:
        return said
    return Message("{text} (at most {limit})", text=said, limit=text_of(limits[one.kind], units))


def with_unit(
    message: Message,
    units: bpy.types.UnitSettings | Units,
    text_of: TextOf = length_text,
) -> Message:
    """Return a message with lengths in the scene's unit, or in another form of text, such as `spoken_text`."""
    shown = {name: _value_with_unit(value, units, text_of) for name, value in message.values.items()}
    return Message(message.template, **shown)


def _value_with_unit(
    value: object,
    units: bpy.types.UnitSettings | Units,
    text_of: TextOf,
) -> object:
    if isinstance(value, Length):
        return text_of(value, units)
    return with_unit(value, units, text_of) if isinstance(value, Message) else value


def issues_with_units(issues: Iterable[Issue], units: Units) -> tuple[Issue, ...]:
    """Return issues with lengths in the scene's unit."""
    return tuple(
        replace(found, message=with_unit(found.message, units)) if isinstance(found.message, Message) else found
        for found in issues
    )


def gap_text(pair: PairResult, units: bpy.types.UnitSettings | Units) -> str:
    """Return the distance of a pair, or its depth. 0 if it touches within the rounding of coordinates."""
    text = contact_text(pair, abs(pair.gap), units)
    return f"≥ {text}" if pair.at_least else text


def contact_text(pair: PairResult, depth: float, units: bpy.types.UnitSettings | Units) -> str:
    """Return the depth of a contact of a pair. 0 if the pair touches within the rounding of coordinates."""
    return spoken_text(shown_gap(pair, depth), units)


def shown_gap(pair: PairResult, gap: float) -> float:
    """Return a gap or a depth of a pair for display. 0 if the pair touches within the rounding of coordinates."""
    touching = pair.verdict in (Verdict.TOUCHING, Verdict.COPLANAR)
    return 0.0 if touching and abs(gap) <= pair.rounding else gap


def stand_text(pair: PairResult, units: bpy.types.UnitSettings | Units) -> str:
    """Describe a pair in English: gap, depth, or interference and the distance that separates it."""
    if pair.faces:
        return "1 face crosses" if len(pair.faces) == 1 else f"{len(pair.faces)} faces cross"
    if pair.verdict == Verdict.DUPLICATE:
        return "same geometry in the same place"
    if pair.verdict == Verdict.COPLANAR:
        return "faces in one plane that look the same way"
    if pair.verdict in DEEP:
        return ("at least " if pair.at_least else "") + depth_text(-pair.gap, pair.distance, units)
    gap = decided_text(shown_gap(pair, abs(pair.gap)), units)
    return f"{gap} {'deep' if pair.distance < 0.0 else 'apart'}"


def depth_text(interference: float, distance: float, units: bpy.types.UnitSettings | Units) -> str:
    """Describe the penetration of a pair in English: depth or, if one contains the other, interference and depth."""
    deep = decided_text(interference, units)
    return (
        f"{deep} interference; {decided_text(-distance, units)} to separate"
        if held(interference, distance)
        else (f"{deep} deep")
    )


def area_text(area: float, units: bpy.types.UnitSettings | Units, digits: int = SIGNIFICANT_DIGITS) -> str:
    """Return an area in squared Blender units as text in the scene's unit."""
    return _measure(area, units, digits, "AREA", 2)


def volume_text(volume: float, units: bpy.types.UnitSettings | Units, digits: int = SIGNIFICANT_DIGITS) -> str:
    """Return a volume in cubed Blender units as text in the scene's unit."""
    return _measure(volume, units, digits, "VOLUME", 3)


def angle_text(angle: float, units: bpy.types.UnitSettings, digits: int = SIGNIFICANT_DIGITS) -> str:
    """Return an angle in radians as text in the scene's unit."""
    if units.system_rotation == "RADIANS":
        return f"{_number(angle, digits)} rad"
    return f"{_number(math.degrees(angle), digits)}°"


def _measure(value: float, units: bpy.types.UnitSettings | Units, digits: int, category: str, power: int) -> str:
    value += 0.0  # negative zero becomes zero
    number = _length_number if power == 1 else _powered_number
    if units.system == "NONE":
        return number(value, digits)
    metric = value * units.scale_length**power
    if units.length_unit in FIXED_UNITS:
        size, name = FIXED_UNITS[units.length_unit]
        return f"{number(metric / size**power, digits)} {name}{POWERS[power]}"
    size, names = _LARGEST[units.system]
    if abs(metric) >= LONGEST_PLAIN * size**power:
        return f"{_powered_number(metric / size**power, digits)} {names[power]}"
    return bpy.utils.units.to_string(units.system, category, metric, precision=digits)


def _number(value: float, digits: int) -> str:
    if not math.isfinite(value) or value == 0.0:
        return f"{value:.0f}"
    decimals = digits - 1 - math.floor(math.log10(abs(value)))
    text = f"{value:.{min(max(decimals, 0), MOST_DECIMALS)}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def _length_number(value: float, digits: int) -> str:
    return (_number if abs(value) < LONGEST_PLAIN else _powered_number)(value, digits)


def _powered_number(value: float, digits: int) -> str:
    """Return a number with few digits, whatever its size."""
    if not math.isfinite(value) or value == 0.0 or LEAST_PLAIN <= abs(value) < MOST_PLAIN:
        return _number(value, digits)
    mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
    return f"{_number(float(mantissa), digits)} × 10{str(int(exponent)).translate(_SUPERSCRIPTS)}"


def direction_text(direction: "Floats") -> str:
    """Return a unit vector as text: the world axis that it is parallel to, or its components that are not zero."""
    for component, axis in zip(direction, "XYZ", strict=True):
        if abs(component) > ALONG_AXIS:
            return f"{'+' if component > 0.0 else '−'}{axis}"
    written = zip("XYZ", (f"{component:.2f}".replace("-", "−") for component in direction), strict=True)
    return ", ".join(f"{axis} {number}" for axis, number in written if _DIGIT.search(number))
