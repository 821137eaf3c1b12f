# SPDX-License-Identifier: GPL-3.0-or-later
"""One-sided Hausdorff distances of the surfaces of shapes: colliders and render meshes."""
