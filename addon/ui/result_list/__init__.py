# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of results: what is shown of it, what is accepted, new and gone."""
