# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences that several panels and operators show."""
