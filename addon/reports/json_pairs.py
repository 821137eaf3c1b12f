# SPDX-License-Identifier: GPL-3.0-or-later
"""The pairs of a report as JSON, a line for each, and as values. The numbers of all pairs are formatted at once.

Python writes a float with 17 digits, which takes longer than all other work on a pair. Measured lengths are less
accurate, so they are rounded, far below the tolerances of the check.
"""

import json
import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from ..model.folds import FoldKind, asset_of_pair
from ..model.marks import PairMarks
from ..model.pair_ids import pair_ids
from ..model.report import PairResults, Report, Surface, combined
from ..model.topics import Topic
from ..model.verdict_names import NAMES
from ..system.late import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...core.numerics.types import Bools, Floats

    Text = NDArray[np.uint8]  # (N, W): a text of up to W bytes in each row; zero bytes are left out

# NaN and infinity are not valid JSON. If one occurs, an error is better than an unreadable file.
line = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
# Escapes a `str` for `line`.
quoted = json.encoder.encode_basestring

# Numbers are rounded to this many decimals, or to more: to this fraction of the smallest touching tolerance.
_DECIMALS, _FRACTION = 9, 1e-3
# Decimal digits of a float64.
_DIGITS = 15

# Number of rows of text that are joined at once.
_TOGETHER = 512

# Names may contain invalid characters, which are left unchanged.
_SURROGATES = "surrogatepass"


def pair_lines(report: Report, marks: PairMarks) -> list[str]:
    """Yield the pairs of a report, each as a JSON object on one line."""
    pairs = PairResults.of(report.pairs)
    if not pairs:
        return []
    ids = np.frombuffer("".join(pair_ids(report)).encode(), dtype=np.uint8).reshape(len(pairs), -1)
    bodies = _texts([quoted(body.name) for body in report.bodies])
    shapes = _texts([quoted(shape.object) for shape in report.shapes])
    tests = [f'"test": {quoted(test.name)}' for test in report.tests]
    tests.append('"test": null')  # a pair without a test has the index -1
    verdicts = _texts([quoted(NAMES[verdict]) for verdict in sorted(NAMES)])
    tolerances, tolerance = np.unique(pairs.touching, return_inverse=True)
    numbers, contacts = _numbers(pairs)
    parts: list[str | Text] = [
        *('{"id": "', ids),
        *('", "a": ', bodies[pairs.body_a], ', "b": ', bodies[pairs.body_b]),
        *(', "verdict": ', verdicts[pairs.verdict], ", ", _texts(tests)[pairs.test], ", "),
        *_folds(report, pairs),
        *numbers,
        *(', "shape_a": ', shapes[pairs.shape_a], ', "shape_b": ', shapes[pairs.shape_b]),
        *(', "touching": ', _texts(list(map(line, tolerances.tolist())))[tolerance]),
        ', "faces": \n',
    ]
    rows = zip(
        *(_joined(*parts), pairs.faces.tolist(), _surfaces(report, pairs), contacts, _marks(marks, len(pairs))),
        strict=True,
    )
    return [
        f'{start}{list(faces) if faces else "[]"}, {surfaces}, "contacts": [{found}], {said}}}'
        for start, faces, surfaces, found, said in rows
    ]


def pair_values(report: Report, marks: PairMarks) -> list[dict[str, Any]]:
    """Return the fields of each pair as in JSON, without the faces, and with the number of contacts."""
    pairs = PairResults.of(report.pairs)
    if not pairs:
        return []
    decimals = _decimals(pairs.touching)
    measured = {
        name: rounded(getattr(pairs, name), decimals).tolist() for name in ("distance", "normal", "point_a", "point_b")
    }
    none = np.isnan(pairs.interference)
    inner = rounded(np.where(none, 0.0, pairs.interference), decimals)
    surface = cache(lambda a, b: combined(a, b)._asdict())
    related, tests = {*report.related}, report.tests
    found = []
    for row, (pair_id, pair, touching) in enumerate(
        zip(pair_ids(report), report.pairs, pairs.touching.tolist(), strict=True)
    ):
        shape_a, shape_b = report.shapes[pair.shape_a], report.shapes[pair.shape_b]
        test = tests[pair.test] if pair.test >= 0 else None
        found.append(
            {
                "id": pair_id,
                "a": report.bodies[pair.body_a].name,
                "b": report.bodies[pair.body_b].name,
                "verdict": NAMES[pair.verdict],
                "test": None if test is None else test.name,
                **(_related(report, row) if row in related else _unrelated(test.severity if test else "error")),
                "complete": pair.complete,
                **{name: values[row] if pair.complete else None for name, values in measured.items()},
                "interference": None if none[row] else float(inner[row]),
                "at_least": pair.at_least,
                "shape_a": shape_a.object,
                "shape_b": shape_b.object,
                "touching": touching,
                **surface(shape_a.surface, shape_b.surface),
                "contacts": int(pairs.contacts[row]),
                **_mark(marks, row),
            }
        )
    return found


def _folds(report: Report, pairs: PairResults) -> "list[str | Text]":
    """Return the severity of each pair, the common asset of its bodies, and why the pair is folded."""
    severities = [*(test.severity for test in report.tests), "error"]  # a pair without a test has the index -1
    said = [line(_unrelated(severity))[1:-1] for severity in severities]
    texts = {text: place for place, text in enumerate(dict.fromkeys(said))}
    numbers = np.array([texts[text] for text in said])[pairs.test]
    for row in report.related:
        numbers[row] = texts.setdefault(line(_related(report, row))[1:-1], len(texts))
    return [_texts(list(texts))[numbers]]


def _unrelated(severity: str) -> dict[str, Any]:
    """Return the fields of a pair with this severity whose bodies are not parts of one asset."""
    return {"severity": severity, "within": None, "folded": None}


def _related(report: Report, row: int) -> dict[str, Any]:
    """Return the fields of a pair whose bodies are parts of one asset."""
    pair, fold = report.pairs[row], report.folded.get(row)
    asset = asset_of_pair(report.bodies[pair.body_a], report.bodies[pair.body_b])
    if fold is not None and fold.kind is FoldKind.WITHIN:
        asset = fold.name
    kind = None if fold is None else fold.kind.value
    return {"severity": report.severity_of(row), "within": asset or None, "folded": kind}


def _surfaces(report: Report, pairs: PairResults) -> list[str]:
    """Return the fields of the friction and restitution of each pair."""
    numbers: dict[Surface, int] = {}
    of = np.array([numbers.setdefault(shape.surface, len(numbers)) for shape in report.shapes])
    both, which = np.unique(of[pairs.shape_a] * len(numbers) + of[pairs.shape_b], return_inverse=True)
    surfaces = list(numbers)
    texts = [
        line(combined(*(surfaces[one] for one in divmod(number, len(numbers))))._asdict())[1:-1]
        for number in both.tolist()
    ]
    return [texts[number] for number in which.tolist()]


def _numbers(pairs: PairResults) -> "tuple[list[str | Text], Iterator[str]]":
    """Return the distance, interference and witness points of each pair, and its contacts, separated by commas."""
    decimals = _decimals(pairs.touching)
    none = np.isnan(pairs.interference)
    inner = np.pad(digits(np.where(none, 0.0, pairs.interference), decimals), ((0, 0), (0, 4)))
    inner[none] = 0
    inner[none, :4] = _bytes("null")
    parts: list[str | Text] = [', "complete": ', _texts(["false", "true"])[pairs.complete.astype(np.int64)]]
    parts += [', "distance": ', _known(pairs.complete, digits(pairs.distance, decimals)), ', "interference": ', inner]
    parts += [', "at_least": ', _texts(["false", "true"])[pairs.at_least.astype(np.int64)]]
    for name, vectors in (("normal", pairs.normal), ("point_a", pairs.point_a), ("point_b", pairs.point_b)):
        parts += [f', "{name}": ', _known(pairs.complete, *_vectors(vectors, decimals))]
    deep = digits(pairs.contact_depths, decimals)
    after = np.tile(_bytes(", "), (len(deep), 1))
    after[np.cumsum(pairs.contacts)[pairs.contacts > 0] - 1] = _bytes("\n\0")  # after the last of a pair
    found = _joined('{"point": ', *_vectors(pairs.contact_points, decimals), ', "depth": ', deep, "}", after)
    return parts, (next(found) if count else "" for count in pairs.contacts.tolist())


def _marks(marks: PairMarks, count: int) -> list[str]:
    """Return the fields of the marks of each pair. null: not accepted, and not compared with another check."""
    result = [line(_mark(marks, -1))[1:-1]] * count
    for row in {
        *marks.accepted,
        *marks.deeper,
        *marks.ignored,
        *marks.topics,
        *(marks.new or ()),
        *(marks.worse or ()),
    }:
        result[row] = line(_mark(marks, row))[1:-1]
    return result


def _mark(marks: PairMarks, row: int) -> dict[str, Any]:
    """Return the fields of the marks of one pair. No pair has the row -1."""
    return {
        "accepted": marks.accepted.get(row),
        "accepted_depth": marks.deeper.get(row),
        "ignored": marks.reason(row),
        "new": None if marks.new is None else row in marks.new,
        "worse": None if marks.worse is None else row in marks.worse,
        "topic": _topic(marks.topics[row]) if row in marks.topics else None,
    }


def _topic(topic: Topic) -> dict[str, Any]:
    """Return the fields of the topic of a pair."""
    return {
        "status": topic.status or None,
        "assigned_to": topic.assigned_to or None,
        "comments": [{"author": one.author, "date": one.date, "text": one.text} for one in topic.comments],
    }


def _decimals(touching: "Floats") -> int:
    """Return the number of decimals for measured numbers of a report with these tolerances."""
    least = float(touching.min(initial=np.inf, where=touching > 0.0))
    least = 1.0 if math.isinf(least) else least
    return max(_DECIMALS, math.ceil(-math.log10(least * _FRACTION)))


def _fitting(size: "Floats", decimals: int) -> int:
    """Return the number of decimals for numbers of these sizes. Below 1: written in full. Raises as `digits` does."""
    greatest = float(size.max(initial=0.0))
    if not math.isfinite(greatest):
        raise ValueError("Out of range float values are not JSON compliant")
    return min(decimals, _DIGITS - len(str(int(greatest))))


def rounded(values: "Floats", decimals: int) -> "Floats":
    """Return the numbers that JSON reads from the texts of `digits`. Raises as it does."""
    size = np.abs(values)
    decimals = _fitting(size, decimals)
    if decimals < 1:
        return values
    # A power of ten and an integer of up to fifteen digits are exact, so the quotient is the nearest number.
    result: Floats = np.copysign(np.rint(size * 10.0**decimals) / 10.0**decimals, values) + 0.0  # no negative zero
    return result


def digits(values: "Floats", decimals: int) -> "Text":
    """Return numbers rounded to a number of decimals, or to fifteen digits if that is less, as text for JSON.

    Raises
    ------
    ValueError
        If a value is infinite or NaN, which JSON does not support.
    """
    size = np.abs(values)
    decimals = _fitting(size, decimals)
    if decimals < 1:
        texts = np.array([repr(value) for value in values.tolist()], dtype="S")
        return texts.view(np.uint8).reshape(len(texts), -1)
    rest = np.rint(size * 10.0**decimals).astype(np.int64)
    negative = (values < 0.0) & (rest > 0)
    # Groups of three digits, some before the point and some after it.
    after = -(-decimals // 3)
    rest *= 10 ** (3 * after - decimals)
    before = -(-len(str(int(rest.max(initial=0)) // 1000**after)) // 3)
    groups = np.empty((before + after, len(values)), dtype=np.int64)
    for group in groups[:0:-1]:
        left = rest // 1000
        np.subtract(rest, 1000 * left, out=group)
        rest = left
    groups[0] = rest
    result = np.empty((len(values), len(groups)), dtype=np.uint32)
    starting, last, first, ending = _group_texts()
    for places, usual, beside_point in (
        (range(before), starting, last),
        (range(len(groups) - 1, before - 1, -1), ending, first),
    ):
        outer = np.full(len(values), 1000)  # in the second thousand as long as there were only zeros
        for place in places:
            texts = beside_point if place in (before - 1, before) else usual
            result[:, place] = texts[groups[place] + outer]
            outer *= groups[place] == 0
    text = result.view(np.uint8)
    text[:, 0] = negative * np.uint8(ord("-"))
    return text


@cache
def _group_texts() -> "NDArray[np.uint32]":
    """Return the texts of 0 to 999, four bytes each. The second thousand is without leading or trailing zeros.

    The rows are: groups before the point, the last of them, the first after the point, and the others after it.
    """
    full = [f"{number:03}" for number in range(1000)]
    started, ended = [text.lstrip("0") for text in full], [text.rstrip("0") for text in full]
    rows = (
        [*full, *started],
        [*full, *(text or "0" for text in started)],
        [f".{text or '0'}" for text in (*full, *ended)],
        [*full, *ended],
    )
    return np.array([[text if text[:1] == "." else f"\0{text}" for text in row] for row in rows], "S4").view(np.uint32)


def _vectors(values: "Floats", decimals: int) -> "list[str | Text]":
    """Return vectors (N, 3) as lists of three numbers."""
    numbers = digits(values.ravel(), decimals)
    text = numbers.reshape(*values.shape, numbers.shape[1])
    return ["[", text[:, 0], ", ", text[:, 1], ", ", text[:, 2], "]"]


def _known(known: "Bools", *parts: "str | Text") -> "Text":
    """Return concatenated texts in the known rows, and null in the others."""
    count = len(known)
    texts = [np.tile(_bytes(part), (count, 1)) if isinstance(part, str) else part for part in parts]
    result = np.concatenate([*texts, np.zeros((count, len("null")), dtype=np.uint8)], axis=1)
    result[~known] = 0
    result[~known, : len("null")] = _bytes("null")
    return result


def _joined(*parts: "str | Text") -> Iterator[str]:
    """Return concatenated texts, split at line ends. The last text ends in one. A `str` is the same in all rows."""
    return chain.from_iterable(_blocks(parts))


def _blocks(parts: "Sequence[str | Text]") -> Iterator[list[str]]:
    """Run `_joined` for some rows at a time, to reuse the memory of one block."""
    count = next(len(part) for part in parts if not isinstance(part, str))
    one = b"".join(part.encode("ascii") if isinstance(part, str) else bytes(part.shape[1]) for part in parts)
    rest = ""
    for first in range(0, count, _TOGETHER):
        text, end = bytearray(one * min(_TOGETHER, count - first)), 0
        rows = np.frombuffer(text, dtype=np.uint8).reshape(-1, len(one))
        for part in parts:
            if isinstance(part, str):
                end += len(part)
            else:
                start, end = end, end + part.shape[1]
                rows[:, start:end] = part[first : first + _TOGETHER]
        *lines, rest = (rest + text.translate(None, b"\0").decode("utf-8", _SURROGATES)).split("\n")
        yield lines


def _texts(texts: Sequence[str]) -> "Text":
    """A text in each row, without zero bytes and line ends."""
    found = np.array("\n".join(texts).encode("utf-8", _SURROGATES).split(b"\n"))
    return found.view(np.uint8).reshape(len(texts), -1)


def _bytes(text: str) -> "NDArray[np.uint8]":
    return np.frombuffer(text.encode("ascii"), dtype=np.uint8)
