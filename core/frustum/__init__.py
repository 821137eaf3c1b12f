# SPDX-License-Identifier: GPL-3.0-or-later
"""View frusta and frustum culling."""

from .frustum import Frustum

__all__ = ["Frustum"]
