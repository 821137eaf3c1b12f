# SPDX-License-Identifier: GPL-3.0-or-later
"""Suggest ignore rules for pairs of a report that look as if they are meant to collide. Does not need Blender."""

import math
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from enum import IntEnum
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from ...core.constants import Verdict
from ..system.late import np
from .folds import STATIC
from .marks import NO_MARKS, PairMarks
from .message import Message
from .motion_report import MotionContact, MotionReport
from .report import Body, ObjectKey, PairResults, Report
from .rules import IgnoreRule, Labels, Pattern, listed
from .verdict_names import FAULTS

if TYPE_CHECKING:
    from ...core.numerics.types import Bools, Floats, Ints

# Minimum number of pairs with matching names or collections.
FEWEST = 3
# A rule matches no pair that is deeper than this many times the median depth of the pairs that match its patterns.
MUCH_DEEPER = 3.0
# The depth limit of a rule exceeds the greatest depth of its pairs by this fraction, and is rounded up to three digits.
MARGIN = 0.1
DIGITS = 3
# The depth of a pair is constant if it changes by at most this fraction of the greatest depth.
CHANGE = 0.1
# Maximum number of suggested rules, and of combinations of names that are tried, those with most pairs.
MOST = 20
LOOKED_AT = 1000

_NUMBER = re.compile(r"(?<=.)[\s._-]*\d+$")
_SPECIAL, _BRACKETS = re.compile(r"[*?[]|^\s|\s$"), re.compile(r"\[(.)\]", re.DOTALL)
_WORD = re.compile(r"[\s._-]+|(?<=[a-z])(?=[A-Z])")


# Faults that may be intended. A rule with a depth limit matches no duplicates.
_DEEP = (Verdict.CONTAINED, Verdict.PENETRATING)


class SuggestionReason(IntEnum):
    """Reasons why the pairs of a rule may be intended, strongest first."""

    MOTION = 0
    PARENT = 1
    COLLIDER = 2
    HELPER = 3
    NAMES = 4
    STATIC = 5
    GROUND = 6
    COLLECTION = 7
    TOLERANCE = 8


# Minimum number of pairs for each kind of evidence.
_FEWEST = {
    SuggestionReason.MOTION: 1,
    SuggestionReason.PARENT: 1,
    SuggestionReason.COLLIDER: 1,
    SuggestionReason.HELPER: 1,
}
# Rules that may match most bodies on both sides, because they use more evidence than names.
_OF_MANY = frozenset({SuggestionReason.MOTION, SuggestionReason.STATIC, SuggestionReason.TOLERANCE})

# Words in names and materials of objects that are not meant to collide, and what such objects are.
_HELPERS = {
    Message("named like a navigation mesh"): ("nav", "navmesh", "navigation", "walkmesh"),
    Message("named like a sky"): ("sky", "skybox", "skydome", "skysphere", "cloud", "clouds"),
    Message("named like water"): ("water", "ocean", "sea", "lake", "river"),
    Message("named like an impostor"): ("impostor", "imposter", "billboard"),
}
# Words in names of objects that are colliders of others.
_COLLIDER = frozenset({"col", "coll", "collision", "collider", "colmesh", "phys", "physics", "hull", "proxy", "hitbox"})

# Objects that stand in the ground are above it: the minimum vertical component of the axis.
_UPRIGHT = 0.7
# A tolerance covers pairs up to this many meters, if the next pair is this many times as deep as the deepest of them.
# It is at most this fraction of the distance between pairs, which indicates the size of the objects in a scene.
_MOST_TOLERANCE, _NEXT, _SHARE = 0.005, 2.0, 0.004


class SuggestedRule(NamedTuple):
    """An ignore rule, and its effect.

    Attributes
    ----------
    rule : IgnoreRule
        With a reason in English, and the depth limit.
    rows : tuple of int
        Rows of `Report.pairs` that it would match: contained or penetrating pairs that are neither accepted nor
        ignored, deepest first. Duplicates are not among them, because a rule with a depth limit does not match them.
    evidence : SuggestionReason
    reason : Message
        Reason of the rule, to be translated.
    """

    rule: IgnoreRule
    rows: tuple[int, ...]
    evidence: SuggestionReason
    reason: Message


class _Candidate(NamedTuple):
    """Patterns that may become a rule."""

    a: tuple[Pattern, ...]
    b: tuple[Pattern, ...]
    evidence: SuggestionReason
    reason: Message
    depth: float = 0.0  # its pairs are sometimes as deep as this


def suggested_rules(
    report: Report, labels: Sequence[Labels], marks: PairMarks = NO_MARKS, motion: MotionReport | None = None
) -> list[SuggestedRule]:
    """Suggest ignore rules for the penetrating pairs of a report that are neither accepted nor ignored.

    Parameters
    ----------
    report : Report
    labels : sequence of Labels
        Labels of each body of the report.
    marks : PairMarks
    motion : MotionReport, optional
        On the same scene. Pairs that touch all the time at constant depth may be intended.

    Returns
    -------
    list of SuggestedRule
        Rules that match most pairs first, at most `MOST`. A rule is left out if an earlier one has the same or stronger
        evidence and matches all of its pairs.
    """
    facts = _Facts(report, labels, marks)
    candidates = [
        *(_of_motion(report, facts, motion) if motion is not None else ()),
        *_of_parents(report, facts),
        *_of_colliders(report, facts),
        *_of_helpers(report, facts),
        *_of_surroundings(report, facts),
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


def remaining(report: Report, marks: PairMarks, suggested: Sequence[SuggestedRule]) -> list[int]:
    """Return the rows of faults that none of these rules would match."""
    taken = {row for one in suggested for row in one.rows}
    return [row for row in marks.open_rows(report, FAULTS) if row not in taken]


def constant(contact: MotionContact, touching: float) -> bool:
    """Return whether two bodies, one of which moves, touch in all samples of a motion check, about equally deep."""
    # If both are static, only the first contact is known.
    moves, change = len(contact.path) > 1, contact.depth - contact.shallowest
    if not (moves and contact.unbroken and contact.decided):
        return False
    # What is measured last takes longest.
    return change <= max(contact.depth * CHANGE, touching) or change <= -contact.distance * CHANGE


class _Facts:
    """Pairs of a report that may be intended, as arrays.

    Attributes
    ----------
    rows : (F,) int64
        Rows of the pairs, including accepted and ignored ones.
    ends : (F, 2) int64
        Bodies of the pairs.
    depth : (F,) float64
        Depth to compare with `IgnoreRule.max_depth`.
    normal, point : (F, 3) float64
        Normals, and points on the first body.
    contained : (F,) bool
        Whether one of the two is inside the other.
    open : (F,) bool
        Whether they are neither accepted nor ignored.
    """

    def __init__(self, report: Report, labels: Sequence[Labels], marks: PairMarks) -> None:
        self.labels, self.report = labels, report
        pairs = PairResults.of(report.pairs)
        self.rows: Ints = np.flatnonzero(np.isin(pairs.verdict, list(map(int, _DEEP))))
        self.ends: Ints = np.stack([pairs.body_a, pairs.body_b], axis=1)[self.rows]
        self.depth: Floats = np.maximum(pairs.depth_bound - pairs.touching, 0.0)[self.rows]
        self.normal: Floats = pairs.normal[self.rows]
        self.point: Floats = pairs.point_a[self.rows]
        self.contained: Bools = pairs.verdict[self.rows] == Verdict.CONTAINED
        self.open: Bools = np.isin(self.rows, marks.open_rows(report, _DEEP))
        # Pairs of each body, grouped by body.
        order = np.argsort(self.ends.ravel(), kind="stable")
        self._pairs: Ints = order // 2
        self._first: Ints = np.searchsorted(self.ends.ravel()[order], np.arange(len(labels) + 1))
        self._pairs_of_body: list[int] = np.diff(self._first).tolist()
        self._matching: dict[Pattern, Bools] = {}
        # Number of bodies that match a pattern, and number of their pairs.
        self._counts: dict[Pattern, tuple[int, int]] = {}
        # Bodies with each text of a field, and the glob for that text.
        self._texts: dict[str, dict[str, list[int]]] = {field: {} for field in Labels._fields}
        for field, texts in self._texts.items():
            for body, found in enumerate(labels):
                for text in getattr(found, field):
                    texts.setdefault(text, []).append(body)
        self._globs: defaultdict[Pattern, list[int]] = defaultdict(list)
        for field, texts in self._texts.items():
            for text, mine in texts.items():
                for pattern in {Pattern(field, text), exact(text, field)}:
                    self._globs[pattern] += mine
        self._sorted = {field: sorted(texts) for field, texts in self._texts.items()}

    def open_ends(self) -> Iterator[tuple[int, int]]:
        """Return the bodies of each pair that is neither accepted nor ignored."""
        yield from map(tuple, self.ends[self.open].tolist())

    @cached_property
    def words(self) -> "list[list[str]]":
        """Return the words of the name of each body."""
        return [words_of(body.object or body.name) for body in self.report.bodies]

    def matches(self, patterns: tuple[Pattern, ...]) -> "Bools":
        """Return the same as `matching` for patterns from `exact` and `beginnings`. No patterns match everything."""
        if not patterns:
            return np.ones(len(self.labels), dtype=np.bool_)
        if len(patterns) == 1:
            return self._matches(patterns[0])
        return np.any([self._matches(one) for one in patterns], axis=0)

    def _matches(self, pattern: Pattern) -> "Bools":
        if pattern not in self._matching:
            found = np.zeros(len(self.labels), dtype=np.bool_)
            found[list(self._bodies(pattern))] = True
            self._matching[pattern] = found
        return self._matching[pattern]

    def _bodies(self, pattern: Pattern) -> "set[int]":
        """Return the bodies that a pattern from `exact` or `beginnings` matches."""
        found = set(self._globs.get(pattern, ()))
        if pattern.glob.endswith("*"):
            texts, start = self._sorted[pattern.field], _plain(pattern.glob[:-1])
            for text in texts[bisect_left(texts, start) :]:
                if not text.startswith(start):
                    break
                found.update(self._texts[pattern.field][text])
        return found

    def _between(self, a: "Bools", b: "Bools") -> "Ints":
        """Return the pairs of a body of one side (B,) and one of the other, in ascending order."""
        few = a if a.sum() <= b.sum() else b
        bodies = np.flatnonzero(few)
        if 4 * len(bodies) > len(few):
            pairs = np.arange(len(self.ends))
        else:
            spans = zip(self._first[bodies].tolist(), self._first[bodies + 1].tolist(), strict=True)
            pairs = np.unique(np.concatenate([self._pairs[:0], *(self._pairs[first:end] for first, end in spans)]))
        first, second = self.ends[pairs].T
        return pairs[(a[first] & b[second]) | (a[second] & b[first])]

    def evaluated(self, candidate: _Candidate) -> tuple[SuggestedRule, int] | None:
        """Return the rule for patterns, and the number of bodies that match. None if there is no such rule."""
        if candidate.evidence is SuggestionReason.NAMES and self._rare(candidate):
            return None
        a, b = self.matches(candidate.a), self.matches(candidate.b)
        meant = self._between(a, b)
        if not self.open[meant].any():
            return None
        if candidate.evidence not in _OF_MANY and 2 * min(a.sum(), b.sum()) > len(self.labels):
            # A pattern that matches most bodies on both sides is weak evidence for a single pair.
            return None
        if candidate.evidence is SuggestionReason.NAMES and not self._usual(candidate, self.ends[meant]):
            return None
        depth = self.depth[meant]
        usual = depth <= MUCH_DEEPER * np.median(depth)
        # The limit is that of the pairs that the rule would match, without pairs that are already accepted or ignored.
        deepest = float(depth[usual & self.open[meant]].max(initial=-np.inf))
        if not np.isfinite(deepest):
            return None
        limit = rounded_up(max(deepest, candidate.depth) * (1.0 + MARGIN))
        if candidate.evidence is SuggestionReason.TOLERANCE:
            limit = candidate.depth
        meant = meant[depth <= limit]
        taken = meant[self.open[meant]]
        if not len(taken) or len(meant) < _FEWEST.get(candidate.evidence, FEWEST):
            return None
        taken = taken[np.argsort(-self.depth[taken], kind="stable")]
        rule = IgnoreRule(candidate.a, candidate.b, limit, str(candidate.reason))
        suggested = SuggestedRule(rule, tuple(self.rows[taken].tolist()), candidate.evidence, candidate.reason)
        return suggested, int(a.sum() + b.sum())

    def _rare(self, candidate: _Candidate) -> bool:
        """Return whether the bodies of a side are in too few pairs for a glob to be `_usual`."""
        sides = candidate.a[0], candidate.b[0]
        for one in sides:
            if one not in self._counts:
                bodies = self._bodies(one)
                self._counts[one] = len(bodies), sum(map(self._pairs_of_body.__getitem__, bodies))
        # Each pair has two bodies.
        most = 2 * min(self._counts[one][1] for one in sides)
        return not any(2 * most >= self._counts[one][0] for one in sides if one.glob.endswith("*"))

    def _usual(self, candidate: _Candidate, ends: "Ints") -> bool:
        """Return whether at least half of the bodies that match a glob are in such pairs."""
        there = np.zeros(len(self.labels), dtype=np.bool_)
        there[ends] = True
        globs = [self.matches(side) for side in (candidate.a, candidate.b) if side[0].glob.endswith("*")]
        return any(2 * (mine & there).sum() >= mine.sum() for mine in globs)


def rounded_up(length: float) -> float:
    """Return a length rounded up to `DIGITS` digits."""
    if length <= 0.0:
        return 0.0
    power = math.floor(math.log10(length)) - DIGITS + 1
    # A length that has no more digits, except for rounding, is not changed.
    return float(f"{math.ceil(length / 10.0**power - 1e-6)}e{power}")


def exact(name: str, field: str = "name") -> Pattern:
    """Return the pattern that matches this name and no other."""
    # Spaces at the ends of a pattern are removed where patterns are listed.
    return Pattern(field, _SPECIAL.sub(r"[\g<0>]", name) if _SPECIAL.search(name) else name)


def _plain(glob: str) -> str:
    """Return the name from which `exact` made a glob."""
    return _BRACKETS.sub(r"\1", glob)


def beginnings(name: str) -> list[Pattern]:
    """Return patterns for a name and its prefixes: without its numbers, and up to the end of each of its words."""
    stem, shorter = name, _NUMBER.sub("", name)
    while shorter != stem:
        stem, shorter = shorter, _NUMBER.sub("", shorter)
    return [exact(name), *_beginnings(stem)]


@lru_cache
def _beginnings(stem: str) -> list[Pattern]:
    """Return patterns for the prefixes of a name without numbers, longest first."""
    ends = {match.start() for match in _WORD.finditer(stem)} | {len(stem)}
    begun = {stem[:end].strip() for end in ends}
    globs = sorted((one for one in begun if any(map(str.isalpha, one))), key=len, reverse=True)
    return [Pattern("name", f"{exact(one).glob}*") for one in globs]


def _of_motion(report: Report, facts: _Facts, motion: MotionReport) -> Iterator[_Candidate]:
    """Return each body with all bodies that it touches all the time, those with most of them first."""
    contacts = {_keys(motion.bodies, contact.body_a, contact.body_b): contact for contact in motion.contacts}
    depths: defaultdict[int, dict[int, float]] = defaultdict(dict)
    for row in facts.rows[facts.open].tolist():
        pair = report.pairs[row]
        contact = contacts.get(_keys(report.bodies, pair.body_a, pair.body_b))
        if contact is None or not constant(contact, pair.touching):
            continue
        # Their depth is constant.
        if pair.depth_bound <= contact.depth * (1.0 + CHANGE) + pair.touching:
            depths[pair.body_a][pair.body_b] = depths[pair.body_b][pair.body_a] = contact.depth - pair.touching
    reason = Message("in touch from frame {start} to {end}, about equally deep", start=motion.start, end=motion.end)
    while any(depths.values()):
        body = min(depths, key=lambda one: (-len(depths[one]), report.bodies[one].name))
        others = depths.pop(body)
        for other in others:
            del depths[other][body]
        names = sorted(report.bodies[other].name for other in others)
        yield _Candidate(
            (exact(report.bodies[body].name),),
            tuple(map(exact, names)),
            SuggestionReason.MOTION,
            reason,
            max(others.values()),
        )


def _of_parents(report: Report, facts: _Facts) -> Iterator[_Candidate]:
    """Suggest parents with their children, and objects in one hierarchy."""
    own, common = set[str](), set[str]()
    for a, b in facts.open_ends() if any(one.parent for one in facts.labels) else ():
        first, second = facts.labels[a], facts.labels[b]
        attached = (first.parent & second.name) | (second.parent & first.name)
        own |= attached
        common |= attached | (first.parent & second.parent)
    for name in sorted(own):
        below = (exact(name, "parent"),)
        yield _Candidate((exact(name),), below, SuggestionReason.PARENT, Message('parented to "{name}"', name=name))
    for name in sorted(common):
        whole = (exact(name), exact(name, "parent"))
        yield _Candidate(whole, whole, SuggestionReason.PARENT, Message('in the hierarchy of "{name}"', name=name))


def _of_names(report: Report, facts: _Facts) -> Iterator[_Candidate]:
    """Suggest names with common prefixes in many pairs."""
    patterns = [beginnings(body.object or body.name) for body in report.bodies]
    # All of them are patterns of names.
    every = sorted({one for mine in patterns for one in mine}, key=attrgetter("glob"))
    number = {pattern: place for place, pattern in enumerate(every)}
    most = max(map(len, patterns), default=0)
    of_body = np.full((len(patterns), most), -1)
    for body, mine in enumerate(patterns):
        of_body[body, : len(mine)] = [number[one] for one in mine]
    both = of_body[facts.ends]
    first, second = both[:, 0, :, None], both[:, 1, None, :]
    pair, *place = np.nonzero((first >= 0) & (second >= 0))
    ends = np.sort(np.stack([both[pair, side, at] for side, at in enumerate(place)]), axis=0)
    # A pair with both patterns on both sides counts once.
    codes, of = np.unique(ends[0] * len(every) + ends[1], return_inverse=True)
    once = np.unique(of.reshape(-1) * max(len(facts.ends), 1) + pair)
    pairs = np.bincount(once // max(len(facts.ends), 1), minlength=len(codes))
    for row in np.argsort(-pairs, kind="stable")[:LOOKED_AT].tolist():
        a, b = every[codes[row] // len(every)], every[codes[row] % len(every)]
        if pairs[row] >= FEWEST and (a.glob.endswith("*") or b.glob.endswith("*")):
            yield _Candidate((a,), (b,), SuggestionReason.NAMES, Message("repeated in pairs of these names"))


def words_of(name: str) -> list[str]:
    """Return the words of a name in lower case, without numbers."""
    return [word.casefold() for word in re.split(r"[^A-Za-z]+|(?<=[a-z])(?=[A-Z])", name) if word]


def _of_colliders(report: Report, facts: _Facts) -> Iterator[_Candidate]:
    """Suggest bodies named as the collider of the other body, for which no owner is declared."""
    words = facts.words
    own = [[word for word in mine if word not in _COLLIDER] for mine in words]
    named = np.array([len(rest) < len(mine) for rest, mine in zip(own, words, strict=True)], dtype=np.bool_)
    ends = facts.ends[facts.open]
    for a, b in ends[named[ends].any(axis=1)].tolist():
        for one, other in ((a, b), (b, a)):
            if named[one] and own[one] == words[other]:
                names = report.bodies[one].name, report.bodies[other].name
                reason = Message('named like a collider of "{name}"', name=names[1])
                yield _Candidate((exact(names[0]),), (exact(names[1]),), SuggestionReason.COLLIDER, reason)


def _of_helpers(report: Report, facts: _Facts) -> Iterator[_Candidate]:
    """Suggest bodies that are not meant to collide, by their names or by all of their materials."""
    touched = np.unique(facts.ends[facts.open]).tolist()
    materials = {body: [set(words_of(one)) for one in facts.labels[body].material] for body in touched}
    for reason, words in _HELPERS.items():
        found, helpers = [], frozenset(words)
        for body in touched:
            made = materials[body]
            named = not helpers.isdisjoint(facts.words[body])
            if named or (made and not any(helpers.isdisjoint(one) for one in made)):
                found.append(exact(report.bodies[body].name))
        if found:
            yield _Candidate(tuple(found), (), SuggestionReason.HELPER, reason)


def _of_surroundings(report: Report, facts: _Facts) -> Iterator[_Candidate]:
    """Suggest bodies that contain most others, such as the sphere or the box on which a sky is drawn."""
    inside = np.bincount(facts.ends[facts.contained].ravel(), minlength=len(report.bodies))
    for body in np.flatnonzero(inside >= max(FEWEST, len(report.bodies) / 2)).tolist():
        reason = Message("contains most bodies")
        yield _Candidate((exact(report.bodies[body].name),), (), SuggestionReason.HELPER, reason)


def _of_static(report: Report) -> Iterator[_Candidate]:
    """Suggest ignoring static bodies against each other, if the file declares which bodies move."""
    if any(body.motion not in {"", STATIC} for body in report.bodies):
        side = (Pattern("motion", "undeclared"), Pattern("motion", STATIC))
        yield _Candidate(side, side, SuggestionReason.STATIC, Message("neither of the two moves"))


def _of_grounds(report: Report, facts: _Facts) -> Iterator[_Candidate]:
    """Suggest bodies in which many others stand, most of them above."""
    ends, upward = facts.ends[facts.open], facts.normal[facts.open, 2]
    count = np.bincount(ends.ravel(), minlength=len(report.bodies))
    # The normal is from the first body to the second.
    below = np.where(upward > 0.0, ends[:, 0], ends[:, 1])[np.abs(upward) >= _UPRIGHT]
    upright = np.bincount(below, minlength=len(report.bodies))
    for body, pairs in enumerate(upright.tolist()):
        if pairs >= max(FEWEST, count[body] / 2):
            name = report.bodies[body].name
            yield _Candidate((exact(name),), (), SuggestionReason.GROUND, Message('standing in "{name}"', name=name))


def _of_tolerance(report: Report, facts: _Facts) -> Iterator[_Candidate]:
    """Suggest all pairs that are much less deep than the next one.

    Of several such steps, the one with most pairs is used.
    """
    depth = np.sort(facts.depth[facts.open])
    depth = depth[: np.searchsorted(depth, np.inf)]
    spread = float(np.ptp(facts.point, axis=0).max()) if len(facts.point) else 0.0
    most = min(_MOST_TOLERANCE / report.units.scale_length, _SHARE * spread or math.inf)
    after_each = np.append(depth, np.inf)[1:]
    for place in np.flatnonzero((depth > 0.0) & (after_each >= _NEXT * depth))[::-1].tolist():
        after = after_each[place]
        limit = _rounded_tolerance(depth[place])
        if limit <= most and after >= limit * (1.0 + MARGIN):
            everything = (Pattern("name", "*"),)
            yield _Candidate(
                everything,
                everything,
                SuggestionReason.TOLERANCE,
                Message("small steps of parts placed by hand"),
                limit,
            )
            return


def _rounded_tolerance(depth: float) -> float:
    """Return the next of 1, 2 and 5 times a power of ten."""
    if depth <= 0.0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(depth))
    return next(float(f"{step * power:.6g}") for step in (1.0, 2.0, 5.0, 10.0) if step * power >= depth)


def _of_collections(facts: _Facts) -> Iterator[_Candidate]:
    """Suggest collections that both bodies are in."""
    number: dict[frozenset[str], int] = {}
    of_body = np.array([number.setdefault(one.collection, len(number)) for one in facts.labels], dtype=np.int64)
    # Many bodies are in the same collections.
    sets, shared = list(number), set[str]()
    for a, b in np.unique(of_body[facts.ends[facts.open]].reshape(-1, 2), axis=0).tolist():
        shared |= sets[a] & sets[b]
    for name in sorted(shared):
        side = (exact(name, "collection"),)
        yield _Candidate(side, side, SuggestionReason.COLLECTION, Message('in the collection "{name}"', name=name))


def _keys(bodies: Sequence[Body], a: int, b: int) -> frozenset[ObjectKey]:
    return frozenset((bodies[a].key, bodies[b].key))


def _text(rule: IgnoreRule) -> str:
    return f"{listed(rule.a)} × {listed(rule.b)}"
