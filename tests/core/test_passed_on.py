# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's output is passed on to the terminal without control characters."""

import tempfile

import pytest

from collision_kit.addon.system.streams import pass_on


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (b"", ""),
        (b"Read blend: a.blend\n", "Read blend: a.blend\n"),
        (b"one\r\n\ttwo", "one\n\ttwo\n"),
        (b"a\x1b[31m \xc2\x9b31m b\n", "a\\x1b[31m \\x9b31m b\n"),
        ("Möbel\u202e\u2028\n".encode(), "Möbel\\u202e\\u2028\n"),
        (b"bad\xff.blend\n", "bad\\xff.blend\n"),
    ],
)
def test_lines_are_passed_on_with_controls_as_escapes(said: bytes, told: str, capfd: pytest.CaptureFixture) -> None:
    with tempfile.TemporaryFile() as held:
        held.write(said)
        pass_on(held)
    assert capfd.readouterr() == ("", told)
