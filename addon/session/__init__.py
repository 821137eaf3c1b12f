# SPDX-License-Identifier: GPL-3.0-or-later
"""What this run of Blender remembers: the last results and whether they still hold."""
