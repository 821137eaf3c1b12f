# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs as BCF topics: what is in the file, that another program reads it, and what comes back into the scene."""

import csv
import io
import json
import math
import re
import zipfile
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import bpy
import numpy as np
import pytest

from collision_kit import api
from collision_kit.addon.cli import commands
from collision_kit.addon.model.marks import PairMarks
from collision_kit.addon.model.pair_ids import pair_ids
from collision_kit.addon.model.topics import Comment, Topic, topic_guid
from collision_kit.addon.reports.bcf import Viewpoint, as_bcf
from collision_kit.addon.reports.bcf_files import read_topics
from collision_kit.addon.scene.topics import store_topics, topics_of
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.ui.panels.active_pair import COLLISION_KIT_PT_pair
from collision_kit.addon.ui.result_list import rows as results_rows
from tests.helpers.blender import checked_scene
from tests.helpers.blender.checked_scene import check
from tests.helpers.blender.panel_recorder import drawn
from tests.helpers.blender.report_readers import NASTY

GLOBAL_ID = "2O2Fr$t4X7Zf8NOew3FLOH"
WHEN = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
BACK = Topic("", "In Progress", "anna@example.com", (Comment("Ben", "2026-03-02T08:00:00Z", "Moved <5 mm> & turned"),))


@pytest.fixture(autouse=True)
def four_cubes(scene: bpy.types.Scene) -> None:
    """First and Second penetrate, Second and Third touch, Third and Fourth are within the clearance."""
    checked_scene.build()


def files(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def command(*arguments: object) -> int:
    return commands.command([str(text) for text in arguments])


def saved(tmp_path: Path) -> Path:
    path = tmp_path / "cubes.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False)
    return path


def sent_back(path: Path, status: str = BACK.status, *, comments: bool = True) -> Path:
    """The file as another program has changed each of its topics."""
    content = files(path.read_bytes())
    for name, data in content.items():
        if name.endswith("markup.bcf"):
            root = ElementTree.fromstring(data)
            topic = root.find("Topic")
            assert topic is not None
            topic.set("TopicStatus", status)
            children = list(topic)
            for old in topic.findall("AssignedTo"):
                topic.remove(old)
            description = next(place for place, one in enumerate(topic) if one.tag == "Description")
            assigned = ElementTree.Element("AssignedTo")
            assigned.text = BACK.assigned_to
            topic.insert(description, assigned)
            if comments:
                listed = ElementTree.Element("Comments")
                one = ElementTree.SubElement(listed, "Comment", Guid="0" * 8 + "-0000-0000-0000-" + "0" * 12)
                for tag, text in zip(
                    ("Date", "Author", "Comment"), (BACK.comments[0][i] for i in (1, 0, 2)), strict=True
                ):
                    ElementTree.SubElement(one, tag).text = text
                topic.insert(len(children) - (0 if topic.find("Viewpoints") is None else 1) + 1, listed)
            content[name] = ElementTree.tostring(root)
    back = path.with_name("back.bcf")
    with zipfile.ZipFile(back, "w") as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return back


# Another program reads it.


def assert_follows_the_schema(value: Any) -> int:
    """Check values and required elements against the schema, as bcf-client has it; returns the number of values."""
    count = 0
    for one in fields(value):
        rules, content = one.metadata, getattr(value, one.name)
        items = content if isinstance(content, list) else [content]
        if rules.get("required") or rules.get("min_occurs"):
            assert content not in (None, []), one.name
        for item in items:
            if is_dataclass(item):
                count += assert_follows_the_schema(item)
            elif isinstance(item, str):
                # Schemas collapse blanks first.
                text = " ".join(item.split())
                assert len(text) >= rules.get("min_length", 0), one.name
                assert len(text) == rules.get("length", len(text)), one.name
                assert re.fullmatch(rules.get("pattern", ".*"), text, re.DOTALL), (one.name, text)
                count += 1
            elif isinstance(item, float):
                assert math.isfinite(item)
                assert rules.get("min_exclusive", -math.inf) < item < rules.get("max_exclusive", math.inf)
                count += 1
    return count


def client() -> Any:
    pytest.importorskip("bcf", reason="needs bcf-client: pip install bcf-client")
    from bcf.v3 import bcfxml

    return bcfxml


def test_bcf_client_reads_what_the_command_line_writes(tmp_path: Path) -> None:
    bcfxml = client()
    bpy.data.objects["First"]["GlobalId"] = GLOBAL_ID
    bpy.data.objects["Second"]["GlobalId"] = "no GUID"
    path = saved(tmp_path)
    assert command("check", path, "--clearance", "0.5", "--output", tmp_path / "out.bcf") == 1
    bcf = bcfxml.BcfXml.load(tmp_path / "out.bcf")
    assert bcf.version.version_id == "3.0"
    assert bcf.project.name == "Scene"
    assert {"Open", "Closed"} <= set(bcf.extensions.topic_statuses.topic_status)
    for part in (bcf.version, bcf.project_info, bcf.extensions):
        assert assert_follows_the_schema(part)
    first, second = bcf.topics.values()
    assert first.topic.title == "First × Second: penetrating, 0.5 m deep"
    assert second.topic.title == "Fourth × Third: within clearance, 0.25 m apart"
    for topic in (first, second):
        assert assert_follows_the_schema(topic.markup) > 8
        assert (topic.topic.topic_status, topic.topic.topic_type) == ("Open", "Clash")
        assert topic.topic.topic_type in bcf.extensions.topic_types.topic_type
        assert topic.topic.priority in bcf.extensions.priorities.priority
        assert set(topic.topic.labels.label) <= set(bcf.extensions.topic_labels.topic_label)
        assert topic.header.files.file[0].filename == "cubes.blend"
        (viewpoint,) = topic.viewpoints.values()
        assert assert_follows_the_schema(viewpoint.visualization_info) > 20
        assert viewpoint.snapshot.startswith(b"\x89PNG")
    assert "Axis: along (1.00, 0.00, 0.00)" in first.topic.description
    components = next(iter(first.viewpoints.values())).visualization_info.components.selection.component
    assert [(one.authoring_tool_id, one.ifc_guid, one.originating_system) for one in components] == [
        ("First", GLOBAL_ID, "Blender"),
        ("Second", None, "Blender"),
    ]


def test_bcf_client_reads_any_name(nasty: Any) -> None:
    bcfxml = client()
    marks = PairMarks(topics={0: Topic("x", " ", "a\0b", (Comment("", "", "\ufffe", ""), BACK.comments[0]))})
    point = Viewpoint(np.array([0.0, -4.0, 2.0]), np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0]), 30.0, 1.6)
    rows = range(len(nasty.pairs))
    bcf = bcfxml.BcfXml.load(io.BytesIO(as_bcf(nasty, rows, marks, dict.fromkeys(rows, point), created=WHEN)))
    assert len(bcf.topics) == len(rows)
    for topic in bcf.topics.values():
        assert assert_follows_the_schema(topic.markup)
        assert_follows_the_schema(next(iter(topic.viewpoints.values())).visualization_info)
    topic = bcf.topics[topic_guid(pair_ids(nasty)[0])]
    assert topic.topic.topic_status == "Open"
    assert topic.topic.assigned_to == "a\N{REPLACEMENT CHARACTER}b"
    assert [one.author for one in topic.comments] == ["Collision Kit", "Ben"]
    assert str(topic.comments[1].date) == "2026-03-02T08:00:00Z"
    assert topic.topic.description.split("\n")[3].startswith(f"{NASTY[0]}: box of")


# What is in it.


def test_the_same_report_is_the_same_file_and_its_dates_are_the_only_difference() -> None:
    report = api.check_collisions(scope="ALL", clearance=0.5)
    first, again = (as_bcf(report, [0, 1], created=WHEN) for _ in range(2))
    assert first == again
    later = files(as_bcf(report, [0, 1], created=datetime(2027, 1, 1, tzinfo=UTC)))
    for name, data in files(first).items():
        assert data.replace(b"2026-03-01T12:30:00Z", b"2027-01-01T00:00:00Z") == later[name]
    folders = {topic_guid(name) for name in pair_ids(report)[:2]}
    assert {name.partition("/")[0] for name in later if "/" in name} == folders
    assert all(f"{folder}/" in later for folder in folders), "folders have entries of their own"
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        assert {one.date_time[0] for one in archive.infolist()} == {1980}


@pytest.mark.parametrize(("scale", "pictures"), [(1.0, 2), (0.01, 0)])
def test_cameras_look_at_where_the_pair_meets_in_meters(tmp_path: Path, scale: float, pictures: int) -> None:
    bpy.context.scene.unit_settings.scale_length = scale
    floor = bpy.data.objects.new("Floor", None)
    floor.collision_kit.shape = "HALF_SPACE"
    floor.location.z = -0.9
    bpy.context.scene.collection.objects.link(floor)
    report = api.check_collisions(scope="ALL", clearance=0.5)
    content = files(api.save_report(report, tmp_path / "out.bcf", pictures=pictures).read_bytes())
    assert len([name for name in content if name.endswith(".png")]) == pictures
    seen = 0
    for name, pair in zip(pair_ids(report), report.pairs, strict=True):
        data = content.get(f"{topic_guid(name)}/viewpoint.bcfv")
        if data is None:
            assert pair.verdict.name == "TOUCHING"
            continue
        seen += 1
        root = ElementTree.fromstring(data)
        eye, forward, up = (
            np.array([float(root.findtext(f".//{tag}/{axis}", "")) for axis in "XYZ"])
            for tag in ("CameraViewPoint", "CameraDirection", "CameraUpVector")
        )
        assert np.allclose([forward @ forward, up @ up, up @ forward], [1.0, 1.0, 0.0])
        half = math.tan(math.radians(float(root.findtext(".//FieldOfView", ""))) / 2.0)
        aspect = float(root.findtext(".//AspectRatio", ""))
        for point in (pair.point_a, pair.point_b):
            away = point * scale - eye
            depth = away @ forward
            assert depth > 0.0
            assert abs(away @ up) < half * depth
            assert abs(away @ np.cross(forward, up)) < half * aspect * depth
        assert abs(forward @ pair.normal) < 0.9, "a depth has no extent along the axis"
        ends = [[float(root.findtext(f".//{tag}/{axis}", "")) for axis in "XYZ"] for tag in ("StartPoint", "EndPoint")]
        assert np.allclose(ends, [pair.point_a * scale, pair.point_b * scale])
    assert seen == 6


def test_accepted_and_ignored_pairs_are_left_out_and_named_tests_are_labels(tmp_path: Path) -> None:
    bpy.data.objects["Third"].location.x = 3.0
    path = saved(tmp_path)
    config = '[[test]]\nname = "cubes"\na = "*"\nseverity = "warning"\n[[ignore]]\na = "Third"\n'
    (tmp_path / "collision-kit.toml").write_text(config, encoding="utf-8")
    assert command("check", path, "--output", tmp_path / "out.bcf") == 0
    (markup,) = (data for name, data in files((tmp_path / "out.bcf").read_bytes()).items() if "markup" in name)
    topic = ElementTree.fromstring(markup).find("Topic")
    assert topic is not None
    assert topic.findtext("Title", "").startswith("First × Second")
    assert topic.findtext("Priority") == "Warning"
    assert [one.text for one in topic.iterfind("Labels/Label")] == ["penetrating", "cubes"]
    assert "test cubes (warning)" in topic.findtext("Description", "")


def test_a_report_without_pairs_is_a_file_without_topics(tmp_path: Path) -> None:
    for ob in bpy.data.objects:
        ob.location.x *= 10.0
    assert command("check", saved(tmp_path), "--output", tmp_path / "out.bcf") == 0
    content = files((tmp_path / "out.bcf").read_bytes())
    assert set(content) == {"bcf.version", "extensions.xml", "project.bcfp"}
    assert read_topics(tmp_path / "out.bcf") == {}


# What comes back.


def test_what_comes_back_is_in_the_reports_of_the_command_line(tmp_path: Path, capfd: Any) -> None:
    path, out = saved(tmp_path), tmp_path / "out.bcf"
    command("check", path, "--output", out)
    back = sent_back(out)
    for kind in ("json", "csv", "text", "html"):
        capfd.readouterr()
        assert command("check", path, "--bcf", back, "--format", kind) == 1
        output = capfd.readouterr().out
        if kind == "json":
            (pair, touching) = json.loads(output)["pairs"]
            comment = {"author": "Ben", "date": "2026-03-02T08:00:00Z", "text": "Moved <5 mm> & turned"}
            assert pair["topic"] == {
                "status": "In Progress",
                "assigned_to": "anna@example.com",
                "comments": [comment],
            }
            assert touching["topic"] is None
        elif kind == "csv":
            row = next(csv.DictReader(io.StringIO(output)))
            found = [row[f"topic_{name}"] for name in ("status", "assigned_to", "comments")]
            assert found == ["In Progress", "anna@example.com", "1"]
        else:
            assert "topic: In Progress, assigned to anna@example.com, 1 comment" in output
    # It goes out again as it came back.
    again = tmp_path / "again.bcf"
    command("check", path, "--bcf", back, "--output", again)
    assert read_topics(again) == read_topics(back)
    assert len(read_topics(back)) == 1


def test_the_scene_keeps_what_is_loaded_and_the_panel_shows_it(tmp_path: Path) -> None:
    saved(tmp_path)
    check()
    out = tmp_path / "out.bcf"
    assert bpy.ops.collision_kit.save_report(filepath=str(out), pictures=1) == {"FINISHED"}
    assert len(read_topics(out)) == 2
    assert len([name for name in files(out.read_bytes()) if name.endswith("png")]) == 1
    bpy.ops.ed.undo_push(message="Before")
    assert bpy.ops.collision_kit.load_bcf(filepath=str(sent_back(out))) == {"FINISHED"}
    bpy.ops.ed.undo_push(message="Load")
    last_check.chosen = 0
    texts = " ".join(drawn(COLLISION_KIT_PT_pair, bpy.context).texts).replace("\N{NO-BREAK SPACE}", " ")
    for text in ("Status: In Progress", "Assigned to anna@example.com", "Ben: Moved <5 mm> & turned"):
        assert text in texts
    path = str(tmp_path / "kept.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, compress=False)
    bpy.ops.wm.open_mainfile(filepath=path)
    report = api.check_collisions(scope="ALL", clearance=0.5)
    topic = api.pair_topic(report, report.pairs[0])
    assert topic is not None
    assert (topic.status, topic.assigned_to, topic.comments[0][:3]) == (*BACK[1:3], BACK.comments[0][:3])
    assert '"status": "In Progress"' in api.report_text(report, "json")
    bpy.data.objects["First"].name = "Other"
    report = api.check_collisions(scope="ALL", clearance=0.5)
    assert api.pair_topic(report, report.pairs[0]) is None, "ids of pairs are made of names"


def test_loading_can_be_undone(tmp_path: Path) -> None:
    report = api.check_collisions(scope="ALL", clearance=0.5)
    out = api.save_report(report, tmp_path / "out.bcf", pictures=0)
    check()
    bpy.ops.ed.undo_push(message="Before")
    assert api.load_bcf(sent_back(out)) == 2
    bpy.ops.ed.undo_push(message="Load")
    assert len(bpy.context.scene.collision_kit.topics) == 2
    bpy.ops.ed.undo()
    assert len(bpy.context.scene.collision_kit.topics) == 0


def test_files_of_version_2_1_are_read(tmp_path: Path) -> None:
    guid = topic_guid("x")
    markup = (
        f'<Markup><Topic Guid="{guid}" TopicStatus="Done"><Title>t</Title></Topic>'
        '<Comment Guid="A"><Date>2020-01-01T01:00:00+01:00</Date><Author>C</Author>'
        "<Comment>c</Comment></Comment></Markup>"
    )
    path = archive(tmp_path, {"bcf.version": '<Version VersionId="2.1"/>', f"{guid.upper()}/markup.bcf": markup})
    assert read_topics(path) == {guid: Topic(guid, "Done", "", (Comment("C", "2020-01-01T00:00:00Z", "c"),))}


@pytest.mark.parametrize("date", ["0001-01-01T00:00:00", "0500-06-07T08:09:10.5Z", "2026-03-02T08:00:00Z"])
def test_dates_of_comments_come_back_with_four_digits_of_the_year(date: str, tmp_path: Path) -> None:
    guid = topic_guid("x")
    markup = f"<Markup><Topic><Comments><Comment><Date>{date}</Date></Comment></Comments></Topic></Markup>"
    (comment,) = read_topics(archive(tmp_path, {**VERSION, f"{guid}/markup.bcf": markup}))[guid].comments
    assert comment.date == f"{date[:19]}Z"


# Files that are broken, or mean harm.

VERSION = {"bcf.version": '<Version VersionId="3.0"/>'}
MARKUP = f"{topic_guid('x')}/markup.bcf"
LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><Markup><Topic><Title>&b;</Title></Topic></Markup>'
OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><Markup><Topic><Title>&a;</Title></Topic></Markup>'


def archive(folder: Path, content: dict[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    path = folder / "file.bcf"
    with zipfile.ZipFile(path, "w", method) as stream:
        for name, data in content.items():
            stream.writestr(name, data)
    return path


def written(data: bytes) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        (folder / "file.bcf").write_bytes(data)
        return folder / "file.bcf"

    return write


def cut(folder: Path) -> Path:
    path = archive(folder, {**VERSION, MARKUP: "<Markup><Topic/></Markup>" * 50})
    data = bytearray(path.read_bytes())
    data[60:120] = bytes(60)
    path.write_bytes(data)
    return path


HOSTILE: dict[str, tuple[Callable[[Path], Path], str]] = {
    "not there": (lambda folder: folder / "none.bcf", "cannot be read: No such file"),
    "a folder": (lambda folder: folder, "cannot be read"),
    "no archive": (written(b"BCF"), "not a BCF file: File is not a zip file"),
    "empty": (written(b""), "not a BCF file"),
    "cut": (cut, "not a BCF file"),
    "LZMA": (
        lambda folder: archive(folder, {**VERSION, MARKUP: "<Markup><Topic/></Markup>"}, zipfile.ZIP_LZMA),
        "bcf.version is compressed by another method than Deflate",
    ),
    "no version": (lambda folder: archive(folder, {MARKUP: "<Markup/>"}), "there is no bcf.version in it"),
    "other version": (
        lambda folder: archive(folder, {"bcf.version": '<Version VersionId="9"/>'}),
        "version '9' instead of 2.0, 2.1, 3.0",
    ),
    "no XML": (lambda folder: archive(folder, {**VERSION, MARKUP: "<Markup>"}), "not a BCF file: no element found"),
    "no topic": (lambda folder: archive(folder, {**VERSION, MARKUP: "<Markup/>"}), "markup.bcf has no topic"),
    "other encoding": (
        lambda folder: archive(folder, {**VERSION, MARKUP: '<?xml version="1.0" encoding="no-such"?><Markup/>'}),
        "not a BCF file",
    ),
    "entities": (lambda folder: archive(folder, {**VERSION, MARKUP: LAUGHS}), "an XML document type declaration"),
    "entities in the version": (
        lambda folder: archive(folder, {"bcf.version": LAUGHS}),
        "an XML document type declaration",
    ),
    "a file from outside": (lambda folder: archive(folder, {**VERSION, MARKUP: OUTSIDE}), "document type declaration"),
    "a bomb": (
        lambda folder: archive(folder, {**VERSION, MARKUP: b"<Markup>" + b" " * (40 << 20)}),
        "markup.bcf is larger than 4 MiB",
    ),
    "many bombs": (
        lambda folder: archive(
            folder,
            {
                **VERSION,
                **{
                    f"{topic_guid(str(n))}/markup.bcf": b"<Markup><Topic/>%s</Markup>" % (b" " * 4190000)
                    for n in range(17)
                },
            },
        ),
        "all are larger than 64 MiB",
    ),
    "out of the folder": (lambda folder: archive(folder, {**VERSION, "../markup.bcf": "x"}), "a path that leads out"),
    "absolute": (lambda folder: archive(folder, {**VERSION, "/etc/markup.bcf": "x"}), "a path that leads out of it"),
    "of Windows": (lambda folder: archive(folder, {**VERSION, "a\\..\\b": "x"}), "a path that leads out of it"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_broken_or_hostile_file_is_one_clear_error(name: str, tmp_path: Path, capfd: Any) -> None:
    scene = saved(tmp_path)
    build, reason = HOSTILE[name]
    path = build(tmp_path)
    assert command("check", scene, "--bcf", path) == 2
    output, error = capfd.readouterr()
    lines = [line for line in error.splitlines() if line.startswith("error")]
    assert len(lines) == 1 and str(path) in lines[0] and reason in lines[0], error
    assert not [line for line in output.splitlines() if "penetrating" in line]
    with pytest.raises(ValueError, match=re.escape(reason)):
        api.load_bcf(path)
    with pytest.raises(RuntimeError, match=r"BCF|read"):
        bpy.ops.collision_kit.load_bcf(filepath=str(path))
    assert len(bpy.context.scene.collision_kit.topics) == 0


def test_a_bcf_file_is_not_printed_nor_overwritten(tmp_path: Path, capfd: Any) -> None:
    path = saved(tmp_path)
    assert command("check", path, "--format", "bcf") == 2
    assert "--format bcf needs --output" in capfd.readouterr().err
    command("check", path, "--output", tmp_path / "a.bcf")
    assert command("check", path, "--bcf", tmp_path / "a.bcf", "--output", tmp_path / "a.bcf") == 2
    assert "it is the BCF file" in capfd.readouterr().err
    with pytest.raises(ValueError, match="format"):
        api.report_text(api.check_collisions(), "bcf")


def test_status_assignee_and_comments_are_set_without_a_file_and_go_to_bcf_and_back(tmp_path: Path) -> None:
    saved(tmp_path)
    check()
    last_check.chosen = 0
    texts = " ".join(drawn(COLLISION_KIT_PT_pair, bpy.context).texts)
    assert "Status: No status" in texts
    edit = bpy.ops.collision_kit.edit_pair_status
    assert edit(status=" In Progress ", assigned_to="Anna", comment="Move it up", author="Ben") == {"FINISHED"}
    # What is not given stays as it is.
    assert edit(comment="Done?") == {"FINISHED"}
    texts = " ".join(drawn(COLLISION_KIT_PT_pair, bpy.context).texts)
    for text in ("Status: In Progress", "Assigned to Anna", "Ben: Move it up"):
        assert text in texts
    report = api.check_collisions(scope="ALL", clearance=0.5)
    topic = api.pair_topic(report, report.pairs[0])
    assert topic is not None
    assert (topic.status, topic.assigned_to) == ("In Progress", "Anna")
    assert [one.text for one in topic.comments] == ["Move it up", "Done?"]
    other = api.set_pair_topic(report, report.pairs[1], status="Open")
    assert api.pair_topic(report, report.pairs[1]) == other
    # Every format has them, and a BCF file comes back with the same.
    assert '"assigned_to": "Anna"' in api.report_text(report, "json")
    for kind in ("text", "html"):
        written = api.report_text(report, kind)
        assert "topic: In Progress, assigned to Anna, 2 comments" in written
        assert "last comment: Done?" in written
    out = api.save_report(report, tmp_path / "out.bcf", pictures=0)
    known = topics_of(bpy.context.scene)
    assert read_topics(out)[topic.guid]._replace(comments=()) == topic._replace(comments=())
    assert [one[1:3] for one in read_topics(out)[topic.guid].comments] == [one[1:3] for one in topic.comments]
    # Topics of other pairs stay when a file is loaded.
    store_topics(bpy.context.scene, [Topic("elsewhere", "Closed")])
    api.load_bcf(out)
    loaded = topics_of(bpy.context.scene)
    assert loaded["elsewhere"].status == "Closed"
    assert {guid: loaded[guid].status for guid in known} == {guid: one.status for guid, one in known.items()}
    # Nothing said is nothing stored.
    api.set_pair_topic(report, report.pairs[1], status="")
    assert other.guid not in topics_of(bpy.context.scene)
    with pytest.raises(ValueError, match="none of the report's"):
        api.set_pair_topic(report, replace(report.pairs[0]), status="Open")


def test_a_search_finds_what_is_said_of_a_pair() -> None:
    check()
    report = last_check.report
    assert report is not None
    last_check.chosen = 1
    bpy.ops.collision_kit.edit_pair_status(status="Waiting", assigned_to="Zoe", comment="for the truck")
    results = bpy.context.window_manager.collision_kit
    for text, rows in (("waiting", [1]), ("zoe", [1]), ("truck", [1]), ("zoe truck", [1]), ("nobody", [])):
        results.view.text = text
        assert results_rows.lines(results).pair.tolist() == rows, text
    results.view.text = ""
    assert len(results_rows.lines(results).pair) == len(report.pairs)


def test_an_edited_topic_can_be_undone() -> None:
    check()
    last_check.chosen = 0
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.collision_kit.edit_pair_status(status="Closed")
    bpy.ops.ed.undo_push(message="Edit Pair Status")
    assert len(bpy.context.scene.collision_kit.topics) == 1
    bpy.ops.ed.undo()
    assert len(bpy.context.scene.collision_kit.topics) == 0
