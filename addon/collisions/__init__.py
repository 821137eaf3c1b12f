# SPDX-License-Identifier: GPL-3.0-or-later
"""What collides: the check itself, from the bodies of a scope to a report."""
