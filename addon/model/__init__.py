# SPDX-License-Identifier: GPL-3.0-or-later
"""Plain data and errors, with no Blender in them: what is asked for, and what is found."""
