# SPDX-License-Identifier: GPL-3.0-or-later
"""Properties in Blender's data, by feature. `scene` has those of a scene."""
