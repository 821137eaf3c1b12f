# SPDX-License-Identifier: GPL-3.0-or-later
"""Write files entirely or not at all, without overwriting input files."""

import contextlib
import errno
import os
import stat
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path


def encoded(text: str) -> bytes:
    """Encode text for a file. Characters without encoding, such as unpaired surrogates, become question marks."""
    return text.replace("\n", os.linesep).encode("utf-8", "replace")


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that a failure leaves no partial file.

    A symbolic link is followed, an existing file keeps its mode and owner, and a device or a named pipe is written to.

    Raises
    ------
    OSError
        If it cannot be written. An existing file is kept then.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(data)
    else:
        write_with(path, lambda temporary: temporary.write_bytes(data))


def write_with(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file to a temporary path in its folder, and move it into place. Like `write_whole`, but not for devices.

    Parameters
    ----------
    path : Path
    write : callable
        Writes a file to the given path, where there is an empty one.

    Raises
    ------
    OSError
        If it cannot be written. An existing file is kept then.
    """
    try:
        there = path.stat()
    except FileNotFoundError:
        there = None
    target = Path(os.path.realpath(path))
    try:
        handle, name = tempfile.mkstemp(prefix=".collision-kit-", suffix=target.suffix, dir=target.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    os.close(handle)
    temporary = Path(name)
    try:
        write(temporary)
        _dress(temporary, there)
        os.replace(temporary, target)
    except OSError as error:
        # Blender's own errors only have a text.
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None
    finally:
        temporary.unlink(missing_ok=True)


def check_regular(path: Path) -> None:
    """Raise an error if a path is a device, a socket or a named pipe, because reading it might never end.

    Raises
    ------
    OSError
        If it is one, or a link to one. Missing files and folders fail when they are read.
    """
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise OSError(errno.EINVAL, "not a file", str(path))


def read_whole(path: Path) -> bytes:
    """Return the content of a file.

    Raises
    ------
    OSError
        If it cannot be read, or `check_regular` rejects it.
    """
    check_regular(path)
    return path.read_bytes()


def check_target(path: Path, *, new_folder: bool = False) -> None:
    """Raise an error if a path cannot be a file, before any work is done.

    Parameters
    ----------
    path : Path
    new_folder : bool
        Whether its folder, and parent folders, will be made if they are missing.

    Raises
    ------
    OSError
        If it is a folder, or its folder does not exist.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    there = next((folder for folder in path.parents if folder.exists()), None)
    if there is not None and not there.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, f"{there} is not a folder", str(path))
    folder = Path(os.path.realpath(path)).parent
    if not new_folder and not stat.S_ISDIR(folder.stat().st_mode):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))


def make_folder(path: Path) -> None:
    """Make a folder and its missing parents. A symbolic link is followed.

    Raises
    ------
    OSError
        If it cannot be made.
    """
    Path(os.path.realpath(path)).mkdir(parents=True, exist_ok=True)


def one_file(a: Path, b: Path) -> bool:
    """Return whether two paths lead to the same file: by links, another spelling, or letter case.

    Devices and named pipes do not count, because several processes may write to them.
    """
    try:
        first, second = a.stat(), b.stat()
    except (OSError, ValueError):
        return _spelled(a) == _spelled(b)
    if not stat.S_ISREG(first.st_mode):
        return False
    return os.path.samestat(first, second) or _spelled(a) == _spelled(b)


def is_output(path: Path, stream: int) -> bool:
    """Return whether a stream of this process is written to a file."""
    try:
        return os.path.samestat(path.stat(), os.fstat(stream)) and path.is_file()
    except OSError:
        return False


def twice(paths: Sequence[Path]) -> Path | None:
    """Return the first of these that is the same file as an earlier one."""
    for index, path in enumerate(paths):
        if any(one_file(path, other) for other in paths[:index]):
            return path
    return None


def _spelled(path: Path) -> str:
    return os.path.realpath(path).casefold()


def _dress(temporary: Path, there: os.stat_result | None) -> None:
    """Give a temporary file the mode and the owner of the file that it replaces, or those of a new file."""
    if there is None:
        # mkstemp makes a file for its owner only.
        mask = os.umask(0)
        os.umask(mask)
        temporary.chmod(0o666 & ~mask)
        return
    if hasattr(os, "chown"):
        with contextlib.suppress(PermissionError):  # only the superuser can change owners
            os.chown(temporary, there.st_uid, there.st_gid)
    temporary.chmod(stat.S_IMODE(there.st_mode))
