# SPDX-License-Identifier: GPL-3.0-or-later
"""The viewport's overlay, drawn offscreen where a driver allows, and its handler, which must never raise."""

import sys

import numpy as np
import pytest
from mathutils import Matrix

from collision_kit.addon.debug_draw.extract import pair_primitives
from collision_kit.addon.debug_draw.primitives import Primitives, as_label
from collision_kit.addon.debug_draw.roles import Role
from collision_kit.addon.model.message import Message
from collision_kit.addon.viewport import gpu as drawing
from collision_kit.addon.viewport import handler
from collision_kit.addon.viewport.palette import LEGEND_COLOR, LEGEND_INSET, LEGEND_MOST, LOOKS, PLATE, PLATE_PADDING
from tests.helpers.blender import graphics

WIDTH, HEIGHT = 320, 200


def overlay(label: str = "12.3 mm deep") -> Primitives:
    return pair_primitives(
        [0.2, 0, 0], [-0.2, 0, 0], [1, 0, 0], -0.4, [[0, 0.4, 0], [0, -0.4, 0]], [0.4, 0.3], 0.4, label
    )


def test_every_role_has_a_look():
    assert set(LOOKS) == set(Role)
    for role, look in LOOKS.items():
        # Only a heat map is not seen through what is before it.
        assert (look.hidden > 0.0) == (role != Role.HEAT)
        assert 0.0 <= look.hidden <= look.seen <= 1.0
        assert look.width > 0.0


class TestHandler:
    def test_without_a_window_nothing_is_installed(self):
        handler.install()
        assert not handler.is_installed()
        handler.remove()
        handler.remove()

    def test_primitives_come_and_go_without_a_window(self):
        handler.set_primitives(overlay(), 1)
        handler.clear()
        handler.clear()


def contacts(count: int) -> Primitives:
    """A pair with so many contacts on a ring, and one label."""
    angle = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    ring = np.c_[0.5 * np.cos(angle), 0.5 * np.sin(angle), np.zeros(count)]
    return pair_primitives([0.2, 0, 0], [-0.2, 0, 0], [1, 0, 0], -0.4, ring, np.full(count, 0.4), 0.4, "12.3 mm deep")


@pytest.mark.skipif(sys.platform != "linux", reason="the driver is taken away as Linux finds it")
def test_a_machine_without_a_driver_is_noticed_and_survived(monkeypatch):
    monkeypatch.setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent.json")
    assert graphics.works.__wrapped__() is False


class TestOffscreen:
    @pytest.fixture(autouse=True)
    def driver(self, scene):
        graphics.needed()

    def draw(
        self,
        primitives: Primitives,
        *,
        wall: float | None = None,
        labels: bool = False,
        room: tuple[float, float, float, float] | None = None,
        legend: tuple[tuple[tuple[int, ...], str], ...] = (),
        uncovered: np.ndarray | None = None,
    ) -> np.ndarray:
        """Draw on mid gray, looking along -Z at X and Y from -1 to 1; a wall stands at this Z."""
        import gpu
        from gpu_extras.batch import batch_for_shader

        offscreen = gpu.types.GPUOffScreen(WIDTH, HEIGHT, format="RGBA8")
        flat = Matrix.Diagonal((HEIGHT / WIDTH, 1.0, -0.1, 1.0))
        with offscreen.bind(), gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
            framebuffer = gpu.state.active_framebuffer_get()
            framebuffer.clear(color=(0.5, 0.5, 0.5, 1.0), depth=1.0)
            gpu.matrix.load_matrix(Matrix.Identity(4))
            gpu.matrix.load_projection_matrix(flat)
            if wall is not None:
                gpu.state.depth_test_set("LESS_EQUAL")
                gpu.state.depth_mask_set(True)
                shader = gpu.shader.from_builtin("UNIFORM_COLOR")
                shader.bind()
                shader.uniform_float("color", (0.5, 0.5, 0.5, 1.0))
                corners = [(-9, -9, wall), (9, -9, wall), (0, 18, wall)]
                batch_for_shader(shader, "TRIS", {"pos": corners}).draw(shader)
            drawing.draw_view(drawing.batches(primitives), (WIDTH, HEIGHT))
            if labels or legend:
                pixels = Matrix.Translation((-1, -1, 0)) @ Matrix.Diagonal((2 / WIDTH, 2 / HEIGHT, 1, 1))
                gpu.matrix.load_projection_matrix(pixels)
                drawing.draw_legend(legend, room or (0.0, 0.0, WIDTH, HEIGHT), uncovered=uncovered)
            if labels:
                drawing.draw_pixel(primitives, flat, (WIDTH, HEIGHT), room=room)
            read = framebuffer.read_color(0, 0, WIDTH, HEIGHT, 4, 0, "UBYTE")
        read.dimensions = WIDTH * HEIGHT * 4
        return np.array(read, np.uint8).reshape(HEIGHT, WIDTH, 4)[::-1, :, :3] / 255.0

    def test_every_part_is_drawn_in_its_color_and_place(self):
        image = self.draw(overlay(""))
        middle, stretch = HEIGHT // 2, round(0.2 * HEIGHT / 2)
        for role, column in ((Role.WITNESS_A, WIDTH // 2 + stretch), (Role.WITNESS_B, WIDTH // 2 - stretch)):
            np.testing.assert_allclose(image[middle, column], LOOKS[role].color, atol=0.03)
        np.testing.assert_allclose(image[middle, WIDTH // 2], LOOKS[Role.DEPTH].color, atol=0.03)
        contact = image[middle - round(0.4 * HEIGHT / 2), WIDTH // 2]
        np.testing.assert_allclose(contact, LOOKS[Role.CONTACT].color, atol=0.03)

    def test_discs_are_round_with_a_dark_rim(self):
        point = Primitives(points=np.zeros((1, 3)), point_role=np.array([Role.WITNESS_A], np.int8))
        changed = np.abs(self.draw(point) - 0.5).max(axis=-1) > 0.1
        rows, columns = np.nonzero(changed)
        assert np.ptp(rows) == np.ptp(columns)
        assert 11 <= np.ptp(rows) + 1 <= 16
        assert changed.sum() == pytest.approx(np.pi / 4 * (np.ptp(rows) + 1) ** 2, rel=0.15)

    def test_what_is_hidden_is_fainter_and_what_lies_in_a_surface_is_not(self):
        line = Primitives(lines=np.array([[[-0.5, 0, 0], [0.5, 0, 0]]]), line_role=np.array([Role.SHAPE_A], np.int8))
        seen, within, hidden = (np.abs(self.draw(line, wall=z) - 0.5).max() for z in (-1.0, 0.001, 1.0))
        assert 0.05 < hidden < 0.7 * seen
        assert within == pytest.approx(seen, abs=0.02)  # as good as in the surface

    def test_a_label_stands_on_a_plate_beside_its_place(self):
        without, with_label = self.draw(overlay("9 mm")), self.draw(overlay("9 mm"), labels=True)
        rows, columns = np.nonzero(np.abs(with_label - without).max(axis=-1) > 0.1)
        # At one end of the depth, away from the other.
        end = WIDTH / 2 - 0.2 * HEIGHT / 2
        assert end - 30 < columns.max() < end
        assert rows.max() < HEIGHT / 2 + 4
        plate = with_label[rows.min() : rows.max(), columns.min() + 4 : columns.max()]
        assert (plate.max(axis=-1) < max(PLATE) + 0.15).mean() > 0.4
        assert (plate.min(axis=-1) > 0.8).sum() > 20  # white letters

    def test_a_legend_has_a_line_for_each_color_at_the_lower_left_if_there_is_room(self):
        legend = (((Role.WITNESS_A,), "Crate"), ((Role.CONTACT, Role.WITNESS_B), Message("contacts")))
        image = self.draw(Primitives(), legend=legend)
        rows, columns = np.nonzero(np.abs(image - 0.5).max(axis=-1) > 0.1)
        assert LEGEND_INSET - 1 <= columns.min() <= LEGEND_INSET + 1 and columns.max() < LEGEND_MOST[0] * WIDTH
        assert HEIGHT - 1 - LEGEND_INSET - 1 <= rows.max() <= HEIGHT - LEGEND_INSET
        for share, (roles, _) in zip((0.25, 0.75), legend, strict=True):
            row = round(rows.min() + share * np.ptp(rows))
            for place, role in enumerate(roles):
                column = int(LEGEND_INSET + PLATE_PADDING + LEGEND_COLOR * (place + 0.5) / len(roles))
                np.testing.assert_allclose(image[row, column], LOOKS[role].color, atol=0.03)
        long = self.draw(Primitives(), legend=(((Role.WITNESS_A,), 40 * "Crate"),))
        assert np.nonzero(np.abs(long - 0.5).max(axis=-1) > 0.1)[1].max() < LEGEND_INSET + LEGEND_MOST[0] * WIDTH
        low = self.draw(Primitives(), legend=legend, room=(0.0, 0.0, WIDTH, 60.0))
        np.testing.assert_allclose(low, 0.5, atol=0.01)

    def test_the_legend_is_at_the_right_if_it_would_cover_the_way_only_at_the_left(self):
        legend = (((Role.WITNESS_A,), "Crate"),)
        for ends, right in (
            ([(30.0, 0.0), (50.0, 40.0)], True),
            ([(WIDTH - 50.0, 0.0), (WIDTH - 30.0, 40.0)], False),
            ([(30.0, 10.0), (WIDTH - 30.0, 20.0)], False),
            ([(30.0, 150.0), (50.0, 160.0)], False),
            ([], False),
        ):
            image = self.draw(Primitives(), legend=legend, uncovered=np.array(ends).reshape(-1, 2))
            columns = np.nonzero(np.abs(image - 0.5).max(axis=-1) > 0.1)[1]
            if right:
                assert WIDTH - 1 - LEGEND_INSET - 1 <= columns.max() <= WIDTH - LEGEND_INSET
                assert columns.min() > WIDTH / 2
            else:
                assert LEGEND_INSET - 1 <= columns.min() <= LEGEND_INSET + 1

    def test_of_the_places_that_a_legend_leaves_free_those_behind_the_camera_do_not_count(self):
        matrix = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, -1, 0]])
        points = np.array([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [1.0, -2.0, -2.0]])
        found = drawing.pixels_of(points, matrix, (200, 100))
        np.testing.assert_allclose(found, [[100.0, 50.0], [150.0, 0.0]])

    def test_the_bar_of_a_label_has_a_dark_rim(self):
        image = self.draw(as_label(np.zeros(3), Role.DEPTH, "9 mm"), labels=True)
        rows, columns = np.nonzero((np.abs(image - LOOKS[Role.DEPTH].color) < 0.02).all(axis=-1))
        bar = columns < columns.min() + 2
        assert np.ptp(rows[bar]) > 10, "the bar is what is farthest to the left"
        assert image[rows[bar].min() : rows[bar].max(), columns.min() - 1].max() < 0.3

    def test_a_label_is_moved_out_from_under_a_sidebar_and_left_out_beside_the_view(self):
        def named(x: float) -> Primitives:
            return Primitives(
                label_at=np.array([[x, 0.0, 0.0]]),
                label_away=np.full((1, 3), np.nan),
                label_role=np.array([Role.GAP], np.int8),
                labels=("1 m",),
            )

        def columns(x: float, right: int) -> np.ndarray:
            image = self.draw(named(x), labels=True, room=(0.0, 0.0, right, HEIGHT))
            return np.nonzero((np.abs(image - 0.5).max(axis=-1) > 0.1).any(axis=0))[0]

        # The view is 3.2 units wide. A sidebar covers what is right of pixel 200; the label's place is under it.
        free, covered = columns(0.9, WIDTH), columns(0.9, 200)
        assert covered.max() < 200 < free.min()
        assert np.ptp(covered) == np.ptp(free)
        assert len(columns(2.0, WIDTH)) == 0

    @pytest.mark.parametrize(
        ("x", "away", "left"), [(0.0, 0.5, True), (0.0, -0.5, False), (1.4, 0.9, True), (-1.4, -0.9, False)]
    )
    def test_a_label_is_on_the_side_away_from_a_place_unless_only_the_other_has_room(
        self, x: float, away: float, left: bool
    ):
        named = as_label(np.array([x, 0.0, 0.0]), Role.GAP, "move 12 mm", np.array([away, 0.0, 0.0]))
        image = self.draw(named, labels=True)
        columns = np.nonzero((np.abs(image - 0.5).max(axis=-1) > 0.1).any(axis=0))[0]
        at = WIDTH / 2 + x * HEIGHT / 2
        # Near a border, the side away from the place has no room.
        assert (columns.max() < at) == left and (columns.min() > at) == (not left)

    def test_a_thousand_contacts_take_as_many_calls_as_four_and_a_redraw_makes_nothing(self, monkeypatch):
        made, drawn = [], []

        class Counted:
            def __init__(self, *arguments, **options):
                made.append(arguments)
                self.batch = make(*arguments, **options)

            def draw(self, shader):
                drawn.append(shader)
                self.batch.draw(shader)

        make = drawing.batch_for_shader
        monkeypatch.setattr(drawing, "batch_for_shader", Counted)
        drawing.forget()
        taken = []
        for count in (4, 1000):
            primitives = contacts(count)
            kept = drawing.batches(primitives)
            self.show(primitives, kept)  # after it even what all overlays share is there
            made.clear(), drawn.clear()
            self.show(primitives, kept)
            taken.append((len(made), len(drawn)))
        drawing.forget()
        assert taken[0] == taken[1]
        assert taken[0][0] == 0 < taken[0][1]

    def show(self, primitives: Primitives, kept: drawing.Batches) -> None:
        """Redraw what is on the graphics card already."""
        import gpu

        offscreen = gpu.types.GPUOffScreen(WIDTH, HEIGHT, format="RGBA8")
        with offscreen.bind(), gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
            drawing.draw_view(kept, (WIDTH, HEIGHT))
            drawing.draw_pixel(primitives, np.eye(4), (WIDTH, HEIGHT))

    def test_the_state_of_the_gpu_is_left_as_blender_wants_it(self):
        import gpu

        self.draw(overlay(), labels=True)
        assert gpu.state.blend_get() == "NONE"
        assert gpu.state.depth_test_get() == "NONE"
