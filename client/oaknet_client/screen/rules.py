"""The rules at the table: every entry of the game's texts, found by name."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option as Choice

from oaknet import registry
from oaknet.kernel import Rules
from oaknet_client.lookup import Table, marks, narrowed, page
from oaknet_client.screen.base import Dialog
from oaknet_client.words import inert


class RulesScreen(Dialog[None]):
    """A list of names beside the text of the chosen one; what is typed narrows the list."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Close"),
        Binding("down", "list(1)", "Next", show=False),
        Binding("up", "list(-1)", "Previous", show=False),
    ]

    def __init__(self, rules: Rules[Any], table: Table | None, name: str = "") -> None:
        super().__init__()
        self._rules, self._table, self._name = rules, table, name
        self._entries = list(registry.entries(rules))
        self._shown = self._entries

    def compose(self) -> ComposeResult:
        with Vertical(id="rules"):
            yield Input(placeholder="Type a name or a word; arrows choose; Esc closes", id="wanted")
            with Horizontal():
                yield OptionList(id="entries", markup=False)
                with VerticalScroll(id="entry"):
                    yield Static("", id="text", markup=False)

    def on_mount(self) -> None:
        self.query_one("#entries", OptionList).can_focus = False
        self._fill()
        names = [entry.name for entry in self._entries]
        if self._name in names:
            self.query_one("#entries", OptionList).highlighted = names.index(self._name)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Narrow the list to the names that hold what was typed, or else to the texts that do."""
        self._shown = narrowed(self._rules, self._entries, event.value)
        self._fill()

    def _fill(self) -> None:
        entries = self.query_one("#entries", OptionList)
        entries.clear_options()
        entries.add_options(Choice(Content(entry.name)) for entry in self._shown)
        if self._shown:
            entries.highlighted = 0
        else:
            self._text("Nothing is called that, and no text has it.")

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the text of the entry."""
        if event.option_index < len(self._shown):
            entry = self._shown[event.option_index]
            lines = page(self._rules, entry, self._table)
            self._text("\n".join([*lines, "", *marks(self._rules, [entry])]))

    def _text(self, text: str) -> None:
        self.query_one("#text", Static).update(Content("\n".join(map(inert, text.split("\n")))))

    def action_list(self, steps: int) -> None:
        """Go along the list while the name is being typed."""
        entries = self.query_one("#entries", OptionList)
        if self._shown:
            entries.highlighted = ((entries.highlighted or 0) + steps) % len(self._shown)
