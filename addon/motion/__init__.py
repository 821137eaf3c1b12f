# SPDX-License-Identifier: GPL-3.0-or-later
"""When moving objects first touch, from frame to frame."""
