# SPDX-License-Identifier: GPL-3.0-or-later
"""Many files, each checked in a process of its own, and one report on them. Does not need Blender."""
