# SPDX-License-Identifier: GPL-3.0-or-later
"""Load what others say of pairs from a BCF file."""

from pathlib import Path

import bpy
from bpy_extras.io_utils import ImportHelper

from ... import reports
from ...i18n.lookup import error_text, report_, tip_
from ...model.errors import UserError
from ...scene.accepted_pairs import changed
from ...scene.topics import store_topics
from ...session.collision_results import last
from ..result_list import rows as results_rows
from .file_fields import file_filter, file_path


class COLLISION_KIT_OT_load_topics(ImportHelper, bpy.types.Operator):  # type: ignore[misc]
    """Reads what comes back of a file that *Save Collision Report* has written."""

    bl_idname = "collision_kit.load_topics"
    bl_label = "Load BCF"
    bl_description = (
        "Load the status, the assignee and the comments of pairs from a BCF file, in place of those that the scene "
        "stores"
    )
    bl_options = {"REGISTER", "UNDO"}

    filepath: file_path("The BCF file")
    filter_glob: file_filter("*.bcf", "*.bcfzip")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """The scene must be the file's own."""
        if context.scene.library is not None:
            cls.poll_message_set(tip_("The scene is linked"))
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Read it."""
        try:
            topics = reports.bcf_files.read_topics(Path(bpy.path.abspath(self.filepath)))
            store_topics(context.scene, topics.values())
        except UserError as error:
            self.report({"ERROR"}, error_text(error))
            return {"CANCELLED"}
        changed()
        found = len(results_rows.marks().topics) if last.report is not None else 0
        text = report_("{count} topics loaded, {found} of listed pairs", count=len(topics), found=found)
        self.report({"INFO"}, text)
        return {"FINISHED"}
