# SPDX-License-Identifier: GPL-3.0-or-later
"""The interface in Korean, feature by feature; `general` puts them together."""

# All texts have a context of their own: what Blender calls the same is another thing at times, as "automation".
CONTEXT = "CollisionKit"
