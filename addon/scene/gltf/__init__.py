# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that glTF files declare, and shapes that they are to declare."""
