# SPDX-License-Identifier: GPL-3.0-or-later
"""What moves objects so that they collide no more, or just touch."""
