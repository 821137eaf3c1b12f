# SPDX-License-Identifier: GPL-3.0-or-later
"""Run pytest inside Blender against the installed extension.

``python tests/run_in_blender.py [PYTEST ARGUMENT ...]``, in an environment that has bpy. The zip is built,
validated and installed into a throw-away profile. There `import collision_kit` gives the installed extension
(`bl_ext.user_default.collision_kit`), never the checkout; `tests.…` and `examples.…` come from the checkout.
The files of tests are dealt out to Blenders with a profile each, as many at once as there are processors: a crash or a
hang is the failure of a few files and not a lost run.

Exit status: pytest's own; 3 if the extension cannot be built or enabled, or if Blender crashes (twice) or hangs.
"""

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import traceback
import types
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from time import monotonic

ROOT = Path(__file__).resolve().parent.parent
EXTENSION = "bl_ext.user_default.collision_kit"
TIME_LIMIT = 10 * 60  # seconds, for one Blender
# To how many Blenders a processor's share of the files is dealt out: more are slower, and lose less by a crash.
PARTS = 4
FAILED = 3
NO_TESTS = 5
# Statuses of pytest: all passed, and nothing of these files was asked for.
FINE = {0, NO_TESTS}
CLOSING = re.compile(r" in [\d.]+s\b")
COUNT = re.compile(r"(\d+) (passed|failed|skipped|errors?|deselected|xfailed|xpassed|warnings?)")
# A line of pytest about a slow test, and how many of them are told of all runs.
SLOW = re.compile(r"^([\d.]+)s (?:call|setup|teardown) +(tests/\S.*)$", re.MULTILINE)
SLOWEST = 15
# What is told of runs that passed.
REMARKS = ("SKIPPED", "CRASHED")


class InstalledExtension(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Give the modules of the installed extension under the name `collision_kit` as well.

    The very same module objects: a second copy would have classes and results that are not the add-on's own.
    """

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Answer for `collision_kit` and everything in it."""
        if fullname.partition(".")[0] != "collision_kit":
            return None
        name = EXTENSION + fullname.removeprefix("collision_kit")
        if importlib.util.find_spec(name) is None:
            return None
        return importlib.util.spec_from_loader(fullname, InstalledExtension())

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        """Return the extension's module."""
        module = importlib.import_module(EXTENSION + spec.name.removeprefix("collision_kit"))
        self._own_spec = module.__spec__
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        """Put the module's own spec back, which the import system has just replaced by the alias's."""
        module.__spec__ = self._own_spec


def main(arguments: list[str]) -> int:
    """Build the extension and run pytest on it, in as many Blenders as it takes; return the exit status."""
    sys.path.insert(0, str(ROOT))
    from scripts.build_extension import ExtensionError, build
    from scripts.build_kernels import BuildError
    from scripts.bundled_wheels import DownloadError
    from scripts.translate_kernels import KernelError

    options, files = apart(arguments)
    with tempfile.TemporaryDirectory(prefix="collision-kit-") as folder:
        try:
            try:
                extension_zip = build(Path(folder))
            except DownloadError as error:
                print(f"note: {error}; the zip is built without it, and what needs it is skipped", file=sys.stderr)
                extension_zip = build(Path(folder), with_wheel=False)
        except (ExtensionError, BuildError, KernelError) as error:
            print(f"error: the extension cannot be built:\n{error}", file=sys.stderr)
            return FAILED
        if len(files) <= 1:
            return run(extension_zip, arguments, captured=False)[0]
        begin = monotonic()
        processors = os.cpu_count() or 1
        parts = [files[start :: PARTS * processors] for start in range(min(len(files), PARTS * processors))]
        total: Counter[str] = Counter()
        slow: list[tuple[float, str]] = []
        statuses = set()
        with ThreadPoolExecutor(processors) as blenders:
            # Two that run at once would write one cache.
            common = ["--durations=15", "-p", "no:cacheprovider", *options]
            runs = [blenders.submit(run, extension_zip, [*common, *part], captured=True) for part in parts]
            for number, one in enumerate(as_completed(runs), 1):
                status, output = one.result()
                counts, told = closing(output)
                total.update(counts)
                slow += [(float(seconds), test) for seconds, test in SLOW.findall(output)]
                statuses.add(status)
                if status in FINE:
                    output = "\n".join(line for line in output.splitlines() if line.startswith(REMARKS))
                print(*filter(None, [output, f"{number} of {len(parts)} Blenders: {told}"]), sep="\n", flush=True)
    for seconds, test in sorted(slow, reverse=True)[:SLOWEST]:
        print(f"{seconds:.1f} s {test}")
    counted = ", ".join(f"{count} {what}" for what, count in total.items()) or "no tests ran"
    print(f"===== {counted} in {monotonic() - begin:.0f}s =====")
    return max(statuses - FINE, default=0 if total["passed"] else NO_TESTS)


def apart(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Tell pytest's options from what to test; of folders, each file of tests."""
    options, files = [], []
    for argument in arguments:
        path = Path(argument.partition("::")[0])
        if argument.startswith("-") or not path.exists():
            options.append(argument)
        elif path.is_dir():
            files += [str(file) for file in sorted(path.rglob("test_*.py"))]
        else:
            files.append(argument)
    return options, files


def run(extension_zip: Path, arguments: list[str], *, captured: bool) -> tuple[int, str]:
    """Run pytest in a Blender with a profile of its own; return its status and what it wrote.

    A Blender that crashes is started once more, and both are told: no crash of ours is known, but old versions have
    some of their own that come once in many runs.
    """
    told = ""
    for attempt in ("first", "second"):
        with tempfile.TemporaryDirectory(prefix="collision-kit-") as profile:
            environment = os.environ | {"BLENDER_USER_RESOURCES": profile, "COLLISION_KIT_ZIP": str(extension_zip)}
            command = [sys.executable, __file__, "--inside", *arguments]
            stream = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT} if captured else {}
            try:
                done = subprocess.run(
                    command,
                    env=environment,
                    timeout=TIME_LIMIT,
                    check=False,
                    encoding="utf-8",
                    errors="replace",
                    **stream,
                )
            except subprocess.TimeoutExpired as error:
                written = error.output or b""
                told += written.decode("utf-8", "replace") if isinstance(written, bytes) else written
                return FAILED, report(told, f"error: Blender did not end within {TIME_LIMIT} seconds", captured)
        told += done.stdout or ""
        if done.returncode >= 0:
            return done.returncode, told
        told = report(told, f"CRASHED: Blender, by signal {-done.returncode}, in the {attempt} of two runs", captured)
    return FAILED, told


def report(told: str, line: str, captured: bool) -> str:
    """Tell one line more, now or with the rest."""
    if not captured:
        print(line, file=sys.stderr)
    return f"{told}\n{line}\n"


def closing(output: str) -> tuple[Counter[str], str]:
    """Return how many tests passed, failed and so on by the closing line of pytest, and that line."""
    lines = [line.strip("= ") for line in output.splitlines() if CLOSING.search(line)]
    told = lines[-1] if lines else "nothing ran"
    counts = {what.removesuffix("s"): int(count) for count, what in COUNT.findall(told)}
    return Counter(counts), told


def run_inside(arguments: list[str]) -> int:
    """Install and enable the extension, run pytest, disable it; return the exit status."""
    import bpy
    import pytest

    bpy.ops.extensions.package_install_files(
        filepath=os.environ["COLLISION_KIT_ZIP"], repo="user_default", enable_on_install=True
    )
    if EXTENSION not in bpy.context.preferences.addons:
        print("error: the extension was installed but could not be enabled", file=sys.stderr)
        return FAILED
    sys.meta_path.insert(0, InstalledExtension())
    status = pytest.main([f"--rootdir={ROOT}", f"--config-file={ROOT / 'pyproject.toml'}", *arguments])
    if EXTENSION in bpy.context.preferences.addons:
        bpy.ops.preferences.addon_disable(module=EXTENSION)
    return int(status)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--inside"]:
        try:
            status = run_inside(sys.argv[2:])
        except Exception:  # Blender raises what `register` has raised
            traceback.print_exc()
            status = FAILED
        sys.stdout.flush()
        sys.stderr.flush()
        # Blender 4.2 crashes and 4.5 hangs at exit if a test has left a class or a handler of its own behind.
        os._exit(status)
    sys.exit(main(sys.argv[1:]))
