# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that are written whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A temporary file that becomes `path` once it is whole, so that a failure leaves no half of one.

    Raises
    ------
    OSError
        If it cannot be written; then what was at `path` still is.
    """
    handle, name = tempfile.mkstemp(suffix=path.suffix, prefix=".collision-kit-", dir=path.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        # mkstemp makes a file for its owner only; the result gets the permissions of any other new file.
        mask = os.umask(0)
        os.umask(mask)
        temporary.chmod(0o666 & ~mask)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
