# SPDX-License-Identifier: GPL-3.0-or-later
"""The interface in other languages: a `.po` file for each, and what reads them; English is in the code."""

# All texts have a context of their own: what Blender calls the same is another thing at times, as "automation".
CONTEXT = "CollisionKit"
