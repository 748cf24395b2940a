"""The keys that work here, in the last line of a screen.

It is one widget, since Textual's footer, which is one for each key, takes long until it is painted first.
"""

from __future__ import annotations

from typing import Any

from textual import events
from textual.app import App
from textual.content import Content
from textual.keys import key_to_character
from textual.widget import Widget
from textual.widgets import Input

PALETTE = "palette"


class KeyLine(Widget, can_focus=False):
    """The active bindings that are to be shown; a click on one is its key."""

    DEFAULT_CSS = """
    KeyLine {
        dock: bottom; height: 1; text-wrap: nowrap; text-overflow: ellipsis;
        background: $footer-background; color: $footer-description-foreground;
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._ends: list[tuple[int, str]] = []

    def on_mount(self) -> None:
        changed = self.screen.bindings_updated_signal  # pyright: ignore
        changed.subscribe(self, self._changed)  # pyright: ignore[reportUnknownMemberType]

    def _changed(self, _: object) -> None:
        self.refresh()

    @property
    def _app(self) -> App[Any]:
        app: App[Any] = self.app  # pyright: ignore - Textual says App[Unknown]
        return app

    def render(self) -> Content:
        """The keys with what they do, without those that would be written if something is."""
        parts: list[str | tuple[str, str]] = []
        self._ends = []
        column = 0
        writing = isinstance(self.screen.focused, Input)
        for _, binding, enabled, _ in self.screen.active_bindings.values():
            palette = binding.action == "command_palette"
            if not (binding.show or palette) or not binding.description or not enabled:
                continue
            if writing and (key_to_character(binding.key) or "\n").isprintable():
                continue
            key = f" {self._app.get_key_display(binding)} "
            words = f"{PALETTE if palette else binding.description} "
            parts += [(key, "bold $footer-key-foreground"), words]
            column += len(key) + len(words)
            self._ends.append((column, binding.key))
        return Content.assemble(*parts)

    def on_click(self, event: events.Click) -> None:
        """Press what was clicked."""
        key = next((key for end, key in self._ends if event.x < end), "")
        if key:
            self._app.simulate_key(key)
