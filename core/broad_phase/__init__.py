# SPDX-License-Identifier: GPL-3.0-or-later
"""Broad phase: pairs of overlapping bounds, for one frame or kept up to date between frames."""

from .persistent import SweepAndPrune
from .sweep_and_prune import sweep_and_prune, sweep_and_prune_between

__all__ = ["SweepAndPrune", "sweep_and_prune", "sweep_and_prune_between"]
