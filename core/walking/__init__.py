# SPDX-License-Identifier: GPL-3.0-or-later
"""A character that walks a level: the floors that it reaches, and where it falls, gets stuck or is stopped."""
