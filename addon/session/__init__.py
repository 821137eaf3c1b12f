# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of the current Blender session, and whether they are up to date."""
