#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Make a virtual environment with this package (editable, with its tests' and developers' tools) and Blender as a
# module, or leave it alone if it is up to date. The kernels are compiled anew if they have changed.
#
#   scripts/environment.sh FOLDER [BLENDER [REQUIREMENT ...]]
#
# BLENDER is a version such as 4.5; without it the Python found first decides. "peers" in its place is no Blender, but
# the libraries that answers are compared with, whose numpy is newer than Blender's, and the tools of
# scripts/mutation.py. "docs" is what makes the site. Blender as a module comes for one Python each, so the right one is
# looked for: $PYTHON if given, then what PATH offers, then pyenv's.
# Exit status: 0 the environment stands; 3 no suitable Python; anything else, the installation failed.
set -eu

cd "$(dirname "$0")/.."
folder=$1
blender=${2:-}
[ $# -lt 2 ] && shift 1 || shift 2

case $blender in
'' | peers | docs) accepted='3.11 3.13' ;;
4.* | 5.0) accepted=3.11 ;;
*) accepted=3.13 ;;
esac

# Prints "VERSION PATH" of the interpreter behind a command; of a virtual environment, of the one it was made with,
# because the environment in use may be the very one that is replaced here. A pyenv shim of an inactive version fails.
interpreter() {
  "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2], getattr(sys, "_base_executable", sys.executable))' 2>/dev/null
}

find_python() {
  seen=
  for candidate in ${PYTHON:-} python3 python3.11 python3.13 \
    "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.11*/bin/python "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.13*/bin/python; do
    found=$(interpreter "$candidate") || continue
    version=${found%% *}
    python=${found#* }
    seen="$seen $version"
    for wanted in $accepted; do [ "$version" = "$wanted" ] && return 0; done
    # A Python that was asked for by name and does not fit is an error, except where a certain Blender needs another.
    [ -n "${PYTHON:-}" ] && [ -z "$blender" ] && break
  done
  if [ -n "$blender" ] && [ "$blender" != peers ] && [ "$blender" != docs ]; then
    echo "Blender $blender as a module needs Python $accepted, and none was found." >&2
  else
    echo "error: Python 3.11 (for Blender 4.2) or 3.13 (for Blender 5.2) is needed; found:${seen:- none}." >&2
    echo "       Install one of them, or say where it is: make PYTHON=/path/to/python3.11" >&2
  fi
  return 3
}

# The compiled kernels, which all environments of this clone share, of the sources as they are now.
compile_kernels() {
  [ "$blender" = docs ] || "$folder/bin/python" scripts/build_kernels.py
}

find_python
if [ -z "$blender" ]; then
  case $version in 3.11) blender=4.2 ;; *) blender=5.2 ;; esac
fi

stamp=$folder/collision-kit.stamp
key=" $version bpy $blender $* $(pwd) $(cksum <pyproject.toml)"
known=$(cat "$stamp" 2>/dev/null || true)
made_with=${known%"$key"}
# The same Python has several names, and another one in an activated environment than outside it.
if [ -x "$folder/bin/python" ] && [ "$known" = "$made_with$key" ] && [ "$made_with" -ef "$python" ]; then
  compile_kernels
  exit 0
fi

if [ "$blender" = peers ]; then
  echo "Setting up $folder: Python $version, Coal, python-fcl, manifold3d, Shapely and Dask ..."
  set -- --editable '.[kernels,test,peers,mutation,cluster]' "$@"
elif [ "$blender" = docs ]; then
  echo "Setting up $folder: Python $version, MkDocs ..."
  set -- --editable '.[docs]' "$@"
else
  echo "Setting up $folder: Python $version, Blender $blender as a module (a download of about 350 MB the first time) ..."
  set -- --editable '.[blender,kernels,test,dev]' "bpy==$blender.*" "$@"
fi
rm -rf "$folder"
"$python" -m venv "$folder"
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check "$@"
echo "$python$key" >"$stamp"
compile_kernels
