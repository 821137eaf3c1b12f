# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts what the overlay's drawing code asks of the graphics card."""

from types import ModuleType
from typing import Any


class Counts:
    """While it is entered, batches that are made, and draw calls of those and of texts.

    Batches that were made before are not counted when they are drawn. `roles` are those of lines that were drawn,
    and `written` is what was written.

    Parameters
    ----------
    drawing : module
        The add-on's `viewport.gpu`, which makes and draws everything.
    """

    def __init__(self, drawing: ModuleType) -> None:
        self._drawing = drawing
        self._kept = (drawing.batch_for_shader, drawing.font, drawing.draw_view)
        self.made = self.drawn = self.texts = self.views = 0
        self.roles: set[str] = set()
        self.written: set[str] = set()

    def __enter__(self) -> "Counts":
        make, font, draw_view = self._kept

        def counted_make(*arguments: Any, **options: Any) -> "_Batch":
            self.made += 1
            return _Batch(make(*arguments, **options), self)

        def counted_view(batches: Any, *arguments: Any, **options: Any) -> None:
            self.views += 1
            self.roles.update(role.name for role in batches.lines)
            draw_view(batches, *arguments, **options)

        self._drawing.forget()
        self._drawing.batch_for_shader = counted_make
        self._drawing.font = _Font(font, self)
        self._drawing.draw_view = counted_view
        return self

    def __exit__(self, *_: object) -> None:
        self._drawing.batch_for_shader, self._drawing.font, self._drawing.draw_view = self._kept
        self._drawing.forget()

    def taken(self) -> dict[str, int]:
        """Return what has been counted since this was asked last."""
        counted = {"made": self.made, "drawn": self.drawn, "texts": self.texts, "views": self.views}
        self.made = self.drawn = self.texts = self.views = 0
        return counted


class _Batch:
    """A batch that counts how often it is drawn."""

    def __init__(self, batch: Any, counts: Counts) -> None:
        self._batch, self._counts = batch, counts

    def draw(self, shader: Any) -> None:
        self._counts.drawn += 1
        self._batch.draw(shader)


class _Font:
    """The module `blf`, counting texts."""

    def __init__(self, font: Any, counts: Counts) -> None:
        self._font, self._counts = font, counts

    def draw(self, *arguments: Any) -> None:
        self._counts.texts += 1
        self._counts.written.add(arguments[1])
        self._font.draw(*arguments)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._font, name)
