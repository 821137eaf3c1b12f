# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules, their results, and the functions that test a scene against them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .limits import SEVERITIES, Limits, Values
from .subject import Body, Collider, Scene, put_bodies_in_blocks, put_in_blocks

# A place where a rule is violated: the collider or render mesh, and the values for the sentence of the rule.
Place = tuple[Collider, Values]
Find = Callable[[Scene, Limits], Iterable[Place]]


@dataclass(frozen=True, eq=False)
class OneByOne:
    """A `Find` function that tests one subject after another.

    Attributes
    ----------
    subjects : function
        Returns the subjects of a scene.
    ask : function
        From a subject to the places where the rule is violated.
    """

    subjects: Callable[[Scene], Iterable[Any]]
    ask: Callable[[Any, Limits], Iterable[Place]]

    def __call__(self, scene: Scene, limits: Limits) -> Iterator[Place]:
        """Test all subjects."""
        for subject in self.subjects(scene):
            yield from self.ask(subject, limits)


@dataclass(frozen=True, eq=False)
class Rule:
    """A validation rule.

    Attributes
    ----------
    id : str
        Stable identifier for reports and build servers.
    title : str
        Short description of the problem. Heading of its issues.
    severity : str
        One of `SEVERITIES`.
    engine : str
        One of `ENGINES`. "any" applies to all.
    sentence : str
        Description of the problem, with "it" for the object. Fields in braces are filled from the values of an issue.
    advice : str
        How to solve the problem.
    find : function
        From a scene to every place where the rule is violated.
    fix : str
        Name of the automatic fix. Empty if the artist has to decide.
    of_scale : bool
        Whether it depends on the scale of an object in world space. Instances with different scales violate it
        separately.
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
    """A rule, the collider or render mesh that violates it, and the values for the sentence of the rule."""

    rule: Rule
    subject: Collider
    values: Values


def each_collider(test: Callable[[Collider, Limits], Values | None]) -> Find:
    """Test every collider that has a surface. `ask` returns the values of an issue, or None."""
    return OneByOne(_colliders, lambda collider, limits: _place(collider, limits, test) if collider.solid else ())


def each_object(test: Callable[[Collider, Limits], Values | None]) -> Find:
    """Test every collider."""
    return OneByOne(_colliders, lambda collider, limits: _place(collider, limits, test))


def each_body(test: Callable[[Body, Limits], Iterable[Place]]) -> Find:
    """Test every body."""
    return OneByOne(lambda scene: scene.bodies, test)


def _colliders(scene: Scene) -> Iterator[Collider]:
    return (collider for _, collider in scene.colliders())


def _place(collider: Collider, limits: Limits, test: Callable[[Collider, Limits], Values | None]) -> tuple[Place, ...]:
    values = test(collider, limits)
    return () if values is None else ((collider, values),)


@dataclass(frozen=True, eq=False)
class Question:
    """A rule and the subjects that are tested for it, one after the other. Iterate for the issues of each subject.

    Attributes
    ----------
    rule : Rule
    ask : function
        From a subject to the places where the rule is violated.
    subjects : sequence
    limits : Limits
    """

    rule: Rule
    ask: Callable[[Any, Limits], Iterable[Place]]
    subjects: Sequence[Any]
    limits: Limits

    def __len__(self) -> int:
        return len(self.subjects)

    def __iter__(self) -> Iterator[list[RuleIssue]]:
        for one in self.subjects:
            yield [RuleIssue(self.rule, subject, values) for subject, values in self.ask(one, self.limits)]


def questions(rules: Iterable[Rule], scene: Scene, limits: Limits) -> list[Question]:
    """Return the rules with their subjects. A rule that compares subjects has the scene as its only one."""
    visible = (one for body in scene.bodies for one in body.visible if one not in body.colliders)
    put_in_blocks(_colliders(scene), visible)
    put_bodies_in_blocks(scene.bodies)
    asked: list[Question] = []
    for rule in rules:
        if isinstance(rule.find, OneByOne):
            asked.append(Question(rule, rule.find.ask, list(rule.find.subjects(scene)), limits))
        else:
            asked.append(Question(rule, rule.find, (scene,), limits))
    return asked


def worst_first(found: Iterable[RuleIssue]) -> list[RuleIssue]:
    """Return the issues sorted by severity, worst first."""
    return sorted(found, key=lambda one: SEVERITIES.index(one.rule.severity))
