# SPDX-License-Identifier: GPL-3.0-or-later
"""What the active camera sees and what is outside its view."""
