# SPDX-License-Identifier: GPL-3.0-or-later
"""View frusta, and what they cull."""

from .frustum import Frustum

__all__ = ["Frustum"]
