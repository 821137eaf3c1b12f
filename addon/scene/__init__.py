# SPDX-License-Identifier: GPL-3.0-or-later
"""The only place that reads or writes Blender's data: evaluated objects in, selections out."""
