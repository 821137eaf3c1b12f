# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender shows and what it calls: panels, operators, properties, preferences."""
