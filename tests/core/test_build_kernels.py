# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiler of the kernels: when it runs, its message where it cannot, and the wheels that it packs."""

import base64
import csv
import hashlib
import importlib.util
import zipfile
from pathlib import Path

import pytest

import collision_kit
from scripts import build_kernels, bundled_wheels, kernel_wheels


@pytest.fixture
def compiled(monkeypatch) -> list[int]:
    """Count how often something is compiled, which takes no time here."""
    times: list[int] = []

    def compile_here(folder: Path) -> Path:
        times.append(1)
        path = folder / f"{build_kernels.SOURCES.MODULE}.abi3.so"
        path.write_text(f"compiled {len(times)}", encoding="utf-8")
        return path

    monkeypatch.setattr(build_kernels, "_compiled_here", compile_here)
    return times


def test_kernels_are_compiled_anew_only_if_what_they_are_made_of_has_changed(compiled, monkeypatch, tmp_path):
    for _ in range(2):
        path = build_kernels.build(tmp_path)
        assert path.read_text(encoding="utf-8") == "compiled 1"
    monkeypatch.setattr(build_kernels.SOURCES, "digest", lambda: "another")
    for _ in range(2):
        assert build_kernels.build(tmp_path).read_text(encoding="utf-8") == "compiled 2"
    path.unlink()
    build_kernels.build(tmp_path)
    assert len(compiled) == 3
    assert sorted(each.name for each in tmp_path.iterdir()) == [path.name, "stamp"]


def test_each_kernel_and_each_script_that_compiles_it_changes_the_key(monkeypatch, tmp_path):
    sources = build_kernels.SOURCES
    known = {build_kernels.key()}
    for path in [*sources.kernel_files(), sources.constant_file()]:
        copy = tmp_path / path.name
        copy.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
        with monkeypatch.context() as patch:
            files = [copy if each == path else each for each in sources.kernel_files()]
            patch.setattr(sources, "kernel_files", lambda files=files: files)
            if path == sources.constant_file():
                patch.setattr(sources, "constant_file", lambda copy=copy: copy)
            known.add(build_kernels.key())
    assert len(known) == len(sources.kernel_files()) + 2


def test_without_a_compiler_and_without_a_network_one_line_says_so(monkeypatch, tmp_path, capsys):
    def refuse(command: list[str], folder: Path) -> None:
        assert command[1:4] == ["-m", "pip", "install"]
        raise build_kernels.BuildError("no network")

    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "ziglang" else find(name))
    monkeypatch.setattr(build_kernels, "own_compiler", lambda: None)
    monkeypatch.setattr(build_kernels, "to_c", lambda folder: folder / "kernels.c")
    monkeypatch.setattr(build_kernels, "run", refuse)
    monkeypatch.setattr(build_kernels, "FOLDER", tmp_path)
    monkeypatch.setattr(build_kernels.build, "__defaults__", (tmp_path,))
    monkeypatch.setattr("sys.argv", ["build_kernels.py"])
    build_kernels.main()
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("The kernels are not compiled, and will be interpreted: there is no C compiler, and ziglang")
    assert not [*tmp_path.glob("*.so")]


@pytest.mark.parametrize(("variable", "found"), [("", None), ("here/cc -O2", ["here/cc"])])
def test_the_compiler_that_is_named_comes_first_and_then_none_may_be_there(monkeypatch, tmp_path, variable, found):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CC", variable)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(build_kernels.sysconfig, "get_config_var", lambda name: "gcc -pthread")
    monkeypatch.setattr(build_kernels.sys, "platform", "linux")
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "cc").touch(mode=0o755)
    assert build_kernels.own_compiler() == found


def test_a_wheel_lists_what_it_holds_and_is_made_once(compiled, monkeypatch, tmp_path):
    monkeypatch.setattr(build_kernels.build, "__defaults__", (tmp_path / "module",))
    path = kernel_wheels.wheel(output=tmp_path)
    assert kernel_wheels.wheel(output=tmp_path) == path and len(compiled) == 1
    name, version, python, abi, _ = path.stem.split("-")
    assert (name, python, abi) == ("collision_kit_kernels", "cp311", "abi3")
    assert version == f"{collision_kit.__version__}+{build_kernels.key()[:12]}"
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    record = f"{name}-{version}.dist-info/RECORD"
    listed = [*csv.reader(content[record].decode().splitlines())]
    assert {row[0] for row in listed} == {*content}
    for file, digest, size in listed:
        if file != record:
            expected = base64.urlsafe_b64encode(hashlib.sha256(content[file]).digest()).decode().rstrip("=")
            assert (digest, int(size)) == (f"sha256={expected}", len(content[file]))
    assert content["collision_kit_kernels.abi3.so"] == b"compiled 1"


def test_there_is_a_target_for_each_platform_of_the_extension():
    assert {*build_kernels.TARGETS} == {*bundled_wheels.WHEELS}
