# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that glTF files declare as colliders, and shapes to be exported."""
