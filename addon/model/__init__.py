# SPDX-License-Identifier: GPL-3.0-or-later
"""Plain data and errors: requests and results. Does not need Blender."""
