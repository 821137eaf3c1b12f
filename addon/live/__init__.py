# SPDX-License-Identifier: GPL-3.0-or-later
"""Results that follow the scene while it is changed."""
