# SPDX-License-Identifier: GPL-3.0-or-later
"""Names, of which Unity has none."""

from collections.abc import Iterator

from ...asset_rules.rule import Hit, Limits, Rule, each_body
from ...asset_rules.subject import Body


def _find(body: Body, _limits: Limits) -> Iterator[Hit]:
    """Said once of a body; Unity's own sample script looks for "collider" in names."""
    own = [one for one in body.colliders if one.own and "collider" not in one.name.casefold()]
    if own:
        yield Hit(own[0], {})


RULE = Rule(
    id="unity-import-script",
    severity="info",
    engine="unity",
    sentence=(
        "Unity has no naming convention for colliders: imported as a visible mesh without an AssetPostprocessor script."
    ),
    advice="Add such a script, or add the colliders in Unity.",
    find=each_body(_find),
)
