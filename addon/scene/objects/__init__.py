# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects: how they are set up, where they are, which are selected."""
