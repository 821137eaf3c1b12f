# SPDX-License-Identifier: GPL-3.0-or-later
"""A second Blender for jobs that crash in long sessions: after some jobs, it is replaced by a new one."""

import json
import subprocess
import sys
from threading import Timer

_JOBS = """
import json, os, sys
import bpy
exec(sys.argv[1])
print("\\nREADY", flush=True)
for line in sys.stdin:
    code, arguments = json.loads(line)
    exec(code, {"arguments": arguments})
    sys.stderr.flush()
    print("\\nREADY", flush=True)
os._exit(0)
"""
TIME_LIMIT = 120  # seconds, for one job


class OtherBlender:
    """Runs jobs, each of which first opens its own file.

    Parameters
    ----------
    begin : str
        Code that is run once in each Blender.
    most : int
        The number of jobs for one Blender: the glTF add-on of 4.2 crashes in long sessions.
    """

    def __init__(self, begin: str = "", most: int = 8) -> None:
        self._begin, self._most = begin, most
        self._process: subprocess.Popen[str] | None = None
        self._done = 0

    def run(self, code: str, *arguments: str) -> str:
        """Run a program, which can use `arguments`, and return its output.

        If Blender crashes, run it again in another one.
        """
        told = ""
        for _ in range(2):
            if self._process is None:
                command = [sys.executable, "-c", _JOBS, self._begin]
                streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
                self._process = subprocess.Popen(command, encoding="utf-8", errors="replace", **streams)
                self._done = 0
                told += self._until_ready()
            told += self._job(json.dumps([code, arguments]))
            if self._process is not None:
                self._done += 1
                if self._done == self._most:
                    self._end()
                break
        return told

    def _job(self, line: str) -> str:
        if self._process is None:
            return ""
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return self._until_ready()

    def _until_ready(self) -> str:
        """Read up to the line that reports that Blender is ready. If it ends before, there is no process any more."""
        told = ""
        timer = Timer(TIME_LIMIT, self._process.kill)
        timer.start()
        for line in self._process.stdout:
            if line == "READY\n":
                break
            told += line
        else:
            self._end()
        timer.cancel()
        return told

    def _end(self) -> None:
        # The thread ends with the stream that it reads.
        self._process.stdin.close()
        self._process.wait(TIME_LIMIT)
        self._process.stdout.close()
        self._process = None
