# SPDX-License-Identifier: GPL-3.0-or-later
"""A picture of the worst pair of a report, with its evidence: drawn headless, with a graphics driver or without."""

from .write import write_picture

__all__ = ["write_picture"]
