# SPDX-License-Identifier: GPL-3.0-or-later
"""The properties in Blender's data, by feature; `scene` has those of a scene."""
