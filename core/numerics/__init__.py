# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers: types of arrays, vectors, tolerances, checks of arguments, and tables of rows."""
