# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of the list of contacts of a motion check, arranged like those of a collision check."""

from typing import Any

from ... import motion
from ...model.motion_report import FAULTS, NEAR, STATUSES, MotionContact
from ...scene import open_file
from ...scene.settings import contacts_list, ignore_rules_of
from ...session import motion_results
from ...session.motion_results import MotionResult
from ...system.late import np
from .view import NONE, ListFacts, ListLines, ListView, Wish, resize

# Lines of the list. There is one list.
view = ListView()

# Kinds of contacts, which are also the properties of `COLLISION_KIT_PG_contact_view` that show and hide them.
KINDS = (*STATUSES, NEAR)

# Properties that hide contacts.
_FILTERS = (*KINDS, "accepted", "text", "depth")


class ContactFacts(ListFacts):
    """Return the contacts and near misses of a report."""

    def __init__(self, found: MotionResult) -> None:
        report = found.report
        rows, bodies = report.rows, report.bodies
        super().__init__(
            [found.body_name(body) for body in bodies],
            [body.key for body in bodies],
            [(contact.body_a, contact.body_b) for contact in rows],
        )
        # The state that they belong to.
        self.report, self.names = report, found.names
        self.kind = np.array([KINDS.index(contact.status) for contact in rows], dtype=np.int64)
        self.distance = np.array([gap_of(contact) for contact in rows], dtype=np.float64)
        self.test = np.array([contact.test for contact in rows], dtype=np.int64)
        self.settled = np.array([contact.ignored >= 0 for contact in rows], dtype=bool)
        self.new = np.array([contact.status in FAULTS for contact in rows], dtype=bool)
        folds: dict[Any, list[int]] = {}
        for row, contact in enumerate(rows):
            fold = report.fold_of(contact) if contact.ignored < 0 else None
            if fold is not None:
                folds.setdefault(fold, []).append(row)
        self.folds = {fold: np.array(some, dtype=np.int64) for fold, some in folds.items()}


_facts: ContactFacts | None = None


def gap_of(contact: MotionContact) -> float:
    """Return the distance of the two: positive for a gap, negative for a depth."""
    if contact.is_near_miss:
        return contact.distance
    return -contact.depth if contact.penetrates else 0.0


def current() -> MotionResult | None:
    """Return the last motion check, with the contacts ignored that match the current rules of the scene."""
    found = motion_results.latest.result
    scene = open_file.scene_by_uid(found.place.scene_uid) if found is not None else None
    if found is not None and scene is not None:
        rules = ignore_rules_of(scene)
        if rules != found.report.rules:
            found.report = motion.named_tests.with_rules(found.report, rules)
    return found


def wish(settings: Any) -> Wish:
    """Return the view settings of a `COLLISION_KIT_PG_contact_view`."""
    return Wish(
        kinds=frozenset(number for number, name in enumerate(KINDS) if getattr(settings, name)),
        accepted=settings.accepted,
        text=settings.text,
        depth=settings.depth,
        order=settings.order,
        reverse=settings.reverse,
    )


def lines(contacts: Any) -> ListLines:
    """Return the lines of the list, of a `COLLISION_KIT_PG_contacts`."""
    global _facts
    found = current()
    if found is None:
        _facts = None
    elif _facts is None or found.report is not _facts.report or found.names != _facts.names:
        _facts = ContactFacts(found)
    return view.arranged(_facts, wish(contacts.view))


def chosen_place(contacts: Any) -> int:
    """Return the place of the chosen contact in the list. `NONE` if it is not listed."""
    found = motion_results.latest.result
    return view.place_of(lines(contacts), found.chosen) if found is not None else NONE


def choose_place(contacts: Any, place: int) -> None:
    """Choose the contact at a place, or open or close the heading or fold there."""
    row, found = view.choose(lines(contacts), place), motion_results.latest.result
    if row != NONE and found is not None:
        found.chosen = row


def show_all(manager: Any) -> None:
    """Reset all filters."""
    settings = contacts_list(manager).view
    for name in _FILTERS:
        settings.property_unset(name)


@motion_results.latest.on_new.subscribe
def _fit() -> None:
    found = motion_results.latest.result
    wanted = len(found.report.rows) + found.report.most_folds() if found is not None else 0
    for manager in open_file.window_managers():
        resize(contacts_list(manager).rows, wanted)
