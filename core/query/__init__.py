# SPDX-License-Identifier: GPL-3.0-or-later
"""The questions: checked, grouped by pairs of kinds, culled, and answered by the narrow phase."""
