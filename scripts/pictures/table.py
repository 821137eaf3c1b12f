# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of all pictures of the documentation: those of Blender, of reports in a browser, and rendered ones."""

from typing import NamedTuple

# What is kept of the window: all of the 3D view, the open panels of its sidebar, the open panels of the region that the
# steps have chosen, or this much around the place that they have chosen, which is the middle if they choose none.
VIEW, SIDEBAR, REGION = "view", "sidebar", "region"
Crop = str | tuple[int, int]

ENGLISH, KOREAN = "en_US", "ko_KR"
BOTH = (ENGLISH, KOREAN)


def image_of(name: str, language: str) -> str:
    """Return the file of a picture; languages but English are at the end of its name."""
    return f"{name}.png" if language == ENGLISH else f"{name}_{language[:2]}.png"


class Picture(NamedTuple):
    """A picture of a window of Blender: scene, open panels, steps, crop, languages."""

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

    @property
    def images(self) -> list[str]:
        """The files in `docs/images`."""
        return [image_of(self.name, language) for language in self.languages]


class Page(NamedTuple):
    """A picture of a report in a browser. The text is English; the names in it are in these languages."""

    name: str
    # The name of a function in `pages.py` that makes the report.
    report: str
    # Width and height of the browser's window.
    size: tuple[int, int]
    # The heading with which the picture begins; without one, the top of the page.
    heading: str = ""
    languages: tuple[str, ...] = BOTH

    @property
    def images(self) -> list[str]:
        """The files in `docs/images`."""
        return [image_of(self.name, language) for language in self.languages]


class Render(NamedTuple):
    """A picture that is rendered or filmed by the function of its name."""

    name: str
    image: str

    @property
    def images(self) -> list[str]:
        """The file in `docs/images`."""
        return [self.image]


WINDOW = (
    Picture("panel", "warehouse", "check results pair", "choose_barrel"),
    Picture("results", "warehouse", "results pair", "accept_and_compare"),
    Picture("validation", "colliders", "validation", "open_an_issue"),
    Picture("coverage", "yard", "coverage", "compare"),
    Picture("colliders", "three_meshes", "colliders", "make_three_colliders"),
    Picture("motion", "motion", "motion contact", "jump_to_the_door"),
    Picture("walk", "walk", "probe walk_issue", "walk_to_the_gap"),
    Picture("quickstart", "two_cubes", "check results pair", "choose_first"),
    Picture("evidence", "beam_and_crate", "results axes", "choose_an_axis"),
    Picture("rules_panel", "assembly", "check rules", "fill_rules", SIDEBAR),
    Picture("object", "lid", "object object_groups object_surface", "set_object", SIDEBAR),
    Picture("pair_matrix", "assembly", "check results", "pairs_by_collection", popup=True),
    Picture("suggest_rules", "assembly", "check results", "suggest", (560, 268), popup=True),
    Picture("pie", "two_cubes", "", "open_pie", (560, 380), popup=True),
    Picture("obstacle", "barrel_and_ball", "obstacle", "show_obstacle", VIEW, (ENGLISH,)),
    Picture("convexity", "boulder", "convexity", "check_convexity", VIEW, (ENGLISH,)),
    Picture("culling", "warehouse", "camera", "cull", VIEW, (ENGLISH,)),
    Picture("shapes", "one_of_each_shape", "check results pair", "color_by_verdict", VIEW, (ENGLISH,)),
    Picture("contacts", "ball_in_floor", "", "thin_out_arrows", (500, 735), (ENGLISH,)),
    Picture("contacts_all", "ball_in_floor", "", "draw_all_arrows", (500, 735), (ENGLISH,)),
    Picture("planar", "level", "check results pair", "check_level", VIEW, (ENGLISH,)),
    Picture("planar_pieces", "level", "check planar", "show_pieces", VIEW, (ENGLISH,)),
    Picture("presets", "two_cubes", "check", "open_presets", (290, 180), popup=True),
    Picture("preferences", "two_cubes", "", "open_preferences", (834, 590)),
    Picture("gltf", "two_cubes", "", "open_export", REGION, popup=True),
)

PAGES = (
    Page("report_html", "of_warehouse", (1240, 1190), languages=(ENGLISH,)),
    Page("walk_html", "of_walk", (1000, 1500), languages=(ENGLISH,)),
    Page("report_figures", "of_room", (1000, 1200), "Collisions by depth"),
    Page("report_matrix", "of_room", (620, 275), "Pairs by collection"),
    Page("project_index", "of_rooms", (1000, 1190)),
)

RENDERS = (
    Render("demo", "demo.png"),
    Render("warehouse", "warehouse.jpg"),
)

# Its still, with which the page of the clip begins.
CLIPS = (Render("clip", "clip.png"),)

TABLE: tuple[Picture | Page | Render, ...] = (*WINDOW, *PAGES, *RENDERS, *CLIPS)
