# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes the pictures of the documentation: `make pictures`."""
