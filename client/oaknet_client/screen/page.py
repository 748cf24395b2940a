"""What the home screen and all that it opens share.

A heading, rows to choose from, words about the current one, a line to write in, and the keys.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, cast

from textual import events
from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from oaknet_client.config import Config
from oaknet_client.errand import Errand
from oaknet_client.inert import inert
from oaknet_client.screen.base import OakApp, Once
from oaknet_client.screen.keyline import KeyLine

ROUND = str.maketrans("[]", "()")
"""What makes markup of nothing."""


@dataclass(frozen=True, slots=True)
class Row:
    """``sign`` is the key that chooses it (empty: none), ``more`` stands dim below it, ``about`` explains it.

    A row that is not ``live`` is only looked at: a heading if it has no indent.
    """

    text: str
    sign: str = ""
    more: str = ""
    about: str = ""
    live: bool = True

    def option(self) -> Option:
        """The row as the list shows it: inert, whoever wrote its texts."""
        parts: list[str | tuple[str, str]] = []
        if self.live:
            parts += [(f" {self.sign or ' '} ", "bold"), inert(self.text)]
        else:
            parts.append((inert(self.text), "dim" if self.text.startswith(" ") else "bold $foreground"))
        if self.more:
            parts += ["\n", (f"   {inert(self.more)}", "dim")]
        return Option(Content.assemble(*parts), disabled=not self.live)


class Line(Input):
    """A line to write in. What is pasted in several lines is one, as mail and chats break long ones."""

    def on_mount(self) -> None:
        self.focus()

    def _on_paste(self, event: events.Paste) -> None:
        super()._on_paste(events.Paste(" ".join(event.text.split())))
        event.prevent_default()
        event.stop()


class Rows(OptionList):
    """The list of a page; Enter is named in the line of keys."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Choose", key_display="Enter")]


class Wanted(Message):
    """Somebody wants to leave the screen for this."""

    def __init__(self, errand: Errand) -> None:
        super().__init__()
        self.errand = errand


class Page(Once[None]):
    """A screen of rows; who derives from it says which by `rows`, and does something in `chosen`."""

    CSS = """
    .heading { height: 1; background: $primary; color: $text; text-style: bold; padding: 0 1; }
    .page { padding: 1 2 0 2; height: 1fr; }
    .page OptionList { border: none; padding: 0; background: $background; background-tint: transparent; }
    .page OptionList { scrollbar-size-vertical: 1; height: auto; max-height: 1fr; }
    .about { height: auto; max-height: 6; color: $text-muted; padding: 1 1 0 1; }
    .about.wrong { color: $text-error; text-style: bold; }
    .write { margin: 1 0 0 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", key_display="Esc"),
    ]
    LIST: ClassVar[type[Rows]] = Rows
    """The kind of its list."""
    HELP_TEXT = ""
    """What ``?`` tells here."""

    def __init__(self, heading: str) -> None:
        super().__init__()
        self._heading = heading
        self._rows: tuple[Row, ...] = ()
        self._writing = ""  # what is being written, empty: nothing

    def compose(self) -> ComposeResult:
        yield Static(Content(inert(self._heading)), classes="heading", id="heading")
        with Vertical(classes="page"):
            yield self.LIST(id="rows", markup=False)
            yield Static("", id="about", classes="about", markup=False)
        yield KeyLine()

    def on_mount(self) -> None:
        self.begin()
        self.show()
        self.query_one("#rows").focus()
        self.ready()

    # -- for who derives from it: not the handlers, of which Textual calls both ------------------------------

    def begin(self) -> None:
        """What is done before the rows are shown first."""

    def ready(self) -> None:
        """What is done once the page is there."""

    def rows(self) -> Iterable[Row]:
        """What there is to choose."""
        return ()

    def chosen(self, number: int) -> None:
        """A live row was chosen."""

    def written(self, what: str, text: str) -> None:
        """Something was written, and Enter pressed."""

    @property
    def oak(self) -> OakApp:
        """The app, which is one of ours."""
        return cast(OakApp, self.app)  # pyright: ignore[reportUnknownMemberType] - Textual says App[Unknown]

    @property
    def config(self) -> Config:
        """The settings as they are now."""
        return self.oak.config

    def leave(self, errand: Errand) -> None:
        """Leave everything here for this."""
        self.post_message(Wanted(errand))

    # -- what is seen ----------------------------------------------------------------------------------------

    def show(self, at: int | None = None) -> None:
        """Show the rows as they are now, and ``at`` as the current one instead of the one that was."""
        rows = self.query_one("#rows", OptionList)
        before = rows.highlighted if at is None else at
        self._rows = tuple(self.rows())
        live = [number for number, row in enumerate(self._rows) if row.live]
        with self.prevent(OptionList.OptionHighlighted):
            rows.clear_options()
            rows.add_options(row.option() for row in self._rows)
            if live:
                rows.highlighted = min(live, key=lambda number: abs(number - (before or 0)))
        self.explain()

    @property
    def current(self) -> int:
        """The number of the current row; -1 if there is none."""
        number = self.query_one("#rows", OptionList).highlighted
        return -1 if number is None else number

    def explain(self) -> None:
        """Say what the current row is about."""
        number = self.current
        self.say(self._rows[number].about if 0 <= number < len(self._rows) else "")

    def say(self, text: str, *, wrong: bool = False) -> None:
        """Say something below the rows; what is wrong stands out."""
        about = self.query_one("#about", Static)
        about.update(Content("\n".join(map(inert, text.split("\n")))))
        about.set_class(wrong, "wrong")

    # -- what is done ----------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """A sign chooses its row."""
        if event.character and not self._writing and self.pressed(event.character):
            event.stop()

    def pressed(self, sign: str) -> bool:
        """A sign was typed; says whether it means anything here."""
        found = next((n for n, row in enumerate(self._rows) if row.live and row.sign == sign), -1)
        if found >= 0:
            with self.prevent(OptionList.OptionHighlighted):  # which would come after what is said now
                self.query_one("#rows", OptionList).highlighted = found
            self.explain()
            self.chosen(found)
        return found >= 0

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Explain it."""
        event.stop()
        self.explain()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter, or a click."""
        event.stop()
        self.selected(event.option_list, event.option_index)

    def selected(self, rows: OptionList, number: int) -> None:
        """A row of a list was chosen; by default of the only one."""
        self.chosen(number)

    def write(self, what: str, value: str, hint: str = "") -> None:
        """Open the line to write in."""
        self.unwrite()
        self._writing = what
        line = Line(value, placeholder=hint, classes="write")
        self.query_one(".page").mount(line, after="#rows")

    def unwrite(self) -> None:
        """Close the line to write in."""
        self._writing = ""
        self.query(Line).remove()
        self.query_one("#rows").focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """What was wrong may not be any more."""
        event.stop()
        if self._writing:
            self.explain()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in the line to write in."""
        event.stop()
        self.written(self._writing, event.value)

    def action_back(self) -> None:
        """Back to where one came from: out of the line, or of the screen."""
        if self._writing:
            self.unwrite()
            self.explain()
        else:
            self.dismiss()

    def commands(self) -> Iterable[SystemCommand]:
        """The rows, for the palette, which would take brackets for markup."""
        for number, row in enumerate(self._rows):
            if row.live:
                title, about = (
                    " ".join(inert(text).translate(ROUND).split())
                    for text in (row.text, row.about or row.more)
                )
                yield SystemCommand(title, about, lambda number=number: self.chosen(number))
