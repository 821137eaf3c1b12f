# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps during which Python does not look for unreachable cycles, and between which it does."""

import gc
from collections.abc import Generator, Iterator

import pytest

from collision_kit.addon.model.steps import exhausted
from collision_kit.addon.system.garbage import collected_between


@pytest.fixture(params=[True, False], ids=["enabled", "disabled"])
def before(request: pytest.FixtureRequest) -> Iterator[bool]:
    """Whether collection is enabled when the steps begin."""
    was_enabled = gc.isenabled()
    (gc.enable if request.param else gc.disable)()
    yield request.param
    (gc.enable if was_enabled else gc.disable)()


def steps(during: list[bool], closed: list[bool]) -> Generator[int, None, str]:
    try:
        for number in range(3):
            during.append(gc.isenabled())
            yield number
        return "found"
    finally:
        closed.append(True)


def test_collection_is_disabled_during_steps_and_as_before_between_them(before: bool) -> None:
    during: list[bool] = []
    between: list[bool] = []
    assert exhausted(collected_between(steps(during, [])), lambda _: between.append(gc.isenabled())) == "found"
    assert during == [False] * 3
    assert between == [before] * 3
    assert gc.isenabled() is before


def test_steps_that_are_given_up_are_closed(before: bool) -> None:
    closed: list[bool] = []
    inner = steps([], closed)
    outer = collected_between(inner)
    next(outer)
    outer.close()
    assert closed == [True]
    assert gc.isenabled() is before


def test_after_an_error_collection_is_as_before(before: bool) -> None:
    def failing() -> Generator[int, None, None]:
        yield 0
        raise ValueError

    with pytest.raises(ValueError):
        exhausted(collected_between(failing()))
    assert gc.isenabled() is before
