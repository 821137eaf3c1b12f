# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules, their results, and the functions that test a scene against them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from .limits import SEVERITIES, Limits, Values
from .subject import Body, Collider, Scene, put_bodies_in_blocks, put_in_blocks

# A place where a rule is broken: the collider or render mesh that breaks it, and the values for the rule's sentence.
Place = tuple[Collider, Values]
Find = Callable[[Scene, Limits], Iterable[Place]]


@dataclass(frozen=True, eq=False)
class OneByOne:
    """A `Find` that looks at one subject after the other.

    Attributes
    ----------
    subjects : function
        What of a scene it looks at.
    ask : function
        From a subject to the places where the rule is broken.
    """

    subjects: Callable[[Scene], Iterable[Any]]
    ask: Callable[[Any, Limits], Iterable[Place]]

    def __call__(self, scene: Scene, limits: Limits) -> Iterator[Place]:
        """Look at all of them."""
        for subject in self.subjects(scene):
            yield from self.ask(subject, limits)


@dataclass(frozen=True, eq=False)
class Rule:
    """One rule.

    Attributes
    ----------
    id : str
        Stable: build servers and reports know the rule by it.
    title : str
        What is wrong, in a few words: the heading of its issues.
    severity : str
        One of `SEVERITIES`.
    engine : str
        One of `ENGINES`; "any" holds everywhere.
    sentence : str
        What is wrong with "it", the object; what is in braces is filled in from the values of an issue.
    advice : str
        What to do.
    find : function
        From a scene to every place where the rule is broken.
    fix : str
        Names the way in which it can be repaired without a decision of the artist's; empty if there is none.
    of_scale : bool
        Whether it is about the scale of an object in the world: instances that are scaled differently break it each
        for itself.
    """

    id: str
    title: str
    severity: str
    engine: str
    sentence: str
    advice: str
    find: Find
    fix: str = ""
    of_scale: bool = False


@dataclass(frozen=True, eq=False)
class RuleIssue:
    """A rule, the collider or render mesh that breaks it, and the values for the rule's sentence."""

    rule: Rule
    subject: Collider
    values: Values


def each_collider(test: Callable[[Collider, Limits], Values | None]) -> Find:
    """Ask every collider that has a surface; what is answered are the values of an issue, or None."""
    return OneByOne(_colliders, lambda collider, limits: _place(collider, limits, test) if collider.solid else ())


def each_object(test: Callable[[Collider, Limits], Values | None]) -> Find:
    """Ask every collider, whatever it is."""
    return OneByOne(_colliders, lambda collider, limits: _place(collider, limits, test))


def each_body(test: Callable[[Body, Limits], Iterable[Place]]) -> Find:
    """Ask every body."""
    return OneByOne(lambda scene: scene.bodies, test)


def _colliders(scene: Scene) -> Iterator[Collider]:
    return (collider for _, collider in scene.colliders())


def _place(collider: Collider, limits: Limits, test: Callable[[Collider, Limits], Values | None]) -> tuple[Place, ...]:
    values = test(collider, limits)
    return () if values is None else ((collider, values),)


Question = Callable[[], list[RuleIssue]]


def questions(rules: Iterable[Rule], scene: Scene, limits: Limits) -> list[Question]:
    """List each rule with each of its subjects or, for a rule that compares subjects, with all of them together."""
    asked: list[Question] = []
    put_in_blocks(_colliders(scene))
    put_bodies_in_blocks(scene.bodies)
    put_in_blocks(one for body in scene.bodies for one in body.visible if one not in body.colliders)
    for rule in rules:
        if isinstance(rule.find, OneByOne):
            asked += [partial(_answer, rule, rule.find.ask, one, limits) for one in rule.find.subjects(scene)]
        else:
            asked.append(partial(_answer, rule, rule.find, scene, limits))
    return asked


def _answer(rule: Rule, ask: Callable[[Any, Limits], Iterable[Place]], of: Any, limits: Limits) -> list[RuleIssue]:
    return [RuleIssue(rule, subject, values) for subject, values in ask(of, limits)]


def worst_first(found: Iterable[RuleIssue]) -> list[RuleIssue]:
    """The same, those of the worst rules first, else in their order."""
    return sorted(found, key=lambda one: SEVERITIES.index(one.rule.severity))
