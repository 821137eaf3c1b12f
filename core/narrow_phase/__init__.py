# SPDX-License-Identifier: GPL-3.0-or-later
"""The narrow phase: an algorithm for every pair of kinds, and the table of them."""
