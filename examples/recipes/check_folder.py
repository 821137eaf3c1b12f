# SPDX-License-Identifier: GPL-3.0-or-later
"""Check all scene files of a folder, and print those with collisions, the worst first.

    python examples/recipes/check_folder.py library [report.json]

Needs ``pip install collision-kit[blender]``. The exit code is that of the command: 0, 1 for collisions, 2 for files
that could not be checked.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path


def main(folder: str, report: str | None = None) -> int:
    """Check and print; return the exit code."""
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(report or Path(temporary) / "report.json")
        command = [sys.executable, "-m", "collision_kit", "check", folder, "--jobs", "auto", "--output", str(path)]
        code = subprocess.run(command, check=False).returncode
        if not path.exists():
            return code
        files = json.loads(path.read_text(encoding="utf-8"))["files"]
    found = []
    for file in files:
        faults = [
            pair
            for pair in (file["report"] or {}).get("pairs", [])
            if pair["verdict"] in ("penetrating", "contained") and pair["accepted"] is None and pair["ignored"] is None
        ]
        if faults:
            found.append((min(pair["distance"] for pair in faults), len(faults), file["path"]))
        elif file["message"]:
            print(f"{file['path']}: {file['message']}")
    for distance, count, name in sorted(found):
        print(f"{name}: {count} collisions, up to {-distance:.4g} deep")
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
