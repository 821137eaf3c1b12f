# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes, and the command line in this process."""

import bpy

from collision_kit.addon.cli import commands


def box(name, place):
    """A cube of side 1."""
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=place)
    bpy.context.object.name = name
    return bpy.context.object


def run(capfd, *arguments):
    """Exit code, standard output and standard error of one command."""
    capfd.readouterr()
    code = commands.command(arguments)
    output, error = capfd.readouterr()
    return code, output, "\n".join(line for line in error.splitlines() if line.startswith("error"))
