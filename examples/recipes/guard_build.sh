#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Fail a build only for collisions that are new, or deeper than before.
#
#   examples/recipes/guard_build.sh level.blend known.json
#
# The first run saves what there is in known.json, which belongs into version control, and passes. Later runs compare
# with it, and write guard.xml for the build server. To take what there is now as known, delete known.json.
set -eu
file=$1
known=$2

if [ ! -e "$known" ]; then
  collision-kit check "$file" --fail-on none --output "$known"
  echo "$known: saved"
  exit 0
fi
collision-kit check "$file" --baseline "$known" --output guard.xml
