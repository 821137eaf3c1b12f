# SPDX-License-Identifier: GPL-3.0-or-later
"""Broken files of every format: the command ends with 0, 1 or 2, with one line where it is 2, and leaves nothing.

Scenes that Blender writes, the files of the folder that COLLISION_KIT_DATA names, and a configuration, a baseline and a
BCF file of a scene are cut, overwritten, and given numbers that no file should have. Each is checked in a process of
its own. For speed, this is a copy (`os.fork`) of one in which Blender has been loaded. If anything is wrong, the file
is checked again by the command itself, which decides; of the files that crash Blender only some are.
"""

import io
import json
import os
import random
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PYTHON = ".venv/bin/python"
COUNT, LIMIT = 1300, 7200

SCENES = ("blend", "glb", "gltf", "obj", "ply", "stl", "fbx", "usda", "usdc", "usdz")
# Files that the check of a scene reads beside it, and the option that names them.
BESIDE = {"toml": "--config", "json": "--baseline", "bcf": "--bcf"}
FORMATS = (*SCENES, *BESIDE)
COMMANDS = [["check"]] * 5 + [["motion", "--frames", "1:3"], ["validate"], ["validate", "--engine", "gltf"]]
# Seconds of processor time that one file may take; and of the clock, as the machine may be doing much else.
PATIENCE, HANG = 60.0, 600.0
# Bytes: importers ask for as much as a broken file says, and the machine is not theirs alone.
MEMORY = 6_000_000_000
# Of so many one is checked by the command itself even where nothing is wrong: a copy has no process that watches it.
ALONE = 100
# Of so many crashes of one format one is: whatever crashes, the process that watches says the same line.
CRASHES = 5

Failure = dict[str, Any]
Case = dict[str, Any]

_NUMBER = re.compile(rb"(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])")
_HOSTILE = [
    *(b"-1", b"0", b"1", b"3", b"99999999", b"4294967295", b"-2147483648", b"1e38", b"-1e38", b"1e400", b"1e-320"),
    *(b"nan", b"NaN", b"inf", b"null", b'""', b"[]", b"{}", b"true", b"0.5", b"18446744073709551616", b"1" * 400),
]
_HOSTILE_BYTES = [
    *("00000000", "ffffffff", "ffffff7f", "00000080", "0000807f", "0000c07f", "ffff7f7f", "01000000", "ff", "00", "80"),
    *("ffffffffffffffff", "000000000000f07f", "000000000000f87f", "9999767f", "feffffff", "00010000", "0a", "22", "7b"),
]

_SEEDS = """
import os, sys
import bpy
folder = sys.argv[1]

def save(name):
    path = os.path.join(folder, name)
    bpy.ops.wm.save_as_mainfile(filepath=path + ".blend", compress=False)
    bpy.ops.export_scene.gltf(filepath=path + ".glb", export_format="GLB")
    bpy.ops.export_scene.gltf(filepath=path + ".gltf", export_format="GLTF_SEPARATE")
    bpy.ops.export_scene.fbx(filepath=path + ".fbx")
    bpy.ops.wm.obj_export(filepath=path + ".obj")
    bpy.ops.wm.ply_export(filepath=path + ".ply", ascii_format=name != "cubes")
    bpy.ops.wm.stl_export(filepath=path + ".stl", ascii_format=name != "cubes")
    for ending in (".usda", ".usdc", ".usdz"):
        bpy.ops.wm.usd_export(filepath=path + ending)

# Few triangles, and nothing deep in each other, so that most of the time is spent on reading.
def new():
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)

import addon_utils
for module in ("io_scene_fbx", "io_scene_gltf2"):
    addon_utils.enable(module)
new()
for number in range(3):
    bpy.ops.mesh.primitive_cube_add(size=1, location=(0.75 * number, 0, 0))
save("cubes")
new()
bpy.ops.mesh.primitive_uv_sphere_add(segments=8, ring_count=6)
ball = bpy.context.object
bpy.ops.mesh.primitive_torus_add(major_segments=8, minor_segments=6, location=(0, 0, 3))
ring = bpy.context.object
ring.parent = ball
bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 4, 0))
bpy.context.object.name = "UBX_Ball"
bpy.context.object.modifiers.new("Array", "ARRAY")
bpy.ops.curve.primitive_bezier_circle_add(location=(-4, 0, 0))
bpy.context.object.data.bevel_depth = 0.1
bpy.context.object.data.bevel_resolution = 0
bpy.context.object.data.resolution_u = 3
bpy.ops.object.text_add(location=(0, -4, 0))
bpy.context.object.data.resolution_u = 1
bpy.ops.object.camera_add()
ball.keyframe_insert("location", frame=1)
ball.location.x = 3
ball.keyframe_insert("location", frame=3)
material = bpy.data.materials.new("Paint")
ball.data.materials.append(material)
ball.shape_key_add(name="Basis")
ball.shape_key_add(name="Key").data[0].co.x = 2
bpy.ops.rigidbody.world_add()
save("zoo")
os._exit(0)
"""

_CONFIGURATION = """
[check]
touching = "0.1mm"
clearance = 0.05
fail_on = ["duplicate", "penetrating", "contained"]
include_operands = true

[[test]]
name = "cubes"
a = ["Cube*", "collection:Collection", "type:MESH"]
b = "Cube.002"
clearance = "10mm"
severity = "warning"

[[ignore]]
a = "Cube"
b = ["Cube.00[12]"]
max_depth = "30cm"
reason = "pressed in"

[names]
unreal = "{prefix}_{mesh}_{index}"
"""

# Blender is loaded once; each file is read by a copy of this process, which the system makes in a moment.
_SERVER = """
import json, os, sys, time
import collision_kit
from collision_kit.addon.cli import commands
collision_kit.register()
folder, hang = sys.argv[1], float(sys.argv[2])
answers = open(os.path.join(folder, "answers"), "w")
for number, place, arguments in json.load(open(os.path.join(folder, "cases.json"))):
    streams = [os.path.join(folder, f"{number}.{name}") for name in ("out", "err")]
    before = set(os.listdir(place))
    end = time.monotonic() + hang
    child = os.fork()
    if not child:
        code = 70
        try:
            for stream, name in enumerate(streams, start=1):
                os.dup2(os.open(name, os.O_CREAT | os.O_WRONLY | os.O_TRUNC), stream)
            code = commands.command(arguments)
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(code)
    ended, hangs = 0, False
    while not ended:
        time.sleep(0.005)
        ended, status, used = os.wait4(child, os.WNOHANG)
        if not ended and not hangs and time.monotonic() > end:
            hangs = True
            os.kill(child, 9)
    out, err = (open(name, errors="replace").read() for name in streams)
    left = sorted(set(os.listdir(place)) - before - {"report.txt"})
    code = None if hangs else os.waitstatus_to_exitcode(status)
    taken = used.ru_utime + used.ru_stime
    answer = {"number": number, "code": code, "out": out, "err": err, "taken": taken, "left": left}
    print(json.dumps(answer), file=answers, flush=True)
os._exit(0)
"""

_COMMAND = "from collision_kit import main; main()"


def run(seed: int, count: int, formats: Sequence[str] = FORMATS) -> list[Failure]:
    """Check `count` broken files, an equal number of each of the formats."""
    with tempfile.TemporaryDirectory(prefix="hostile-") as name:
        folder = Path(name)
        seeds = Seeds(folder / "seeds")
        cases = {
            number: seeds.case(random.Random(f"{seed} {number}"), formats[number % len(formats)])
            for number in range(count)
        }
        suspects = {number for number in cases if number % ALONE == seed % ALONE}
        codes: Counter[str] = Counter()
        suspects |= _suspects(folder, seeds, cases, codes)
        print(f"seed {seed}: {dict(sorted(codes.items()))}", file=sys.stderr)
        failures = []
        for number in sorted(suspects):
            what = _alone(folder, seeds, cases[number])
            if what:
                failures.append({"what": f"{cases[number]['format']}: {what}", "case": cases[number]})
        return failures


def wrong(failure: Failure) -> str:
    """Run the command on the file of a failure again; returns the errors."""
    with tempfile.TemporaryDirectory(prefix="hostile-") as name:
        folder = Path(name)
        what = _alone(folder, Seeds(folder / "seeds"), failure["case"])
        return f"{failure['case']['format']}: {what}" if what else ""


class Seeds:
    """The files that are broken, by format."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        command = [sys.executable, "-P", "-c", _SEEDS, folder]
        temporary = {**os.environ, "TMPDIR": str(folder.parent)}
        subprocess.run(command, capture_output=True, check=False, timeout=600, env=temporary)
        physics = json.loads((folder / "cubes.gltf").read_text())
        for node, shape in zip(physics["nodes"], range(3), strict=False):
            collider = {"geometry": {"shape": shape}} if shape else {"geometry": {"mesh": 0, "convexHull": True}}
            body = {"motion": {"mass": 2.0}, "collider": {**collider, "physicsMaterial": 0, "collisionFilter": 0}}
            node["extensions"] = {"KHR_physics_rigid_bodies": body}
        physics["nodes"].append({"name": "Group", "children": list(range(3)), "scale": [1, 2, 1]})
        physics["scenes"][0]["nodes"] = [3]
        shapes = [
            {"type": "box", "box": {"size": [1, 2, 3]}},
            {"type": "capsule", "capsule": {"radiusTop": 0.5, "radiusBottom": 0.5, "height": 1}},
            {"type": "sphere", "sphere": {"radius": 0.5}},
        ]
        physics["extensionsUsed"] = ["KHR_physics_rigid_bodies", "KHR_implicit_shapes"]
        physics["extensions"] = {
            "KHR_implicit_shapes": {"shapes": shapes},
            "KHR_physics_rigid_bodies": {
                "physicsMaterials": [{"dynamicFriction": 0.5, "restitution": 0.1}],
                "collisionFilters": [{"collisionSystems": ["a"], "collideWithSystems": ["b"]}],
            },
        }
        (folder / "physics.gltf").write_text(json.dumps(physics, indent=1))
        (folder / "cubes.toml").write_text(_CONFIGURATION)
        outputs = [f"--output={folder / 'cubes'}{ending}" for ending in (".json", ".bcf")]
        command = [sys.executable, "-P", "-c", _COMMAND, "check", folder / "cubes.blend", *outputs]
        subprocess.run(command, capture_output=True, check=False, timeout=600, env=temporary)
        self.folder = folder
        given = os.environ.get("COLLISION_KIT_DATA")
        self.files: dict[str, list[Path]] = {
            ending: [folder / f"cubes.{ending}"] if ending in BESIDE else [] for ending in FORMATS
        }
        for path in [*sorted(folder.iterdir()), *(sorted(Path(given).rglob("*")) if given else ())]:
            ending = path.suffix[1:].lower()
            if ending in SCENES and path.stat().st_size < 3_000_000:
                self.files[ending].append(path)

    def case(self, rng: random.Random, ending: str) -> Case:
        path = rng.choice(self.files[ending])
        changes = [_change(rng, ending) for _ in range(rng.choice((1, 1, 1, 2, 4, 16)))]
        case = {"format": ending, "file": path.name, "changes": changes, "command": rng.choice(COMMANDS)}
        if ending in BESIDE:
            case["command"] = ["check"]
        if ending == "bcf":
            # Most changes of an archive are noticed by its checksums. Those of a file in it are not.
            case["member"] = rng.choice((None, rng.randrange(10**9), rng.randrange(10**9)))
        return case

    def make(self, case: Case, folder: Path) -> Path:
        """Write the broken file of a case into a new folder, beside what it refers to; return its path."""
        folder.mkdir()
        source = next(path for path in self.files[case["format"]] if path.name == case["file"])
        for ending in (".bin", ".mtl"):
            if source.with_suffix(ending).is_file():
                shutil.copy(source.with_suffix(ending), folder)
        if case["file"] == "physics.gltf":
            shutil.copy(source.with_name("cubes.bin"), folder)
        path = folder / f"broken.{case['format']}"
        path.write_bytes(broken(source.read_bytes(), case))
        return path

    def arguments(self, case: Case, path: Path) -> list[str]:
        """The arguments of the command for the broken file of a case."""
        scene = [str(self.folder / "cubes.blend"), BESIDE[case["format"]]] if case["format"] in BESIDE else []
        return [*case["command"], *scene, str(path), "--output", str(path.with_name("report.txt"))]


def _change(rng: random.Random, ending: str) -> list[Any]:
    """One thing to be done to a file; places are numbers that are taken modulo the length."""
    places = rng.choice((200, 4000, 10**9))
    place = rng.randrange(places)
    texts = {
        "gltf": 0.8,
        "glb": 0.6,
        "obj": 0.6,
        "ply": 0.4,
        "stl": 0.2,
        "usda": 0.6,
        "toml": 0.4,
        "json": 0.6,
        "bcf": 0.3,
    }
    if rng.random() < texts.get(ending, 0.0):
        return ["number", place, rng.choice(_HOSTILE).decode()]
    kind = rng.choice(("flip", "flip", "put", "put", "put", "cut", "drop", "copy"))
    if kind == "flip":
        return [kind, place, 1 << rng.randrange(8)]
    if kind == "put":
        return [kind, place - place % rng.choice((1, 4)), rng.choice(_HOSTILE_BYTES)]
    if kind == "cut":
        return [kind, rng.randrange(10**9)]
    return [kind, place, rng.choice((1, 4, 16, 300)), *([rng.randrange(places)] if kind == "copy" else [])]


def broken(data: bytes, case: Case) -> bytes:
    """The bytes of a file after the changes of a case, which may be those of a file in an archive."""
    if case.get("member") is None:
        return _changed(data, case)
    archive = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(archive, "w") as new:
        names = old.namelist()
        for number, name in enumerate(names):
            inside = old.read(name)
            new.writestr(name, _changed(inside, case) if number == case["member"] % len(names) else inside)
    return archive.getvalue()


def _changed(data: bytes, case: Case) -> bytes:
    """The bytes after the changes of a case."""
    for kind, place, *more in case["changes"]:
        size = len(data)
        at = place % max(size, 1)
        if kind == "number":
            data = _renumbered(data, place, more[0].encode(), case["format"])
        elif kind == "flip":
            data = data[:at] + bytes(byte ^ more[0] for byte in data[at : at + 1]) + data[at + 1 :]
        elif kind == "put":
            new = bytes.fromhex(more[0])
            data = data[:at] + new + data[at + len(new) :]
        elif kind == "cut":
            data = data[:at]
        elif kind == "drop":
            data = data[:at] + data[at + more[0] :]
        else:
            there = more[1] % max(size, 1)
            data = data[:there] + data[at : at + more[0]] + data[there:]
    return data


def _renumbered(data: bytes, which: int, new: bytes, ending: str) -> bytes:
    """Data with one of the numbers that are written in it replaced; a .glb keeps its form."""
    head, text, tail = b"", data, b""
    if ending == "glb" and data[:4] == b"glTF" and len(data) > 20:
        length = struct.unpack_from("<I", data, 12)[0]
        head, text, tail = data[:20], data[20 : 20 + length], data[20 + length :]
    elif ending == "ply":
        end = data.find(b"end_header") if b"format binary" in data[:100] else len(data)
        text, tail = data[:end], data[end:]
    numbers = list(_NUMBER.finditer(text))
    if not numbers:
        return data
    found = numbers[which % len(numbers)]
    text = text[: found.start()] + new + text[found.end() :]
    if head:
        text += b" " * (-len(text) % 4)
        sizes = struct.pack("<I", 20 + len(text) + len(tail)), struct.pack("<I", len(text))
        head = head[:8] + sizes[0] + sizes[1] + head[16:]
    return head + text + tail


def _suspects(folder: Path, seeds: Seeds, cases: dict[int, Case], codes: Counter[str]) -> set[int]:
    """The cases on which something is wrong in a copy of Blender; how each ends is counted."""
    listed = []
    for number, case in cases.items():
        path = seeds.make(case, folder / str(number))
        listed.append([number, str(path.parent), seeds.arguments(case, path)])
    (folder / "cases.json").write_text(json.dumps(listed))
    command = [sys.executable, "-P", "-c", _SERVER, str(folder), str(HANG)]
    done = subprocess.run(
        command, capture_output=True, env={**os.environ, "TMPDIR": str(folder)}, preexec_fn=_limited, check=False
    )
    answers = [json.loads(line) for line in (folder / "answers").read_text().splitlines()]
    if len(answers) < len(cases):
        raise RuntimeError(f"the Blender that is copied ended with {done.returncode}: {done.stderr.decode()[-2000:]}")
    suspects, crashes = set(), Counter[tuple[str, int]]()
    for answer in answers:
        code, ending = answer["code"], cases[answer["number"]]["format"]
        codes["hangs" if code is None else f"signal {-code}" if code < 0 else f"exit code {code}"] += 1
        slow = answer["taken"] > PATIENCE
        if code is not None and code < 0 and not slow and not answer["left"]:
            if crashes[ending, code] % CRASHES == 0:
                suspects.add(answer["number"])
            crashes[ending, code] += 1
        elif code is None or slow or answer["left"] or _complaint(code, answer["out"], answer["err"]):
            suspects.add(answer["number"])
    return suspects


def _alone(folder: Path, seeds: Seeds, case: Case) -> str:
    """Run the command itself on a file; returns the errors, empty if there are none."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        place = Path(name)
        path = seeds.make(case, place / "scene")
        temporary = place / "temporary"
        temporary.mkdir()
        before = sorted(path.parent.iterdir())
        report = path.with_name("report.txt")
        command = [sys.executable, "-P", "-c", _COMMAND, *seeds.arguments(case, path)]
        environment = {**os.environ, "TMPDIR": str(temporary)}
        started = _processor_time()
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                env=environment,
                preexec_fn=_limited,
                timeout=HANG,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"does not end in {HANG:g} seconds"
        taken = _processor_time() - started
        if taken > PATIENCE:
            return f"takes {taken:.0f} seconds of processor time"
        complaint = _complaint(done.returncode, done.stdout, done.stderr)
        if complaint:
            fault = re.search(r"error: (\w+): .*\((\w+\.py), line \d+\)", done.stderr)
            return f"{complaint}: {fault[1]} in {fault[2]}" if fault else complaint
        left = {*path.parent.iterdir()} - {*before, report} | {*temporary.iterdir()}
        if left:
            return f"leaves {sorted(re.sub('[^a-z.]', '', one.name) for one in left)}"
    return ""


def _processor_time() -> float:
    """The processor time of the processes that were started here and have ended, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _complaint(code: int, output: str, errors: str) -> str:
    """The errors in how a command has ended."""
    if code not in (0, 1, 2):
        return f"exit code {code}"
    if "Traceback" in output + errors:
        return "a traceback"
    lines = [line for line in errors.splitlines() if line.strip()]
    if code == 2 and (len(lines) != 1 or not lines[0].startswith("error: ")):
        return "not one line with exit code 2"
    if code != 2 and any(line.startswith("error: ") for line in lines) and code == 0:
        return "an error with exit code 0"
    if re.search(r"error: \w*(Error|Exception|Warning): .*\(\w+\.py, line \d+\)", errors):
        return "a fault of the program"
    return "" if not output else "something on standard output"
