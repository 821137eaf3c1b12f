# SPDX-License-Identifier: GPL-3.0-or-later
"""When compiled kernels are loaded, and what happens without numba."""

import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from collision_kit.core.numerics import compilation
from collision_kit.core.numerics.compilation import ALWAYS, AUTOMATIC, NEVER, Kernels


@pytest.fixture
def kernels(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[bool], ModuleType]:
    """Make a module of kernels that numba has cached, or not, and a process that has not worked yet."""

    def install(cached: bool) -> ModuleType:
        module = ModuleType("collision_kit.core.somewhere.compiled")
        module.total = SimpleNamespace(__name__="total", stats=SimpleNamespace(cache_path=str(tmp_path)))
        module._part = SimpleNamespace(__name__="_part", stats=SimpleNamespace(cache_path=str(tmp_path)))
        module.__file__ = str(tmp_path / "compiled.py")
        (tmp_path / "compiled.py").write_text("source")
        compilation._clear_outdated(module)
        if cached:
            (tmp_path / f"compiled.total-12.{compilation._PYTHON}.1.nbc").touch()
        monkeypatch.setitem(sys.modules, "collision_kit.core.somewhere", ModuleType("collision_kit.core.somewhere"))
        monkeypatch.setitem(sys.modules, module.__name__, module)
        return module

    monkeypatch.setattr(Kernels, "_work", 0.0)
    monkeypatch.setattr(Kernels, "_absent", False)
    monkeypatch.setattr(Kernels, "mode", AUTOMATIC)
    return install


@pytest.mark.parametrize(("cached", "seconds"), [(True, 1), (False, 30)])
def test_kernels_are_loaded_once_they_would_have_saved_more_than_the_loading_takes(
    kernels: Callable[[bool], ModuleType], cached: bool, seconds: int
) -> None:
    module = kernels(cached)
    loader = Kernels("somewhere", 1e-3)
    assert loader.load(0) is None
    found = [loader.load(100) for _ in range(10 * seconds)]
    assert found[0] is None and found[-1] is module
    first = found.index(module)
    assert found[first:] == [module] * (len(found) - first)
    assert (first >= 100) == (not cached)
    assert loader.load(0) is module


def test_many_questions_about_single_pairs_pay(kernels: Callable[[bool], ModuleType]) -> None:
    module = kernels(True)
    loader = Kernels("somewhere", 1e-6)
    found = [loader.load(1) for _ in range(10_000)]
    assert found[0] is None and found[-1] is module


def test_the_work_of_all_packages_counts_together(kernels: Callable[[bool], ModuleType]) -> None:
    module = kernels(True)
    first, second = Kernels("somewhere", 1e-3), Kernels("somewhere", 1e-6)
    assert first.load(10_000) is module
    assert second.load(1) is module


def test_work_that_needs_some_kernels_waits_for_no_other(kernels: Callable[[bool], ModuleType]) -> None:
    module = kernels(True)
    module.other = SimpleNamespace(__name__="other", stats=module.total.stats)
    assert Kernels("somewhere", 1e-3, "total").load(1000) is module
    assert Kernels("somewhere", 1e-3, "other").load(1000) is None
    assert Kernels("somewhere", 1e-3).load(1000) is None


def test_the_mode_decides_for_all(kernels: Callable[[bool], ModuleType], monkeypatch: pytest.MonkeyPatch) -> None:
    module = kernels(False)
    loader = Kernels("somewhere", 1e-3)
    monkeypatch.setattr(Kernels, "mode", ALWAYS)
    assert loader.load(1) is module
    monkeypatch.setattr(Kernels, "mode", NEVER)
    assert loader.load(10**9) is None


def run(code: str, mode: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process in which numba cannot be found, with the environment variable set to this mode."""
    code = f"import sys\nsys.modules['numba'] = None\n{code}"
    environment = {**os.environ, "COLLISION_KIT_FAST": mode}
    command = [sys.executable, "-W", "error", "-c", code]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


LOAD = """
from collision_kit.core.numerics.compilation import Kernels
print([Kernels(package, 1.0).load(rows) for rows in (0, 1, 10**6) for package in PACKAGES])
"""
PACKAGES = sorted(path.parent.name for path in Path(compilation.__file__).parents[1].glob("*/compiled.py"))


def test_without_numba_numpy_does_the_work() -> None:
    for mode in (AUTOMATIC, NEVER):
        done = run(f"PACKAGES = {PACKAGES!r}\n{LOAD}", mode)
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip() == str([None] * 3 * len(PACKAGES))


def test_without_numba_kernels_that_are_asked_for_are_an_error() -> None:
    done = run(f"PACKAGES = {PACKAGES!r}\n{LOAD}", ALWAYS)
    assert done.returncode == (1 if PACKAGES else 0)
    assert not PACKAGES or "ImportError: kernels are to be used always, but numba cannot be used" in done.stderr


def test_an_unknown_mode_is_an_error() -> None:
    done = run("import collision_kit.core.numerics.compilation", "sometimes")
    assert "ValueError: the environment variable COLLISION_KIT_FAST is 'sometimes'; it can be" in done.stderr


@pytest.mark.parametrize("kind", [ImportError, KeyError])
def test_a_numba_that_does_not_fit_is_told_once(
    kernels: Callable[[bool], ModuleType], monkeypatch: pytest.MonkeyPatch, kind: type[Exception]
) -> None:
    kernels(True)

    def fail(name: str) -> ModuleType:
        raise kind("Numba needs NumPy 2.4 or less")

    monkeypatch.setattr(compilation, "import_module", fail)
    loader = Kernels("somewhere", 1e-3)
    with pytest.warns(RuntimeWarning, match=r"numba cannot be used: '?Numba needs NumPy 2\.4 or less"):
        assert loader.load(10**6) is None
    assert loader.load(10**6) is None
    monkeypatch.setattr(compilation, "import_module", import_module)
    assert loader.load(10**6) is Kernels("somewhere", 1e-3).load(10**6) is None


@pytest.mark.parametrize("names", [(), ("total",)])
def test_kernels_that_are_not_compiled_are_left_out(
    kernels: Callable[[bool], ModuleType], monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...]
) -> None:
    # What numba makes of functions if NUMBA_DISABLE_JIT is set.
    module = kernels(True)
    module.total = sum
    loader = Kernels("somewhere", 1e-3, *names)
    assert loader.load(10**6) is None and loader.load(10**9) is None
    monkeypatch.setattr(Kernels, "mode", ALWAYS)
    assert Kernels("somewhere", 1e-3, *names).load(1) is module


def change_source(module: ModuleType) -> None:
    Path(module.__file__).write_text("another source")


def change_constant(module: ModuleType) -> None:
    module.LIMIT = 2.0


def change_numba(module: ModuleType) -> None:
    sys.modules["numba"] = SimpleNamespace(__version__="99")


@pytest.mark.parametrize("change", [change_source, change_constant, change_numba])
def test_kernels_of_another_version_are_compiled_again_once_that_pays(
    kernels: Callable[[bool], ModuleType],
    change: Callable[[ModuleType], None],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setitem(sys.modules, "numba", SimpleNamespace(__version__="98"))
    caplog.set_level("INFO")
    module = kernels(True)
    module.LIMIT = 1.0
    compilation._clear_outdated(module)
    (Path(module.__file__).parent / f"compiled.total-12.{compilation._PYTHON}.1.nbc").touch()
    change(module)
    loader = Kernels("somewhere", 1e-3)
    assert loader.load(1000) is None
    assert caplog.messages == []
    assert loader.load(100_000) is loader.load(1) is module
    assert caplog.messages == ["the kernels of somewhere are compiled, which takes about 20 s"]


def test_kernels_that_another_python_has_compiled_are_not_loaded_as_if_they_were_there(
    kernels: Callable[[bool], ModuleType], tmp_path: Path
) -> None:
    kernels(False)
    other = tmp_path / "compiled.total-12.py37m.1.nbc"
    other.touch()
    assert Kernels("somewhere", 1e-3).load(1000) is None
    assert other.exists()


class Cache:
    """A cache of numba whose files are damaged, or cannot be written."""

    def __init__(self) -> None:
        self.empty, self.enabled = False, True

    def load_overload(self, signature: str) -> str:
        raise EOFError(signature)

    def save_overload(self, signature: str, code: str) -> None:
        raise OSError(28, f"No space left for {signature} {code}")

    def flush(self) -> None:
        self.empty = True

    def disable(self) -> None:
        self.enabled = False


@pytest.mark.parametrize("given", [("load_overload", "box"), ("save_overload", "box", "code")])
def test_a_cache_that_cannot_be_used_is_told_once_and_is_no_error(
    kernels: Callable[[bool], ModuleType], monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...]
) -> None:
    module = kernels(True)
    module.total._cache, module._part._cache = Cache(), Cache()
    monkeypatch.setattr(Kernels, "_told", False)
    assert Kernels("somewhere", 1e-3).load(1000) is module
    name, *arguments = given
    with pytest.warns(RuntimeWarning, match="the cache of numba cannot be used: .*box") as told:
        for each in (module.total._cache, module._part._cache) * 2:
            assert getattr(each, name)(*arguments) is None
    assert len(told) == 1
    assert module.total._cache.empty and module.total._cache.enabled


def test_a_cache_that_may_be_outdated_and_cannot_be_cleared_is_not_used(
    kernels: Callable[[bool], ModuleType], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    module = kernels(False)
    module.total._cache = Cache()
    monkeypatch.setattr(Kernels, "_told", False)
    (tmp_path / f"compiled.{compilation._PYTHON}.sha256").unlink()
    (tmp_path / f"compiled.{compilation._PYTHON}.sha256").mkdir()
    monkeypatch.setattr(Kernels, "mode", ALWAYS)
    with pytest.warns(RuntimeWarning, match="the cache of numba cannot be used"):
        assert Kernels("somewhere", 1e-3).load(1) is module
    assert not module.total._cache.enabled


FULL = """
import resource, warnings
import numpy as np
import collision_kit.core as ck
a, b = ck.Boxes([[0, 0, 0]], [[1, 1, 1]]), ck.Boxes([[4, 0, 0]], [[1, 1, 1]])
resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT))
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    for _ in range(2):
        print(ck.time_of_impact(a, b, velocity_b=[[-4, 0, 0]]).time[0])
print(len(told))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="files cannot be limited in size")
@pytest.mark.parametrize("limit", [16, 4096])
def test_queries_are_answered_where_no_file_can_be_written(limit: int, tmp_path: Path) -> None:
    pytest.importorskip("numba", reason="numba is not installed: pip install collision-kit[fast]")
    environment = {**os.environ, "COLLISION_KIT_FAST": ALWAYS, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", f"LIMIT = {limit}\n{FULL}"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert (done.stdout.split(), done.stderr) == (["0.5", "0.5", "1"], "")
    assert not [*tmp_path.rglob("*.nbc")]
