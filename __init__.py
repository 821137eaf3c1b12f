# SPDX-License-Identifier: GPL-3.0-or-later
"""Collision Kit: collision geometry authored and validated, in Blender and out of it.

Blender calls `register` and `unregister`; everything that needs Blender is imported inside them, so that
``import collision_kit.core`` works with numpy alone.
"""

from __future__ import annotations

# Nothing is loaded here: `python -m` searches the working directory for what the package imports before `__main__`.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    __version__: str

# The names by which Blender's glTF add-on finds what reads and writes extensions, and where it is.
_GLTF = {
    "glTF2ImportUserExtension": ("gltf.importing", "ColliderImport"),
    "glTF2ExportUserExtension": ("gltf.exporting", "ColliderExport"),
    "draw_import": ("ui.panels.gltf", "draw_import"),
    "draw_export": ("ui.panels.gltf", "draw_export"),
}


def register() -> None:
    """Add Collision Kit to Blender."""
    from . import addon

    addon.register()


def unregister() -> None:
    """Take Collision Kit out of Blender, leaving nothing behind."""
    from . import addon

    addon.unregister()


def __getattr__(name: str) -> Any:
    """Load what is asked for: the version, and of what needs Blender `api` and what its glTF add-on looks for."""
    import importlib

    if name == "__version__":
        return importlib.import_module(f"{__name__}._version").__version__
    if name == "api":
        # So that scripts find the settings of objects and the accepted pairs that files hold.
        importlib.import_module(f"{__name__}.addon.file_settings").register()
        return importlib.import_module(f"{__name__}.addon.api")
    if name in _GLTF:
        module, attribute = _GLTF[name]
        return getattr(importlib.import_module(f"{__name__}.addon.{module}"), attribute)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
