# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions that Blender calls when properties are read or changed, by feature. `scene` explains why they are here."""
