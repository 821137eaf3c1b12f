# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line in a separate process."""

import os
import re
import subprocess
import sys

MAIN = "import sys; from collision_kit.command import main; sys.exit(main())"


def start(environment: dict[str, str], *arguments: str, how: tuple[str, ...] = ("-P", "-c", MAIN), **options):
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.Popen([sys.executable, *how, *arguments], env=environment, encoding="utf-8", **streams)


def finish(started: subprocess.Popen) -> tuple[int, str, str]:
    output, error = started.communicate(timeout=120)
    # Commands that take long on a busy machine report their progress.
    return started.returncode, output, re.sub(r"^\d+ of \d+ files, .*\n", "", error or "", flags=re.MULTILINE)


def left_behind(environment: dict[str, str]) -> list[str]:
    return sorted(os.listdir(environment["TMPDIR"]))
