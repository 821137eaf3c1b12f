# SPDX-License-Identifier: GPL-3.0-or-later
"""Parsers for argument values. An invalid value gives a message of one line."""

import argparse
import math
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from ..model import option_values
from ..model.motion_report import FAILURES
from ..model.rules import Pattern

# Default of `fix`.
REPAIRS = ("colliders", "penetrations")

# Path of standard output.
STANDARD_OUTPUT = "-"

# Bytes in a unit of memory, and seconds in a unit of time.
_BYTES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_SECONDS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}

_Value = TypeVar("_Value")


def _argument(read: Callable[[str], _Value]) -> Callable[[str], _Value]:
    """Return a parser for argparse that keeps the text of a `ValueError`, which argparse would drop."""

    def converted(text: str) -> _Value:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return converted


scope, length = _argument(option_values.scope), _argument(option_values.length)
pattern = _argument(Pattern.read)
verdicts = _argument(lambda text: option_values.verdicts(text.split(",")))


def is_folder(text: str) -> bool:
    """Return whether a path is written as a folder."""
    return text.endswith(("/", os.sep))


def file(text: str) -> Path:
    """Read the path of an output file."""
    if text == STANDARD_OUTPUT or is_folder(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not the path of a file")
    return path(text)


def path(text: str) -> Path:
    """Return the path of a file. Standard output has none, even with a folder before it."""
    found = Path(text)
    return found if text == STANDARD_OUTPUT or found != Path(STANDARD_OUTPUT) else found.absolute()


def jobs(text: str) -> int:
    """Read the number of jobs. 0: the number of processors."""
    if text != "auto" and not (text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above zero, or auto")
    return 0 if text == "auto" else int(text)


def seconds(text: str) -> float:
    """Read a time in seconds: a number, or a number with a unit."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smh]?)", text, re.ASCII | re.IGNORECASE)
    if not match or float(match[1]) <= 0.0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time above zero, such as 90s, 10m or 1h")
    return float(match[1]) * _SECONDS[match[2].lower()]


def memory(text: str) -> int:
    """Read a memory size in bytes: a number, or a number with a unit."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", text, re.ASCII | re.IGNORECASE)
    size = float(match[1]) * _BYTES[match[2].upper()] if match else 0.0
    if not 0.0 < size < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size of memory, such as 512M or 4G")
    return int(size)


def frames(text: str) -> tuple[int, int] | str:
    """Read a range of frames A:B, or "scene"."""
    if text == "scene":
        return text
    match = re.fullmatch(r"(-?\d+):(-?\d+)", text)
    first, last = (int(match[1]), int(match[2])) if match else (0, -1)
    if first > last:
        raise argparse.ArgumentTypeError(f"{text!r} is not a frame range A:B or scene")
    return first, last


def statuses(text: str) -> frozenset[str]:
    """Read the statuses of contacts that count as failures. "none": no status does."""
    names = frozenset(name for name in text.split(",") if name and name != "none")
    if not names <= set(FAILURES):
        raise argparse.ArgumentTypeError(f"{min(names - set(FAILURES))!r} is not one of {', '.join(FAILURES)}, none")
    return names


def repairs(text: str) -> frozenset[str]:
    """Read the categories to fix."""
    names = frozenset(filter(None, text.split(",")))
    if not names or not names <= set(REPAIRS):
        raise argparse.ArgumentTypeError(f"{text!r} is not some of {', '.join(REPAIRS)}")
    return names


def count(text: str) -> int:
    """Read a positive integer."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above zero")
    return int(text)


def budget(text: str) -> int:
    """Read a number of vertices that is enough for a solid."""
    if not text.isdecimal() or int(text) < 4:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 4")
    return int(text)


def degrees(text: str) -> float:
    """Read an angle in degrees."""
    try:
        value = float(text.removesuffix("°"))
    except ValueError:
        value = math.nan
    if not 0.0 <= value < 90.0:
        raise argparse.ArgumentTypeError(f"{text!r} is no angle from 0 to 90 degrees")
    return value
