# SPDX-License-Identifier: GPL-3.0-or-later
"""The distance of two moving bodies over frames, as SVG."""

from html import escape

from ..i18n.units import length_text
from ..model.motion_report import MotionContact, MotionReport, curve_parts, curve_range
from .html_page import text_beside

# Size of the figure in pixels, and margins of the curve.
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 340, 170, 64, 14, 12, 26

STYLE = text_beside(__file__, "curve.css")


def curve_figure(report: MotionReport, contact: MotionContact) -> str:
    """Return the curve of a contact or near miss as an SVG element. Empty if there are fewer than two points.

    Below the line of distance 0 they penetrate. The dashed line is the clearance. The dot is the first contact or the
    smallest distance.
    """
    if len(contact.curve) < 2:
        return ""
    (first, last), (low, high) = curve_range(contact, report.clearance)

    def x(frame: float) -> float:
        return _LEFT + (frame - first) / (last - first) * (_WIDTH - _LEFT - _RIGHT)

    def y(distance: float) -> float:
        return _TOP + (high - distance) / (high - low) * (_HEIGHT - _TOP - _BOTTOM)

    def line(name: str, distance: float) -> str:
        at = f"{y(distance):.1f}"
        return f'<line class="{name}" x1="{_LEFT}" y1="{at}" x2="{_WIDTH - _RIGHT}" y2="{at}"/>'

    parts = []
    if low < 0.0:
        height = y(low) - y(0.0)
        parts.append(
            f'<rect class="inside" x="{_LEFT}" y="{y(0.0):.1f}" width="{_WIDTH - _LEFT - _RIGHT}" '
            f'height="{height:.1f}"/>'
        )
    parts.append(line("zero", 0.0))
    if low < report.clearance <= high and report.clearance:
        parts.append(line("clearance", report.clearance))
    for part in curve_parts(contact.curve):
        points = " L".join(f"{x(frame):.1f} {y(distance):.1f}" for frame, distance in part)
        parts.append(f'<path d="M{points}"/>')
    at = max(contact.distance, 0.0)
    dot = "near" if contact.is_near_miss else "touch"
    parts.append(f'<circle class="{dot}" cx="{x(contact.first):.1f}" cy="{y(at):.1f}" r="4"/>')
    for distance in {low, 0.0, high}:
        text = escape(length_text(distance, report.units))
        parts.append(f'<text x="{_LEFT - 6}" y="{y(distance) + 4:.1f}" text-anchor="end">{text}</text>')
    for frame, anchor in ((first, "start"), (last, "end")):
        parts.append(f'<text x="{x(frame):.1f}" y="{_HEIGHT - 8}" text-anchor="{anchor}">{frame:.6g}</text>')
    title = f"Distance over frames {first:.6g} to {last:.6g}"
    drawn = "\n".join(parts)
    return f'<svg class="curve" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{title}">\n{drawn}\n</svg>'
