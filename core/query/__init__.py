# SPDX-License-Identifier: GPL-3.0-or-later
"""The queries: they check their input, group pairs by kinds, reject distant pairs, and call the narrow phase."""
