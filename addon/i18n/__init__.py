# SPDX-License-Identifier: GPL-3.0-or-later
"""Translations of the interface: a `.po` file for each language, and the code that reads them.

English is in the code.
"""

# All texts have their own context, because Blender sometimes uses the same word with another meaning, such as
# "automation".
CONTEXT = "CollisionKit"
