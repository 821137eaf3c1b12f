# SPDX-License-Identifier: GPL-3.0-or-later
"""The interface in Blender: panels, operators, properties, preferences."""
