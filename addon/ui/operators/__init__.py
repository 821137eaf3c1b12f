# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators, a file for each feature. Each file lists its operators in `CLASSES`."""

from . import (
    check,
    collider_making,
    colliders,
    coverage,
    culling,
    exports,
    fixes,
    geometry,
    motion,
    probe,
    reports,
    results,
    rules,
    settings,
    validation,
)
from .base import Operator

_FILES = (
    collider_making,
    colliders,
    settings,
    check,
    results,
    rules,
    reports,
    fixes,
    geometry,
    culling,
    motion,
    probe,
    validation,
    coverage,
    exports,
)

CLASSES: tuple[type[Operator], ...] = tuple(one for file in _FILES for one in file.CLASSES)
