# SPDX-License-Identifier: GPL-3.0-or-later
"""Ignore rules for pairs of a report that look as if they are meant to collide. No Blender in it."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from enum import IntEnum
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from ...core.constants import Verdict
from ..system.late import np
from .folds import STATIC
from .marks import NO_MARKS, Marks
from .message import Message
from .motion_report import MotionContact, MotionReport
from .report import Body, ObjectKey, Report
from .rules import IgnoreRule, Labels, Pattern, listed
from .verdict_names import FAULTS

if TYPE_CHECKING:
    from ...core.numerics.types import Bools, Floats, Ints

# Pairs that may be meant.
LOOKED_FOR = (Verdict.CONTAINED, Verdict.PENETRATING)
# Of names and collections, so many pairs have to agree.
FEWEST = 3
# A rule takes no pair that is deeper than this many times the median depth of the pairs that its patterns match.
MUCH_DEEPER = 3.0
# The depth limit of a rule is above the greatest depth of its pairs by this share, and is rounded up to three digits.
MARGIN = 0.1
DIGITS = 3
# The depth of a pair is constant if it changes by at most this share of the greatest depth.
CHANGE = 0.1
# So many rules are suggested at most, of so many combinations of names: those that most pairs have.
MOST = 20
LOOKED_AT = 1000

_NUMBER = re.compile(r"(?<=.)[\s._-]*\d+$")
_WORD = re.compile(r"[\s._-]+|(?<=[a-z])(?=[A-Z])")


# What may be meant. A rule with a depth limit takes no duplicates.
_DEEP = (Verdict.CONTAINED, Verdict.PENETRATING)


class Evidence(IntEnum):
    """Why the pairs of a rule may be meant, the strongest first."""

    MOTION = 0
    PARENT = 1
    COLLIDER = 2
    HELPER = 3
    NAMES = 4
    STATIC = 5
    GROUND = 6
    COLLECTION = 7
    TOLERANCE = 8


# Of each kind of evidence, so many pairs have to agree.
_FEWEST = {Evidence.MOTION: 1, Evidence.PARENT: 1, Evidence.COLLIDER: 1, Evidence.HELPER: 1}
# Rules that may match most bodies on both sides: what they say of pairs is more than names.
_OF_MANY = frozenset({Evidence.MOTION, Evidence.STATIC, Evidence.TOLERANCE})

# Words of names and materials that say that an object is not there to collide, and what such objects are.
_HELPERS = {
    Message("named like a navigation mesh"): ("nav", "navmesh", "navigation", "walkmesh"),
    Message("named like a sky"): ("sky", "skybox", "skydome", "skysphere", "cloud", "clouds"),
    Message("named like water"): ("water", "ocean", "sea", "lake", "river"),
    Message("named like an impostor"): ("impostor", "imposter", "billboard"),
}
# Words of names that say that an object is the collider of another.
_COLLIDER = frozenset({"col", "coll", "collision", "collider", "colmesh", "phys", "physics", "hull", "proxy", "hitbox"})

# What stands in a ground is above it: the vertical part of the axis is at least this.
_UPRIGHT = 0.7
# A tolerance takes pairs up to this many meters, if the next one is so many times as deep as the deepest of them. It is
# no more than this share of how far the pairs are from each other, which says how large the things of a scene are.
_MOST_TOLERANCE, _NEXT, _SHARE = 0.005, 2.0, 0.004


class SuggestedRule(NamedTuple):
    """An ignore rule, and what it would do.

    Attributes
    ----------
    rule : IgnoreRule
        With the reason, in English, and the depth limit.
    rows : tuple of int
        The rows of `Report.pairs` that it would take: contained or penetrating, and neither accepted nor ignored.
        The deepest first. Duplicates are not among them: a rule with a depth limit takes none.
    evidence : Evidence
    reason : Message
        That of the rule, to be translated.
    """

    rule: IgnoreRule
    rows: tuple[int, ...]
    evidence: Evidence
    reason: Message


class _Candidate(NamedTuple):
    """Patterns that may become a rule."""

    a: tuple[Pattern, ...]
    b: tuple[Pattern, ...]
    evidence: Evidence
    reason: Message
    depth: float = 0.0  # its pairs are at times as deep as this


def suggested_rules(
    report: Report, labels: Sequence[Labels], marks: Marks = NO_MARKS, motion: MotionReport | None = None
) -> list[SuggestedRule]:
    """Suggest ignore rules for the pairs of a report that penetrate and are neither accepted nor ignored.

    Parameters
    ----------
    report : Report
    labels : sequence of Labels
        Those of each body of the report.
    marks : Marks
    motion : MotionReport, optional
        Of the same scene: pairs that it found in touch all the time, at constant depth, may be meant.

    Returns
    -------
    list of SuggestedRule
        Those that take most pairs first, at most `MOST`. A rule is left out if one before it has the same or stronger
        evidence and takes all of its pairs.
    """
    facts = _Facts(report, labels, marks)
    candidates = [
        *(_of_motion(report, facts, motion) if motion is not None else ()),
        *_of_parents(report, facts),
        *_of_colliders(report, facts),
        *_of_helpers(report, facts),
        *_of_names(report, facts),
        *_of_static(report),
        *_of_grounds(report, facts),
        *_of_collections(facts),
        *_of_tolerance(report, facts),
    ]
    found = [one for one in map(facts.evaluated, candidates) if one is not None]
    found.sort(key=lambda one: (-len(one[0].rows), one[0].evidence, one[1], _text(one[0].rule)))
    kept: list[tuple[SuggestedRule, set[int]]] = []
    for one, _ in found:
        rows = set(one.rows)
        if not any(rows <= others and before.evidence <= one.evidence for before, others in kept):
            kept.append((one, rows))
            if len(kept) == MOST:
                break
    return [one for one, _ in kept]


def remaining(report: Report, marks: Marks, suggested: Sequence[SuggestedRule]) -> list[int]:
    """The rows that are faults, and that none of these rules would take."""
    taken = {row for one in suggested for row in one.rows}
    return [row for row in marks.open_rows(report, FAULTS) if row not in taken]


def constant(contact: MotionContact, touching: float) -> bool:
    """Whether two bodies, of which one moves, are in touch in all samples of a check of motion, about equally deep."""
    # Of two that stand still there is nothing but the first contact.
    moves, change = len(contact.path) > 1, -contact.distance - contact.shallowest
    return moves and contact.unbroken and contact.decided and change <= max(-contact.distance * CHANGE, touching)


class _Facts:
    """The pairs of a report that may be meant, as arrays.

    Attributes
    ----------
    rows : (F,) int64
        The rows of the pairs that may be meant, whether they are accepted and ignored or not.
    ends : (F, 2) int64
        Their bodies.
    depth : (F,) float64
        What `IgnoreRule.max_depth` is compared with.
    open : (F,) bool
        Whether they are neither accepted nor ignored.
    """

    def __init__(self, report: Report, labels: Sequence[Labels], marks: Marks) -> None:
        self.labels, self.report = labels, report
        self.rows: Ints = np.array([row for row, pair in enumerate(report.pairs) if pair.verdict in _DEEP], np.int64)
        pairs = [report.pairs[row] for row in self.rows.tolist()]
        self.ends: Ints = np.array([(pair.body_a, pair.body_b) for pair in pairs], dtype=np.int64).reshape(-1, 2)
        self.depth: Floats = np.array([max(pair.depth - pair.touching, 0.0) for pair in pairs], dtype=np.float64)
        self.open: Bools = np.isin(self.rows, marks.open_rows(report, _DEEP))
        self._matching: dict[Pattern, Bools] = {}
        # The bodies of each text of a field, and of the glob that stands for it.
        self._texts: dict[str, dict[str, set[int]]] = {field: {} for field in Labels._fields}
        self._globs: defaultdict[Pattern, set[int]] = defaultdict(set)
        for body, found in enumerate(labels):
            for field, texts in found._asdict().items():
                for text in texts:
                    self._texts[field].setdefault(text, set()).add(body)
                    for pattern in {Pattern(field, text), exact(text, field)}:
                        self._globs[pattern].add(body)

    def open_ends(self) -> Iterator[tuple[int, int]]:
        """The bodies of each pair that is neither accepted nor ignored."""
        yield from map(tuple, self.ends[self.open].tolist())

    def matches(self, patterns: tuple[Pattern, ...]) -> "Bools":
        """As `matching`, for patterns that `exact` and `beginnings` make; none match everything."""
        if not patterns:
            return np.ones(len(self.labels), dtype=np.bool_)
        return np.any([self._matches(one) for one in patterns], axis=0)

    def _matches(self, pattern: Pattern) -> "Bools":
        if pattern not in self._matching:
            found = self._globs[pattern]
            if pattern.glob.endswith("*"):
                texts = self._texts[pattern.field].items()
                begun = (mine for text, mine in texts if pattern.matches(Labels(**{pattern.field: frozenset({text})})))
                found = found.union(*begun)
            self._matching[pattern] = np.isin(np.arange(len(self.labels)), list(found))
        return self._matching[pattern]

    def evaluated(self, candidate: _Candidate) -> tuple[SuggestedRule, int] | None:
        """The rule that patterns make, and how many bodies they match; None: they make none."""
        a, b = self.matches(candidate.a), self.matches(candidate.b)
        first, second = self.ends.T
        meant = (a[first] & b[second]) | (a[second] & b[first])
        if not (meant & self.open).any():
            return None
        if candidate.evidence not in _OF_MANY and 2 * min(a.sum(), b.sum()) > len(self.labels):
            # What matches most bodies on both sides says little about any pair.
            return None
        if candidate.evidence is Evidence.NAMES and not self._usual(candidate, self.ends[meant]):
            return None
        usual = self.depth <= MUCH_DEEPER * np.median(self.depth[meant])
        # The limit is that of the pairs that the rule would take, not of those that are dealt with already.
        deepest = float(self.depth[meant & self.open & usual].max(initial=-np.inf))
        if not np.isfinite(deepest):
            return None
        limit = rounded_up(max(deepest, candidate.depth) * (1.0 + MARGIN))
        if candidate.evidence is Evidence.TOLERANCE:
            limit = candidate.depth
        meant &= self.depth <= limit
        taken = np.flatnonzero(meant & self.open)
        if not len(taken) or meant.sum() < _FEWEST.get(candidate.evidence, FEWEST):
            return None
        taken = taken[np.argsort(-self.depth[taken], kind="stable")]
        rule = IgnoreRule(candidate.a, candidate.b, limit, str(candidate.reason))
        suggested = SuggestedRule(rule, tuple(self.rows[taken].tolist()), candidate.evidence, candidate.reason)
        return suggested, int(a.sum() + b.sum())

    def _usual(self, candidate: _Candidate, ends: "Ints") -> bool:
        """Whether at least half of the bodies that a glob matches are in such pairs."""
        there = np.isin(np.arange(len(self.labels)), ends)
        globs = [self.matches(side) for side in (candidate.a, candidate.b) if side[0].glob.endswith("*")]
        return any(2 * (mine & there).sum() >= mine.sum() for mine in globs)


def rounded_up(length: float) -> float:
    """A length, rounded up to `DIGITS` digits."""
    if length <= 0.0:
        return 0.0
    power = math.floor(math.log10(length)) - DIGITS + 1
    # What has no more digits but for rounding stays as it is.
    return float(f"{math.ceil(length / 10.0**power - 1e-6)}e{power}")


def exact(name: str, field: str = "name") -> Pattern:
    """The pattern that matches this name and no other."""
    # Spaces at the ends of a pattern are dropped where patterns are listed.
    return Pattern(field, re.sub(r"[*?[]|^\s|\s$", r"[\g<0>]", name))


def beginnings(name: str) -> list[Pattern]:
    """Patterns for a name and those that begin like it: without its numbers, and up to the end of each of its words."""
    stem, shorter = name, _NUMBER.sub("", name)
    while shorter != stem:
        stem, shorter = shorter, _NUMBER.sub("", shorter)
    ends = {match.start() for match in _WORD.finditer(stem)} | {len(stem)}
    begun = {stem[:end].strip() for end in ends}
    globs = sorted((one for one in begun if any(map(str.isalpha, one))), key=len, reverse=True)
    return [exact(name), *(Pattern("name", f"{exact(one).glob}*") for one in globs)]


def _of_motion(report: Report, facts: _Facts, motion: MotionReport) -> Iterator[_Candidate]:
    """Each body with all those that it touches all the time, those with most of them first."""
    contacts = {_keys(motion.bodies, contact.body_a, contact.body_b): contact for contact in motion.contacts}
    depths: defaultdict[int, dict[int, float]] = defaultdict(dict)
    for row in facts.rows[facts.open].tolist():
        pair = report.pairs[row]
        contact = contacts.get(_keys(report.bodies, pair.body_a, pair.body_b))
        if contact is None or not constant(contact, pair.touching):
            continue
        # Now they are as deep as they are all the time.
        if pair.depth <= contact.depth * (1.0 + CHANGE) + pair.touching:
            depths[pair.body_a][pair.body_b] = depths[pair.body_b][pair.body_a] = contact.depth - pair.touching
    reason = Message("in touch from frame {start} to {end}, about equally deep", start=motion.start, end=motion.end)
    while any(depths.values()):
        body = min(depths, key=lambda one: (-len(depths[one]), report.bodies[one].name))
        others = depths.pop(body)
        for other in others:
            del depths[other][body]
        names = sorted(report.bodies[other].name for other in others)
        yield _Candidate(
            (exact(report.bodies[body].name),), tuple(map(exact, names)), Evidence.MOTION, reason, max(others.values())
        )


def _of_parents(report: Report, facts: _Facts) -> Iterator[_Candidate]:
    """Parents with their children, and what is in one hierarchy."""
    own, common = set[str](), set[str]()
    for a, b in facts.open_ends():
        first, second = facts.labels[a], facts.labels[b]
        attached = (first.parent & second.name) | (second.parent & first.name)
        own |= attached
        common |= attached | (first.parent & second.parent)
    for name in sorted(own):
        below = (exact(name, "parent"),)
        yield _Candidate((exact(name),), below, Evidence.PARENT, Message('parented to "{name}"', name=name))
    for name in sorted(common):
        whole = (exact(name), exact(name, "parent"))
        yield _Candidate(whole, whole, Evidence.PARENT, Message('in the hierarchy of "{name}"', name=name))


def _of_names(report: Report, facts: _Facts) -> Iterator[_Candidate]:
    """Names of which many pairs begin alike."""
    patterns = [beginnings(body.object or body.name) for body in report.bodies]
    count: Counter[tuple[Pattern, Pattern]] = Counter()
    for a, b in facts.ends.tolist():
        count.update({(min(pair), max(pair)) for pair in product(patterns[a], patterns[b])})
    for (a, b), pairs in count.most_common(LOOKED_AT):
        if pairs >= FEWEST and (a.glob.endswith("*") or b.glob.endswith("*")):
            yield _Candidate((a,), (b,), Evidence.NAMES, Message("repeated in pairs of these names"))


def words_of(name: str) -> list[str]:
    """The words of a name in small letters, without numbers."""
    return [word.casefold() for word in re.split(r"[^A-Za-z]+|(?<=[a-z])(?=[A-Z])", name) if word]


def _of_colliders(report: Report, facts: _Facts) -> Iterator[_Candidate]:
    """Bodies whose name is that of the other body, and that it is a collider: what belongs to which is not declared."""
    words = [words_of(body.object or body.name) for body in report.bodies]
    for a, b in facts.open_ends():
        for one, other in ((a, b), (b, a)):
            rest = [word for word in words[one] if word not in _COLLIDER]
            if len(rest) < len(words[one]) and rest == words[other]:
                names = report.bodies[one].name, report.bodies[other].name
                reason = Message('named like a collider of "{name}"', name=names[1])
                yield _Candidate((exact(names[0]),), (exact(names[1]),), Evidence.COLLIDER, reason)


def _of_helpers(report: Report, facts: _Facts) -> Iterator[_Candidate]:
    """Bodies that are not there to collide, by their names or by all of their materials."""
    touched = sorted({body for ends in facts.open_ends() for body in ends})
    for reason, helpers in _HELPERS.items():
        found = []
        for body in touched:
            materials = [set(words_of(one)) for one in facts.labels[body].material]
            named = not set(helpers).isdisjoint(words_of(report.bodies[body].object or report.bodies[body].name))
            if named or (materials and not any(set(helpers).isdisjoint(one) for one in materials)):
                found.append(exact(report.bodies[body].name))
        if found:
            yield _Candidate(tuple(found), (), Evidence.HELPER, reason)


def _of_static(report: Report) -> Iterator[_Candidate]:
    """What does not move with what does not move, where the file declares of some bodies that they do."""
    if any(body.motion not in {"", STATIC} for body in report.bodies):
        side = (Pattern("motion", "undeclared"), Pattern("motion", STATIC))
        yield _Candidate(side, side, Evidence.STATIC, Message("neither of the two moves"))


def _of_grounds(report: Report, facts: _Facts) -> Iterator[_Candidate]:
    """Bodies in which many others stand, most of which are above them."""
    count, upright = Counter[int](), Counter[int]()
    for row in facts.rows[facts.open].tolist():
        pair = report.pairs[row]
        count.update((pair.body_a, pair.body_b))
        if abs(pair.normal[2]) >= _UPRIGHT:
            upright[pair.body_a if pair.normal[2] > 0.0 else pair.body_b] += 1
    for body, pairs in sorted(upright.items()):
        if pairs >= max(FEWEST, count[body] / 2):
            name = report.bodies[body].name
            yield _Candidate((exact(name),), (), Evidence.GROUND, Message('standing in "{name}"', name=name))


def _of_tolerance(report: Report, facts: _Facts) -> Iterator[_Candidate]:
    """All pairs that are much less deep than the next one; of several such steps, that with most pairs."""
    depth = np.sort(facts.depth[facts.open])
    points = np.array([report.pairs[row].point_a for row in facts.rows.tolist()]).reshape(-1, 3)
    spread = float(np.ptp(points, axis=0).max()) if len(points) else 0.0
    most = min(_MOST_TOLERANCE / report.units.scale_length, _SHARE * spread or math.inf)
    for place in range(len(depth) - 1, -1, -1):
        after = depth[place + 1] if place + 1 < len(depth) else math.inf
        limit = _rounded_tolerance(depth[place])
        if 0.0 < limit <= most and after >= max(_NEXT * depth[place], limit * (1.0 + MARGIN)):
            everything = (Pattern("name", "*"),)
            yield _Candidate(
                everything, everything, Evidence.TOLERANCE, Message("small steps of parts placed by hand"), limit
            )
            return


def _rounded_tolerance(depth: float) -> float:
    """The next of 1, 2 and 5 times a power of ten."""
    if depth <= 0.0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(depth))
    return next(float(f"{step * power:.6g}") for step in (1.0, 2.0, 5.0, 10.0) if step * power >= depth)


def _of_collections(facts: _Facts) -> Iterator[_Candidate]:
    """Collections that both bodies are in."""
    shared = set[str]()
    for a, b in facts.open_ends():
        shared |= facts.labels[a].collection & facts.labels[b].collection
    for name in sorted(shared):
        side = (exact(name, "collection"),)
        yield _Candidate(side, side, Evidence.COLLECTION, Message('in the collection "{name}"', name=name))


def _keys(bodies: Sequence[Body], a: int, b: int) -> frozenset[ObjectKey]:
    return frozenset((bodies[a].key, bodies[b].key))


def _text(rule: IgnoreRule) -> str:
    return f"{listed(rule.a)} × {listed(rule.b)}"
