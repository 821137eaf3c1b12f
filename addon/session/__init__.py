# SPDX-License-Identifier: GPL-3.0-or-later
"""Results that this run of Blender keeps, and whether they are still valid."""
