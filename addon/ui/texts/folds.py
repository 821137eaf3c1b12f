# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts of the list for lines of folded pairs."""

from collections.abc import Callable

from ...model.folds import Fold, FoldKind

COUNTED = {
    FoldKind.WITHIN: "{count} pairs within {name}",
    FoldKind.SURROUNDINGS: "{count} pairs with the surroundings {name}",
    FoldKind.AREA: "{count} pairs with {name}, which others are in",
    FoldKind.LEVEL: "{count} pairs of colliders that belong to no mesh",
    FoldKind.STATIC: "{count} pairs of static objects",
    FoldKind.LIBRARY: "{count} pairs of assets in one place",
    FoldKind.COPIES: "{count} pairs of copies of {name}",
}

# Why the pairs are folded, for tooltips.
WHY = {
    FoldKind.WITHIN: "Parts of one asset. They fail no build",
    FoldKind.SURROUNDINGS: "Objects inside of it, as inside of a sky. They fail no build",
    FoldKind.AREA: "Water, fog, a navigation mesh or a trigger, by its name. They fail no build",
    FoldKind.LEVEL: "With each other, and with static objects as they are drawn. They fail no build",
    FoldKind.STATIC: "Neither object moves. They fail no build",
    FoldKind.LIBRARY: "Different assets are stored in one place. They fail no build",
    FoldKind.COPIES: "The first of the copies has the same pairs",
}


def fold_text(fold: Fold, count: int, translate: Callable[..., str]) -> str:
    """Return the number of pairs of a line, and what they have in common. `translate` is from `addon.i18n.lookup`."""
    return translate(COUNTED[fold.kind], count=count, **({"name": fold.name} if fold.name else {}))
