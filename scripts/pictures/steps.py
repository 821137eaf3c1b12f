# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps in the window before a picture is taken. Each function gets the studio."""

from typing import Any

import addon_utils
import bpy
from mouse import DRAWN, Pauses
from stage import EXTENSION
from table import KOREAN

# Where in the width of the sidebar the button is that selects all objects of an issue, and where the issue's title.
SELECT, TITLE = 0.78, 0.3
# Pixels from the upper right corner of the sidebar to the button that lists the presets.
PRESETS = (68, 14)
# Steps of the wheel to the end of the panel Motion.
CURVE = 5
# Pixels by which the panel of a dialog is made wider.
WIDER = 60
# Pixels from the bottom of the preferences up to the heading of those of the add-on.
PREFERENCES = 590


def check(studio: Any) -> Pauses:
    """Check the collisions, and wait for the results."""
    session = studio.addon("session.collision_results").last_check
    before = session.report
    yield from studio.start("check_collisions")
    yield from studio.until(lambda: session.report is not before and not studio.operators())


def choose(studio: Any, *names: str) -> Pauses:
    """Choose the pair of these objects, as a click on its row does."""
    session = studio.addon("session.collision_results").last_check
    pairs = [{session.body_name(body) for body in session.bodies_of(pair)} for pair in session.report.pairs]
    row = pairs.index(set(names)) if names else 0
    studio.do("select_pair", row=row)
    yield DRAWN


def frame(studio: Any, zoom: float = 1.0, shift: tuple[float, float] = (0.0, 0.0)) -> None:
    """Frame what is selected; step back or nearer, and move it left and up by shares of the distance."""
    with studio.in_view():
        bpy.ops.view3d.view_selected()
    view = studio.view
    view.view_distance *= zoom
    right, up = view.view_rotation @ studio.vector((1, 0, 0)), view.view_rotation @ studio.vector((0, 1, 0))
    view.view_location += view.view_distance * (shift[0] * right - shift[1] * up)


def choose_barrel(studio: Any) -> Pauses:
    """Show the barrel that is sunk into its pallet."""
    studio.turn(24.0, 20.0)
    yield from check(studio)
    yield from choose(studio, "Barrel_03", "Pallet_D")
    frame(studio, 2.0, (0.14, 0.0))


def accept_and_compare(studio: Any) -> Pauses:
    """Accept the worst pair, and check again with a clearance, so that some are new; in Korean, group by object."""
    studio.turn(28.0, 32.0)
    yield from check(studio)
    yield from choose(studio)
    studio.do("accept_pair", reason="A spare, sold with the other")
    bpy.context.scene.collision_kit.clearance = 0.015
    yield from check(studio)
    yield from choose(studio, "Lamp_02", "Rack")
    bpy.context.window_manager.collision_kit.view.grouped = studio.language == KOREAN
    frame(studio, 1.7, (0.1, 0.02))


def compare(studio: Any) -> Pauses:
    """Compare the colliders of a yard with its render meshes, and show where the dent of its floor is."""
    studio.turn(34.0, 24.0)
    yield from studio.start("compare_with_render_mesh")
    found = studio.addon("session.coverage_results").latest
    yield from studio.until(lambda: found.result is not None and not studio.operators())
    names = [one.name for one in found.result.report.objects]
    studio.do("show_worst_place", row=names.index("Floor"))
    bpy.ops.object.select_all(action="SELECT")
    frame(studio, 1.05, (0.16, 0.02))
    bpy.ops.object.select_all(action="DESELECT")
    yield DRAWN


def open_an_issue(studio: Any) -> Pauses:
    """Validate for Unreal, and open the issue of the barrel's scale."""
    studio.turn(12.0, 24.0)
    bpy.context.scene.collision_kit.engine = "UNREAL"
    yield from studio.start("validate_colliders")
    found = studio.addon("session.validation_results").latest
    yield from studio.until(lambda: found.result is not None and not studio.operators())
    yield from open_issue(studio, "unapplied-scale")
    yield from studio.hand.to_top()
    studio.do("select_issue", rule="unapplied-scale")
    frame(studio, 2.4, (0.16, 0.0))


def open_issue(studio: Any, rule: str) -> Pauses:
    """Click the title of an issue in the panel Validation."""
    sidebar = studio.hand.region("UI")
    _x, y = yield from studio.hand.find(f'collision_kit.select_issue(rule="{rule}"', SELECT)
    yield from studio.hand.press("LEFTMOUSE", (sidebar.x + round(TITLE * sidebar.width), y))


def make_three_colliders(studio: Any) -> Pauses:
    """Make a hull, a capsule and a reduced hull."""
    studio.turn(20.0, 14.0)
    for name, settings in (
        ("Head", {"kind": "HULL"}),
        ("Buoy", {"kind": "CAPSULE"}),
        ("Pebble", {"kind": "BUDGET_HULL", "budget": 32}),
    ):
        studio.select(name)
        studio.do("make_collider", engine="UNREAL", **settings)
    yield DRAWN
    with studio.in_view():
        bpy.ops.view3d.view_all()
    frame_all(studio, 1.05, 0.15)


def frame_all(studio: Any, zoom: float, shift: float) -> None:
    """Frame the scene beside the sidebar."""
    view = studio.view
    with studio.in_view():
        bpy.ops.view3d.view_all()
    view.view_distance *= zoom
    view.view_location += view.view_distance * shift * (view.view_rotation @ studio.vector((1, 0, 0)))


def walk_to_the_gap(studio: Any) -> Pauses:
    """Walk the level, and choose the gap of the mezzanine."""
    studio.turn(24.0, 38.0)
    found = studio.addon("session.probe_results").latest
    yield from studio.start("walk_level")
    yield from studio.until(lambda: found.result is not None and not studio.operators())
    studio.do("select_walk_issue", row=0)
    frame_all(studio, 0.6, 0.27)


def jump_to_the_door(studio: Any) -> Pauses:
    """Check the motion, and jump to the first contact of the door and the post."""
    studio.turn(105.0, 24.0)
    yield from studio.start("check_motion")
    latest = studio.addon("session.motion_results").latest
    yield from studio.until(lambda: latest.result is not None and not studio.operators())
    contacts = latest.result.report.contacts
    row = next(i for i, contact in enumerate(contacts) if 21.0 < contact.first < 22.0)
    studio.do("jump_to_contact", row=row)
    yield DRAWN
    frame(studio, 1.1, (0.1, 0.0))
    # To the curve at the end of the panel.
    yield from studio.hand.further(CURVE)


def choose_first(studio: Any) -> Pauses:
    """Show the first pair."""
    studio.turn(32.0, 26.0)
    yield from check(studio)
    yield from choose(studio)
    frame(studio, 1.4, (0.12, -0.05))


def choose_an_axis(studio: Any) -> Pauses:
    """Show the beam in the crate along another axis than the one that decides; in Korean, color by verdict."""
    studio.turn(35.0, 22.0)
    yield from check(studio)
    yield from choose(studio, "Beam", "Crate")
    studio.do("step_axis", step="NEXT")
    bpy.context.window_manager.collision_kit.explanation.by_verdict = studio.language == KOREAN
    yield DRAWN
    frame(studio, 1.3, (0.12, -0.06))


def fill_rules(studio: Any) -> Pauses:
    """Add two named tests and two ignore rules, and check."""
    scene = bpy.context.scene.collision_kit
    for label, side_a, side_b, severity in (
        ("doors", "Door*, collection:Doors", "Wall*, Frame*", "ERROR"),
        ("everything", "", "", "WARNING"),
    ):
        one = scene.tests.add()
        one.label, one.side_a, one.side_b, one.severity = label, side_a, side_b, severity
    scene.tests[0].use_clearance, scene.tests[0].clearance = True, 0.05
    for side_a, side_b, reason in (("Bolt*", "Plate*", "screwed in"), ("Door", "parent:Door", "hinged")):
        rule = scene.ignore_rules.add()
        rule.side_a, rule.side_b, rule.reason, rule.use_max_depth, rule.max_depth = side_a, side_b, reason, True, 0.0022
    scene.ignore_rules[1].max_depth = 0.08
    yield from check(studio)


def set_object(studio: Any) -> Pauses:
    """Make the lid part of the crate, with a margin, layers and a surface of its own."""
    own = studio.select("Lid").collision_kit
    own.margin, own.part_of = 0.02, bpy.data.objects["Crate"]
    own.own_groups = own.own_surface = True
    own.groups = [layer == 2 for layer in range(len(own.groups))]
    own.friction, own.restitution = 0.8, 0.3
    yield DRAWN


def pairs_by_collection(studio: Any) -> Pauses:
    """Show the pairs of one cell of the table of collections."""
    studio.turn(0.0, 0.0, orthographic=True)
    yield from check(studio)
    yield from choose(studio, "Bolt.012", "Plate.004")
    frame_all(studio, 1.2, 0.15)
    studio.do("filter_results", by="COLLECTIONS", first="Fasteners", second="Frame")
    middle = studio.hand.middle()
    studio.hand.send("MOUSEMOVE", "NOTHING", (middle[0] - 330, middle[1] + 270))
    yield DRAWN
    yield from studio.start("pairs_by_collection")


def suggest(studio: Any) -> Pauses:
    """Open the dialog Suggest Rules."""
    yield from check(studio)
    # The dialog opens with its button under the pointer, and is to be in the middle.
    middle = studio.hand.middle()
    studio.hand.send("MOUSEMOVE", "NOTHING", (middle[0] + 212, middle[1] + 85))
    yield DRAWN
    yield from studio.start("suggest_rules")


def open_pie(studio: Any) -> Pauses:
    """Open the pie menu over the overlay of a pair."""
    yield from choose_first(studio)
    frame(studio, 1.3)
    studio.hand.area.spaces.active.show_region_ui = False
    yield from studio.redraw()
    with studio.in_view():
        bpy.ops.wm.call_menu_pie(name="COLLISION_KIT_MT_pie_context_menu")


def show_obstacle(studio: Any) -> Pauses:
    """Show the obstacle that the barrel is to the ball."""
    studio.turn(25.0, 18.0)
    studio.select("Ball")
    studio.select("Barrel", add=True)
    studio.do("show_obstacle", placement="AT_A")
    yield DRAWN
    frame(studio, 1.05, (0.06, 0.0))


def check_convexity(studio: Any) -> Pauses:
    """Select the edges that make the boulder concave."""
    studio.turn(8.0, 12.0)
    studio.select("Boulder")
    frame(studio, 1.3, (0.12, 0.0))
    studio.do("check_convexity")
    yield DRAWN


def cull(studio: Any) -> Pauses:
    """Cull to the camera in the middle of the drive."""
    studio.turn(30.0, 35.0)
    bpy.context.scene.frame_set(30)
    bpy.context.scene.camera.data.lens = 60.0
    yield from studio.start("cull_to_camera")
    yield from studio.until(lambda: not studio.operators())
    frame_all(studio, 0.8, 0.1)


def color_by_verdict(studio: Any) -> Pauses:
    """Show the hull in the box, and every shape in the color of its verdict."""
    studio.turn(8.0, 26.0)
    yield from check(studio)
    yield from choose(studio, "Head", "Ring")
    drawn = bpy.context.window_manager.collision_kit.explanation
    drawn.by_verdict, drawn.ruler = True, False
    yield DRAWN
    frame_all(studio, 0.72, 0.16)
    bpy.ops.object.select_all(action="DESELECT")


def thin_out_arrows(studio: Any) -> Pauses:
    """Show many contacts, of which some have arrows."""
    studio.turn(12.0, 20.0)
    studio.hand.area.spaces.active.show_region_ui = False
    yield from check(studio)
    yield from choose(studio)
    bpy.context.window_manager.collision_kit.explanation.ruler = False
    frame(studio, 0.75)
    bpy.ops.object.select_all(action="DESELECT")


def draw_all_arrows(studio: Any) -> Pauses:
    """Show many contacts, all with arrows."""
    yield from thin_out_arrows(studio)
    bpy.context.window_manager.collision_kit.explanation.every_arrow = True
    yield DRAWN


def check_level(studio: Any) -> Pauses:
    """Check outlines, and show the window that is turned into the ground."""
    yield from seen_from_above(studio)
    yield from check(studio)
    yield from choose(studio, "Ground", "Window")
    frame_all(studio, 1.0, 0.15)


def show_pieces(studio: Any) -> Pauses:
    """Show the convex pieces of the ground."""
    yield from seen_from_above(studio)
    studio.select("Ground")
    studio.do("show_convex_pieces")
    yield DRAWN
    frame_all(studio, 1.0, 0.15)


def seen_from_above(studio: Any) -> Pauses:
    """Look at the plane of planar checks."""
    studio.turn(0.0, 90.0, orthographic=True)
    bpy.context.scene.collision_kit.planar.dimension = "PLANE"
    studio.hand.area.spaces.active.shading.color_type = "RANDOM"
    yield DRAWN


def open_presets(studio: Any) -> Pauses:
    """Add a preset, and open the list of them."""
    studio.do("add_check_preset", name="Walkways")
    yield from studio.redraw()
    sidebar = studio.hand.region("UI")
    button = sidebar.x + sidebar.width - PRESETS[0], sidebar.y + sidebar.height - PRESETS[1]
    studio.focus = button[0] - 83, button[1] - 78
    yield from studio.hand.press("LEFTMOUSE", button)


def open_preferences(studio: Any) -> Pauses:
    """Show the preferences of the add-on in place of the 3D view."""
    bpy.context.preferences.active_section = "ADDONS"
    bpy.context.window_manager.addon_search = "Collision Kit"
    addon = next(module for module in addon_utils.modules() if module.__name__ == EXTENSION)
    addon_utils.module_bl_info(addon)["show_expanded"] = True
    studio.hand.area.type = "PREFERENCES"
    yield DRAWN
    region = studio.hand.region("WINDOW")
    studio.focus = region.x + region.width // 2, region.y + PREFERENCES // 2
    middle = studio.hand.middle()
    studio.hand.send("MOUSEMOVE", "NOTHING", middle)
    yield DRAWN
    for _ in range(40):
        studio.hand.send("WHEELDOWNMOUSE", "PRESS", middle)
    yield DRAWN


def open_export(studio: Any) -> Pauses:
    """Open the dialog of the export of glTF."""
    bpy.context.preferences.view.filebrowser_display_type = "SCREEN"
    with studio.in_view():
        bpy.ops.export_scene.gltf("INVOKE_DEFAULT")
    yield DRAWN
    studio.enter_dialog()
    studio.region = studio.hand.region("TOOL_PROPS")
    # Wide enough for all labels.
    edge = studio.region.x - 1, studio.region.y + studio.region.height // 2
    yield from studio.hand.drag("LEFTMOUSE", edge, (edge[0] - WIDER, edge[1]))
    yield DRAWN
