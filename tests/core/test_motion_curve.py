# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of the distance of two bodies over frames."""

import numpy as np

from collision_kit.addon.debug_draw.curve import curve_picture, with_frame
from collision_kit.addon.model.motion_report import curve_parts

SIZE = (120, 80)
LINE, AREA, DOT, LEVEL = ((1.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 0.5), (0.0, 0.0, 1.0, 1.0), (1.0, 1.0, 0.0, 1.0))


def test_each_point_of_the_curve_is_drawn_where_its_frame_and_distance_are():
    rng = np.random.default_rng(0)
    frames, distances = np.arange(1.0, 21.0), rng.uniform(-1.0, 2.0, 20)
    curve = list(zip(frames.tolist(), distances.tolist(), strict=True))
    window = (1.0, 20.0), (-1.0, 2.0)
    picture = curve_picture([curve], window, [(0.0, LEVEL)], (curve[0], DOT), SIZE, (LINE, AREA))
    assert picture.shape == (SIZE[1], SIZE[0], 4)
    assert (picture >= 0.0).all() and (picture <= 1.0).all()
    border = 0.04
    for frame, distance in curve[1:]:
        x = (border + (frame - 1.0) / 19.0 * (1.0 - 2.0 * border)) * SIZE[0]
        y = (border + (distance + 1.0) / 3.0 * (1.0 - 2.0 * border)) * SIZE[1]
        np.testing.assert_allclose(picture[int(y), int(x)], LINE, atol=0.1)
    # Nothing is above the highest point, and below distance 0 is the area.
    assert not picture[-1, :, 3].any()
    np.testing.assert_allclose(picture[0, :, :], np.tile(AREA, (SIZE[0], 1)))


def test_a_gap_of_more_than_a_frame_parts_the_curve():
    curve = [(1.0, 1.0), (2.0, 0.5), (2.5, 0.2), (9.0, 1.0), (10.0, 2.0)]
    assert curve_parts(curve) == [curve[:3], curve[3:]]
    picture = curve_picture(curve_parts(curve), ((1.0, 10.0), (0.0, 2.0)), [], ((2.5, 0.2), DOT), SIZE, (LINE, AREA))
    middle = int((0.04 + (6.0 - 1.0) / 9.0 * 0.92) * SIZE[0])
    assert not picture[:, middle, 3].any()


def test_a_line_at_a_frame_is_where_that_frame_is_and_nowhere_outside_the_curve():
    rng = np.random.default_rng(3)
    window = (1.0, 10.0), (0.0, 2.0)
    picture = curve_picture([[(1.0, 2.0), (10.0, 1.0)]], window, [], ((1.0, 2.0), DOT), SIZE, (LINE, AREA))
    before = picture.copy()
    for frame in (1.0, 10.0, *rng.uniform(1.0, 10.0, 5).tolist()):
        changed = (with_frame(picture, window, frame, LEVEL) != picture).any(axis=2)
        column = (0.04 + (frame - 1.0) / 9.0 * 0.92) * SIZE[0]
        rows, columns = np.nonzero(changed)
        assert abs(columns + 0.5 - column).max() <= 2.0
        assert np.ptp(rows) >= 0.9 * SIZE[1]
    for frame in (0.0, 10.5):
        assert (with_frame(picture, window, frame, LEVEL) == picture).all()
    assert (picture == before).all()
