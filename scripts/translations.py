# SPDX-License-Identifier: GPL-3.0-or-later
"""List the texts of the interface that a language does not have yet, and those that it has and nobody shows.

``python scripts/translations.py`` only lists them: what is not translated appears in English. With ``--strict``, as for
a release, the exit code is 1 if there are any. It needs Blender as a module, and build/typing/collision_kit, which
``make translations`` makes.
"""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def listed() -> int:
    """Print the lists, and return how many texts are on them."""
    sys.path[:0] = [str(ROOT / "build" / "typing"), str(ROOT)]
    import collision_kit

    collision_kit.register()
    from collision_kit.addon.i18n.catalogs import catalogs
    from collision_kit.addon.model.plurals import SINGULAR, is_form
    from tests.helpers.blender.shown_texts import texts

    shown = {(context, text) for context, text in texts() if text}
    known = {text for _, text in shown} | set(SINGULAR.values())
    count = 0
    for language, catalog in catalogs().items():
        missing = sorted(text for context, text in shown - set(catalog))
        left = sorted({text for _, text in catalog if not is_form(text)} - known)
        print(f"{language}: {len(missing)} texts are missing, {len(left)} are shown nowhere")
        for what, found in (("missing", missing), ("shown nowhere", left)):
            for text in found:
                print(f"  {what}: {text}")
        count += len(missing) + len(left)
    return count


if __name__ == "__main__":
    code = int(listed() > 0 and "--strict" in sys.argv)
    sys.stdout.flush()
    # Blender as a module may crash while Python shuts down.
    os._exit(code)
