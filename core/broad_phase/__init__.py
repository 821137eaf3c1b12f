# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bounds overlap: at one go, or kept up to date from frame to frame."""

from .between_frames import SweepAndPrune
from .sweep_and_prune import sweep_and_prune, sweep_and_prune_between

__all__ = ["SweepAndPrune", "sweep_and_prune", "sweep_and_prune_between"]
