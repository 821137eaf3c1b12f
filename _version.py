# SPDX-License-Identifier: GPL-3.0-or-later
"""The version of the extension and of the Python package."""

__version__ = "0.1.0"
