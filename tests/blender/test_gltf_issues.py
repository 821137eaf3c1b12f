# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages of commands about a glTF file of which not everything was imported, and their exit codes."""

import base64
import json
from pathlib import Path
from xml.etree import ElementTree

import bpy
import pytest

from collision_kit.addon import api
from collision_kit.addon.cli import commands
from collision_kit.addon.exchange.issues import last_lines
from tests.helpers.blender.gltf_box import BOX, file
from tests.helpers.blender.gltf_writing import collider, wrote

pytestmark = pytest.mark.usefixtures("scene")

if not hasattr(bpy.types, "IMPORT_SCENE_OT_gltf"):
    pytest.skip("this Blender has no glTF importer", allow_module_level=True)


def run(capfd, *arguments: object) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of one command."""
    capfd.readouterr()
    code = commands.command([str(argument) for argument in arguments])
    output, error = capfd.readouterr()
    return code, output, error


def sphere(radius: object) -> dict:
    return {"type": "sphere", "sphere": {"radius": radius}}


INVALID = ("Rock", "Shape is invalid: radius is -1; ignored.")
DAMAGES = {
    "negative": ({"shape": sphere(-1.0)}, INVALID),
    "beyond floats": (
        {"shape": sphere(1e39)},
        ("Rock", "Shape is invalid: radius is not from 0 to 3.4e+38; ignored."),
    ),
    "no number": ({"shape": sphere("NaN")}, ("Rock", "Shape is invalid: radius is not a number; ignored.")),
    "no such shape": (
        {"geometry": {"shape": 7}},
        ("Rock", "Collider refers to a shape that is not in the file; ignored."),
    ),
    "no such mesh": (
        {"geometry": {"mesh": 3}},
        ("Rock", "Collider refers to a mesh that is not in the file; ignored."),
    ),
    "no geometry": ({"geometry": {"convexHull": True}}, ("Rock", "Collider has no geometry; ignored.")),
    "no such child": ({"more": {"children": [99]}}, ("/nodes/1/children/0", "Missing in the file: node 99.")),
    "no such mesh of a node": ({"more": {"mesh": 5}}, ("/nodes/1/mesh", "Missing in the file: mesh 5.")),
    "no such node of a scene": (
        {"top": {"scenes": [{"nodes": [0, 1, 2, 9]}]}},
        ("/scenes/0/nodes/3", "Missing in the file: node 9."),
    ),
    "no such positions": (
        {"primitive": {"attributes": {"POSITION": 9}}},
        ("/meshes/0/primitives/0/attributes/POSITION", "Missing in the file: accessor 9."),
    ),
    "no such indices": (
        {"primitive": {"indices": 9}},
        ("/meshes/0/primitives/0/indices", "Missing in the file: accessor 9."),
    ),
    "no data of positions": (
        {"top": {"bufferViews": [{"buffer": 0, "byteLength": 12}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}]}},
        ("/meshes/0/primitives/0/attributes/POSITION", "Data is missing in the file: /accessors/0."),
    ),
}

# What is missing of a file in which all bodies are.
LESS = {
    "scene": ({"top": {"scene": 4}}, "warning", "/scene", "scene 4"),
    "skin": ({"more": {"skin": 4}}, "warning", "/nodes/1/skin", "skin 4"),
    "joint": ({"top": {"skins": [{"joints": [9]}]}}, "warning", "/skins/0/joints/0", "node 9"),
    "node of an animation": (
        {
            "top": {
                "animations": [
                    {
                        "samplers": [{"input": 0, "output": 0}],
                        "channels": [{"sampler": 0, "target": {"node": 9, "path": "scale"}}],
                    }
                ]
            }
        },
        "warning",
        "/animations/0/channels/0/target/node",
        "node 9",
    ),
    "sampler": (
        {
            "top": {
                "animations": [
                    {"samplers": [], "channels": [{"sampler": 5, "target": {"node": 1, "path": "scale"}}]},
                ]
            }
        },
        "warning",
        "/animations/0/channels/0/sampler",
        "sampler 5",
    ),
    "data of an animation": (
        {"top": {"animations": [{"samplers": [{"input": 9, "output": 0}], "channels": []}]}},
        "warning",
        "/animations/0/samplers/0/input",
        "accessor 9",
    ),
    "shape key": (
        {"primitive": {"targets": [{"POSITION": 9}]}},
        "warning",
        "/meshes/0/primitives/0/targets/0/POSITION",
        "accessor 9",
    ),
    "weights": (
        {"primitive": {"attributes": {"POSITION": 0, "WEIGHTS_0": 9}}},
        "warning",
        "/meshes/0/primitives/0/attributes/WEIGHTS_0",
        "accessor 9",
    ),
    "material": ({"primitive": {"material": 3}}, "info", "/meshes/0/primitives/0/material", "material 3"),
    "camera": ({"more": {"camera": 7}}, "info", "/nodes/1/camera", "camera 7"),
    "texture coordinates": (
        {"primitive": {"attributes": {"POSITION": 0, "TEXCOORD_0": 9}}},
        "info",
        "/meshes/0/primitives/0/attributes/TEXCOORD_0",
        "accessor 9",
    ),
    "normals": (
        {"primitive": {"attributes": {"POSITION": 0, "NORMAL": 9}}},
        "info",
        "/meshes/0/primitives/0/attributes/NORMAL",
        "accessor 9",
    ),
}
PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAA"
    "DUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)


def textured(textures: list[dict], images: list[dict], **material: object) -> dict:
    """The additions to `file` for a material of its mesh."""
    return {
        "primitive": {"material": 0},
        "top": {"materials": [material], "textures": textures, "images": images, "samplers": [{}]},
    }


BASE = {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}
LESS |= {
    "texture": (
        textured([], [], pbrMetallicRoughness={"metallicRoughnessTexture": {"index": 4}}),
        "info",
        "/materials/0/pbrMetallicRoughness/metallicRoughnessTexture",
        "texture 4",
    ),
    "texture of normals": (
        textured([], [], normalTexture={"index": 4}),
        "info",
        "/materials/0/normalTexture",
        "texture 4",
    ),
    "texture of an extension": (
        textured([], [], extensions={"KHR_materials_clearcoat": {"clearcoatTexture": {"index": 4}}}),
        "info",
        "/materials/0/extensions/KHR_materials_clearcoat/clearcoatTexture",
        "texture 4",
    ),
    "image": (textured([{"source": 3}], [], **BASE), "info", "/textures/0/source", "image 3"),
    "image of an extension": (
        textured([{"source": 0, "extensions": {"EXT_texture_webp": {"source": 3}}}], [{"uri": PIXEL}], **BASE),
        "info",
        "/textures/0/extensions/EXT_texture_webp/source",
        "image 3",
    ),
    "sampler of a texture": (
        textured([{"source": 0, "sampler": 3}], [{"uri": PIXEL}], **BASE),
        "info",
        "/textures/0/sampler",
        "sampler 3",
    ),
}
IDS = {"warning": "imported-differently", "info": "physics-not-imported"}


@pytest.mark.parametrize("case", DAMAGES)
def test_what_is_lost_of_a_file_is_an_error_of_every_command(case: str, tmp_path: Path, capfd) -> None:
    damage, (name, message) = DAMAGES[case]
    path = file(tmp_path, **damage)
    issue = {"id": "not-imported", "severity": "error", "object": name, "message": message}
    for command in (["check"], ["motion"], ["cull", "--camera", "Eye"]):
        code, output, error = run(capfd, *command, path, "--format", "json")
        assert json.loads(output)["findings"] == [issue]
        assert (code, error) == (2, f"error: {name}: {message}\n")
    code, output, error = run(capfd, "validate", path, "--format", "json")
    (found,) = (one for one in json.loads(output)["findings"] if one["severity"] == "error")
    assert (found["id"], found["object"], found["engine"]) == ("not-imported", name, "any")
    assert found["message"] == f"Part of the glTF file was not imported: {message}"
    assert not found["fixable"]
    assert (code, error) == (1, "")


PLAIN = [case for case, (damage, _) in DAMAGES.items() if damage.keys() <= {"more", "primitive", "top"}]


@pytest.mark.parametrize("case", PLAIN)
def test_what_is_lost_of_a_file_without_colliders_is_an_error_and_the_rest_is_read(
    case: str, tmp_path: Path, capfd
) -> None:
    damage, (name, message) = DAMAGES[case]
    path = file(tmp_path, physics=False, **damage)
    code, output, error = run(capfd, "check", path, "--allow-empty", "--format", "json")
    assert json.loads(output)["findings"] == [
        {"id": "not-imported", "severity": "error", "object": name, "message": message}
    ]
    assert (code, error) == (2, f"error: {name}: {message}\n")
    assert {"Good", "Rock", "Eye"} == {ob.name for ob in bpy.data.objects}


@pytest.mark.parametrize("field", ["translation", "rotation", "scale", "matrix"])
def test_a_place_of_too_few_numbers_is_an_error(field: str, tmp_path: Path, capfd) -> None:
    for physics in (True, False):
        path = file(tmp_path, physics=physics, more={field: [1.0, 2.0]})
        code, output, _ = run(capfd, "check", path, "--allow-empty", "--format", "json")
        message = f"Field {field} has the wrong type; ignored."
        issue = {"id": "not-imported", "severity": "error", "object": "/nodes/1", "message": message}
        assert (code, json.loads(output)["findings"]) == (2, [issue])
        assert "Rock" in bpy.data.objects


def test_an_image_without_data_is_information(tmp_path: Path, capfd) -> None:
    damage = textured([{"source": 0}], [{"bufferView": 9, "mimeType": "image/png"}], **BASE)
    for physics in (True, False):
        code, output, error = run(
            capfd, "check", file(tmp_path, physics=physics, **damage), "--allow-empty", "--format", "json"
        )
        message = "Data is missing in the file: /images/0/bufferView."
        issue = {"id": "physics-not-imported", "severity": "info", "object": "/images/0", "message": message}
        assert json.loads(output)["findings"] == [issue]
        assert (code, error) == (0, "")


# Images by their URI, and what there is to say of each.
PLACES = {
    "picture.png": None,
    "a%20pict%C3%BCre%25.png": None,
    "folder/picture.png": None,
    "folder\\picture.png": None,
    "gone.png": 'File not found: "gone.png".',
    "folder": 'File not found: "folder".',
    "": 'File not found: "".',
    "a%00b.png": 'File not found: "a%00b.png".',
    "\ud800.png": 'File not found: "?.png".',
    "https://example.com/a%20b.png": 'File not found: "https://example.com/a%20b.png".',
    PIXEL: None,
    "data:image/png;base64,A": "Data is missing in the file: /images/0/uri.",
    "data:image/png,%89PNG": "Data is missing in the file: /images/0/uri.",
    None: "Data is missing in the file: /images/0.",
}


@pytest.mark.parametrize("uri", PLACES)
def test_an_image_whose_file_is_missing_is_information(uri: str | None, tmp_path: Path, capfd) -> None:
    (tmp_path / "folder").mkdir()
    for name in ("picture.png", "a pictüre%.png", "folder/picture.png"):
        (tmp_path / name).write_bytes(base64.b64decode(PIXEL.partition(",")[2]))
    image = {"name": "Image"} if uri is None else {"uri": uri}
    path = file(tmp_path, **textured([{"source": 0}], [image], **BASE))
    code, output, _ = run(capfd, "check", path, "--format", "json")
    issues, message = json.loads(output)["findings"], PLACES[uri]
    assert code == 0
    assert issues == [
        {"id": "physics-not-imported", "severity": "info", "object": "/images/0", "message": message}
        for message in filter(None, [message])
    ]
    assert len(bpy.data.objects["Rock"].data.polygons) == 4
    # Of a file that is missing, Blender keeps the path.
    assert len(bpy.data.images) == (message is None or ("File" in message and uri != "\ud800.png"))


@pytest.mark.parametrize(("count", "lines"), [(3, 3), (4, 1), (30, 1)])
def test_many_missing_images_are_one_line_of_text(count: int, lines: int, tmp_path: Path, capfd) -> None:
    images = [{"uri": f"{place}.png"} for place in range(count)]
    path = file(tmp_path, **textured([{"source": place} for place in range(count)], images, **BASE))
    code, output, _ = run(capfd, "check", path)
    found = [line for line in output.splitlines() if "[physics-not-imported]" in line]
    assert (code, len(found)) == (0, lines)
    if lines == 1:
        assert f"{count} objects (/images/0, /images/1, /images/2, …)" in found[0]
        assert f'File not found: "0.png". {count - 1} more like it.' in found[0]
    code, output, _ = run(capfd, "check", path, "--format", "json")
    assert len(json.loads(output)["findings"]) == count


@pytest.mark.parametrize("uri", ["gone.bin", "https://example.com/gone.bin", "data:;base64,A"])
def test_a_buffer_whose_file_is_missing_is_an_error(uri: str, tmp_path: Path, capfd) -> None:
    path = file(tmp_path, top={"buffers": [{"uri": uri, "byteLength": 72}]})
    code, output, _ = run(capfd, "check", path, "--format", "json")
    message = "Data is missing in the file: /buffers/0." if uri.startswith("data:") else f'File not found: "{uri}".'
    found = [(one["id"], one["severity"], one["message"]) for one in json.loads(output)["findings"]]
    assert (code, found) == (2, [("not-imported", "error", message)] * 2)
    assert "Good" in bpy.data.objects


@pytest.mark.parametrize("case", LESS)
def test_what_is_missing_where_all_bodies_are_there_is_no_error(case: str, tmp_path: Path, capfd) -> None:
    damage, severity, place, what = LESS[case]
    path = file(tmp_path, **damage)
    code, output, error = run(capfd, "check", path, "--format", "json")
    report = json.loads(output)
    issue = {"id": IDS[severity], "severity": severity, "object": place, "message": f"Missing in the file: {what}."}
    assert report["findings"] == [issue]
    assert (code, error, report["tested"]["bodies"]) == (0, "", 2)
    assert len(bpy.data.objects["Rock"].data.polygons) == 4
    assert run(capfd, "validate", path)[0] == 0


def test_nodes_of_one_name_are_told_apart(tmp_path: Path, capfd) -> None:
    rock = {"name": "Rock", "extensions": collider()}
    bone = {"name": "Bone", "extensions": collider(shape=1), "children": [5]}
    nodes = [
        *(dict(rock) for _ in range(3)),
        {"name": "Stone", "extensions": collider()},
        bone,
        dict(bone, children=[]),
    ]
    path = wrote(tmp_path, nodes, [sphere(-1.0), BOX], skins=[{"joints": [4, 5]}])
    lost = [f"Rock (/nodes/{number})" for number in range(3)] + ["Stone"]
    for command in ("check", "validate"):
        _, output, _ = run(capfd, command, path, "--format", "json")
        issues = [one for one in json.loads(output)["findings"] if one["id"] in ("not-imported", *IDS.values())]
        assert [one["object"] for one in issues if one["severity"] == "error"] == lost
        assert [one["object"] for one in issues if one["severity"] != "error"] == [
            "Bone (/nodes/4)",
            "Bone (/nodes/5)",
        ]


@pytest.mark.parametrize("kind", ["text", "html", "junit"])
def test_every_form_of_a_report_says_it(kind: str, tmp_path: Path, capfd) -> None:
    path = file(tmp_path, sphere(-1.0))
    for command in (["check"], ["motion"], ["cull", "--camera", "Eye"], ["validate"]):
        _, output, _ = run(capfd, *command, path, "--format", kind)
        assert "not-imported" in output
        assert "Shape is invalid: radius is -1; ignored." in output


def test_tests_of_build_servers_have_names_of_their_own(tmp_path: Path, capfd) -> None:
    rock = collider(shape=1)
    rock["KHR_physics_rigid_bodies"]["trigger"] = {"geometry": {"shape": 9}}
    path = wrote(tmp_path, [{"name": "Rock", "extensions": rock}], [BOX, sphere(-1.0)])
    for command, names in (
        ("check", ["Rock", "Rock (2)"]),
        ("validate", ["Rock: not-imported", "Rock: not-imported (2)"]),
    ):
        _, output, _ = run(capfd, command, path, "--allow-empty", "--format", "junit")
        found = [case.get("name") for case in ElementTree.fromstring(output).iter("testcase")]
        assert [name for name in found if name.startswith("Rock")] == names


def test_what_writes_the_scene_says_it_too(tmp_path: Path, capfd) -> None:
    path, error = file(tmp_path, sphere(-1.0)), "error: {}: {}\n".format(*INVALID)
    made = tmp_path / "made.blend"
    for command in (["make", "--kind", "hull", "--engine", "gltf"], ["fix"], ["export"]):
        for kind in ("json", "html", "text"):
            report = tmp_path / f"report.{kind}"
            saved = ["--output", made, "--output", report, "--format", kind]
            code, _, said = run(capfd, *command, path, *saved)
            assert (code, said) == (2, error)
            assert made.is_file()
            made.unlink()
            assert all(word in report.read_text() for word in ("not-imported", "error", *INVALID))
            if kind == "json":
                name, message = INVALID
                issue = {"id": "not-imported", "severity": "error", "object": name, "message": message}
                assert json.loads(report.read_text())["findings"] == [issue]


def test_an_export_that_is_validated_is_judged_by_its_issues(tmp_path: Path, capfd) -> None:
    path, made = file(tmp_path, sphere(-1.0)), tmp_path / "made.blend"
    command = ["export", path, "--validate", "gltf", "--output", made]
    code, output, said = run(capfd, *command)
    assert (code, said) == (1, "")
    assert INVALID[1] in output
    assert not made.exists()
    code, output, said = run(capfd, *command, "--fail-on", "none")
    assert (code, said) == (0, "")
    assert INVALID[1] in output
    assert made.is_file()


def test_repairs_do_not_repair_the_file(tmp_path: Path, capfd) -> None:
    fixed = tmp_path / "fixed.blend"
    code, output, _ = run(capfd, "validate", file(tmp_path, sphere(-1.0)), "--fix", "--output", fixed)
    assert code == 1
    assert "not-imported" in output
    assert run(capfd, "validate", fixed)[0] == 0


def test_what_is_read_as_something_else_is_a_warning_and_what_no_test_uses_is_information(
    tmp_path: Path, capfd
) -> None:
    drop = {"type": "capsule", "capsule": {"height": 2.0, "radiusBottom": 1.0, "radiusTop": 0.25}}
    path = file(tmp_path, drop, motion={"mass": 2.0})
    code, output, error = run(capfd, "check", path, "--format", "json")
    issues = [(one["id"], one["severity"]) for one in json.loads(output)["findings"] if one["object"] == "Rock"]
    assert issues == [("imported-differently", "warning"), ("physics-not-imported", "info")]
    assert (code, error) == (0, "")
    code, output, _ = run(capfd, "validate", path, "--format", "json", "--fail-on", "warning")
    assert {"imported-differently", "physics-not-imported"} <= {one["id"] for one in json.loads(output)["findings"]}
    assert code == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"physicsMaterial": 0}, "Field staticFriction is not a valid number of at least 0; imported as 0.6."),
        ({"physicsMaterial": 1}, "Field physicsMaterials/1 has the wrong type; ignored."),
        ({"physicsMaterial": 7}, "Collider refers to a physicsMaterials that is not in the file; ignored."),
        ({"motion": 5}, "Field motion has the wrong type; ignored."),
    ],
)
def test_invalid_physics_that_no_test_uses_is_information(content: dict, message: str, tmp_path: Path, capfd) -> None:
    materials = [{"staticFriction": -1, "dynamicFriction": 0.6}, 3]
    nodes = [{"name": name, "extensions": collider(**of)} for name, of in (("Rock", content), ("Good", {}))]
    path = wrote(tmp_path, nodes, [BOX], {"physicsMaterials": materials})
    code, output, _ = run(capfd, "check", path, "--format", "json", "--fail-on", "none")
    issue = {"id": "physics-not-imported", "severity": "info", "object": "Rock", "message": message}
    assert (code, json.loads(output)["findings"]) == (0, [issue])
    assert run(capfd, "validate", path, "--fail-on", "warning")[0] == 0


def test_scripts_are_told_how_bad_it_is(tmp_path: Path) -> None:
    found = api.import_gltf(file(tmp_path, sphere(-1.0), motion={"mass": 2.0}))
    told = [(one.id, one.severity, one.object, one.message) for one in found.issues]
    assert told == [
        ("not-imported", "error", *INVALID),
        (
            "physics-not-imported",
            "info",
            "Rock",
            "Motion properties are not supported; ignored: mass.",
        ),
    ]
    assert {f"{note}." for note in found.notes} == {f"{name}: {message}" for _, _, name, message in told}


def test_the_last_report_of_an_import_says_how_many_warnings_there_are(tmp_path: Path, capfd) -> None:
    said = []
    for motion in (None, {"mass": 2.0}):
        capfd.readouterr()
        api.import_gltf(file(tmp_path, BOX if motion is None else sphere(-1.0), motion=motion))
        said.append(
            [line for line in capfd.readouterr().out.splitlines() if line.startswith(("Info:", "Warning:"))][-1]
        )
    assert said == [
        "Info: 2 colliders imported",
        "Warning: 1 collider imported. 2 warnings: see the Info editor",
    ]


def test_nothing_is_left_of_the_file_before(tmp_path: Path, capfd) -> None:
    assert run(capfd, "check", file(tmp_path, sphere(-1.0)))[0] == 2
    plain = wrote(tmp_path, [{"name": "A"}, {"name": "B"}])
    code, output, _ = run(capfd, "check", plain, "--allow-empty", "--format", "json")
    assert (code, json.loads(output)["findings"], last_lines()) == (0, [], ())
