# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of the pictures that a window of Blender shows: scene, open panels, steps, crop, languages."""

from typing import NamedTuple

# What is kept of the window: all of the 3D view, the open panels of its sidebar, or this much around its middle.
VIEW, SIDEBAR = "view", "sidebar"
Crop = str | tuple[int, int]

ENGLISH, KOREAN = "en_US", "ko_KR"
BOTH = (ENGLISH, KOREAN)


class Picture(NamedTuple):
    """A picture of `docs/images`; of several languages, those but English have theirs at the end of the name."""

    name: str
    # The name of a file that a script in `examples` builds, or of a function in `scenes.py`.
    scene: str
    # The panels that are open, without `COLLISION_KIT_PT_`.
    panels: str
    # The name of the function in `steps.py` that is played.
    steps: str
    crop: Crop = VIEW
    languages: tuple[str, ...] = BOTH
    # Whether a popup is open that the pointer must not leave.
    popup: bool = False


TABLE = (
    Picture("panel", "warehouse", "check results pair", "choose_barrel"),
    Picture("results", "warehouse", "results pair", "accept_and_compare"),
    Picture("validation", "colliders", "validation", "open_an_issue"),
    Picture("colliders", "three_meshes", "colliders", "make_three_colliders"),
    Picture("motion", "motion", "motion contact", "jump_to_the_door"),
    Picture("quickstart", "two_cubes", "check results pair", "choose_first"),
    Picture("evidence", "beam_and_crate", "results axes", "choose_an_axis"),
    Picture("rules_panel", "assembly", "check rules", "fill_rules", SIDEBAR),
    Picture("object", "lid", "object object_groups object_surface", "set_object", SIDEBAR),
    Picture("pair_matrix", "assembly", "check results", "pairs_by_collection", popup=True),
    Picture("suggest_rules", "assembly", "check results", "suggest", (560, 268), popup=True),
    Picture("pie", "two_cubes", "", "open_pie", (540, 380), popup=True),
    Picture("obstacle", "barrel_and_ball", "obstacle", "show_obstacle", VIEW, (ENGLISH,)),
    Picture("convexity", "boulder", "convexity", "check_convexity", VIEW, (ENGLISH,)),
    Picture("culling", "warehouse", "camera", "cull", VIEW, (ENGLISH,)),
)
