# SPDX-License-Identifier: GPL-3.0-or-later
"""Start a Blender with a window, and have it run a script: for the tests of the window, and for pictures of it."""

import os
import shlex
import shutil
import signal
import subprocess
from pathlib import Path
from typing import NamedTuple

SETUP_LIMIT = 330  # seconds; half of it is downloading
STABLE = "trixie"


class NoWindow(Exception):
    """There is no Blender with a window, and the message says why."""


class Failed(Exception):
    """Blender has not come to the end of the script; the message is what it wrote."""


class Window(NamedTuple):
    """How to start Blender with a window; `screen` is where Xvfb keeps what is on it, if that is what it draws on.

    `has_mouse` says whether xdotool is there to move the mouse of that screen.
    """

    command: list[str]
    size: tuple[int, int]
    screen: Path | None
    has_mouse: bool = False


def find_window(wanted: str, size: tuple[int, int], kept: Path, folders: list[Path], *, own: bool = False) -> Window:
    """Return how to start a Blender with a window of this size.

    Parameters
    ----------
    wanted : str
        The program, `debian` for the one of Debian stable, or `debian:SUITE`.
    size : (int, int)
        Width and height in pixels.
    kept : Path
        An empty folder in which Xvfb may keep what is on its screen.
    folders : list of Path
        What Debian's Blender has to see of this machine.
    own : bool
        Use a screen of Xvfb even if there is a display, so that pictures can be taken of it.
    """
    prefix: list[str] = []
    has_mouse = shutil.which("xdotool") is not None
    system, _, suite = wanted.partition(":")
    if system == "debian":
        prefix, wanted, has_mouse = debian(suite or STABLE, folders), "blender", True
    elif not own and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return Window(shlex.split(wanted), size, None)
    elif shutil.which("xvfb-run") is None:
        raise NoWindow("no display: " + ("install xvfb-run" if own else "set DISPLAY, or install xvfb-run"))
    # -r: no key is repeated while it is held, because drawing is slow on a busy machine, and a second Ctrl+Z would undo
    # another step.
    server = f"--server-args=-screen 0 {size[0]}x{size[1]}x24 -nocursor -r -fbdir {kept}"
    return Window(
        [*prefix, "xvfb-run", "--auto-servernum", server, *shlex.split(wanted)], size, kept / "Xvfb_screen0", has_mouse
    )


def debian(suite: str, folders: list[Path]) -> list[str]:
    """Install a Debian with Blender in it; return what makes a command run there."""
    script = Path(__file__).with_name("debian.sh")
    folder = script.parents[2] / "build" / "debian" / suite
    try:
        done = subprocess.run(
            [script, "setup", folder, suite], capture_output=True, text=True, timeout=SETUP_LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        raise NoWindow(f"no Debian with Blender within {SETUP_LIMIT} seconds") from None
    if done.returncode:
        raise NoWindow(f"no Debian with Blender can be installed: {(done.stdout + done.stderr)[-300:].strip()}")
    return [str(script), "run", str(folder), ":".join(map(str, folders))]


def play(
    window: Window, script: Path, arguments: list[str], folder: Path, limit: float, *, with_mouse: bool = False
) -> str:
    """Have Blender run a script that ends it, with what it saves in `folder`; return what it wrote.

    Blender takes simulated events, or, `with_mouse`, those of the screen's mouse.
    """
    width, height = map(str, window.size)
    options = ["--factory-startup", "--window-geometry", "0", "0", width, height]
    if not with_mouse:
        options.append("--enable-event-simulate")
    process = subprocess.Popen(
        [*window.command, *options, "--python", str(script), "--", *arguments],
        env=os.environ
        | {
            "BLENDER_USER_RESOURCES": str(folder / "profile"),
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "TMPDIR": str(folder),  # where Blender saves what is open when it ends
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # Blender and its screen with it
        output, _ = process.communicate()
        raise Failed(f"Blender did not end within {limit} seconds\n{output}") from None
    if process.returncode:
        raise Failed(output)
    return output
