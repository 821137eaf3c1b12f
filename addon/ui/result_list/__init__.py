# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of results: filters, order, and accepted, new and resolved pairs."""
