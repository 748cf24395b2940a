"""A page of fields: each a row with its value, changed by its key, Enter, left and right, or a click."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from textual.binding import Binding, BindingType

from oaknet_client.failures import Failure
from oaknet_client.screen.page import Page, Row, Rows

LABEL = 26
"""Cells of the names of the fields."""


@dataclass(frozen=True, slots=True)
class Pick:
    """One of several values, each with words for it; the first is what it begins with."""

    name: str
    sign: str
    label: str
    values: tuple[tuple[str, str], ...]
    about: str = ""


@dataclass(frozen=True, slots=True)
class Write:
    """A text; ``check`` gives what it comes to, and raises `Failure` or `ValueError` for what it cannot be.

    ``empty`` stands there for the empty text.
    """

    name: str
    sign: str
    label: str
    check: Callable[[str], str]
    empty: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True)
class Do:
    """What is done with it all."""

    sign: str
    label: str
    about: str = ""


Field: TypeAlias = Pick | Write | Do

FORM_HELP = """\
  arrows up, down     go from field to field
  arrows left, right  the value before, the next one
  Enter, click        the next value; write; or do what the row says
  its letter          the same, wherever you are
  Esc                 back, without doing anything
  ?, Ctrl-P           this help; everything by name
  q, Ctrl-C           leave oaknet; while you write, only Ctrl-C

Esc or ? closes this."""


class Fields(Rows):
    """The rows of a form: left and right change the current one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "screen.turn(-1)", "Change", key_display="←→"),
        Binding("right", "screen.turn(1)", "Next value", show=False),
    ]


class Form(Page):
    """``values`` are those of the fields, by name. Who derives from it gives `fields` and `do`."""

    LIST = Fields
    HELP_TEXT = FORM_HELP

    def __init__(self, heading: str) -> None:
        super().__init__(heading)
        self.values: dict[str, str] = {}
        self._fields: tuple[Field, ...] = ()

    def fields(self) -> Sequence[Field]:
        """The fields as they are with the values that there are."""
        return ()

    def changed(self, name: str) -> None:
        """A value is another one now; raises `Failure` for what cannot be."""

    def do(self) -> None:
        """Do what the form is for; raises `Failure`."""

    def ready(self) -> None:
        """Enter does it, as soon as everything is as one likes it."""
        last = next((n for n, field in enumerate(self._fields) if isinstance(field, Do)), None)
        if last is not None:
            self.show(last)

    def rows(self) -> Iterable[Row]:
        self._fields = tuple(self.fields())
        for field in self._fields:
            if isinstance(field, Pick):
                words = dict(field.values)
                if self.values.get(field.name) not in words:
                    self.values[field.name] = field.values[0][0]
                yield Row(
                    f"{field.label:<{LABEL}}‹ {words[self.values[field.name]]} ›", field.sign, "", field.about
                )
            elif isinstance(field, Write):
                text = self.values.setdefault(field.name, "") or field.empty
                yield Row(f"{field.label:<{LABEL}}{text}", field.sign, "", field.about)
            else:
                yield Row(field.label, field.sign, "", field.about)

    def chosen(self, number: int) -> None:
        field = self._fields[number]
        if isinstance(field, Pick):
            self._turn(field, 1)
        elif isinstance(field, Write):
            self.show(number)
            self.write(field.name, self.values[field.name], field.empty)
        else:
            self._try(self.do)

    def action_turn(self, steps: int) -> None:
        """Another value for the current field."""
        field = self._fields[self.current] if 0 <= self.current < len(self._fields) else None
        if isinstance(field, Pick) and not self._writing:
            self._turn(field, steps)

    def _turn(self, field: Pick, steps: int) -> None:
        values = [value for value, _ in field.values]
        at = values.index(self.values[field.name])
        self._set(field.name, values[(at + steps) % len(values)])

    def written(self, what: str, text: str) -> None:
        field = next(field for field in self._fields if isinstance(field, Write) and field.name == what)
        try:
            value = field.check(text.strip())
        except (Failure, ValueError) as error:
            self.say(str(error), wrong=True)
            return
        self.unwrite()
        self._set(what, value)
        self.filled(what)

    def filled(self, name: str) -> None:
        """Something was written, and is good."""

    def _set(self, name: str, value: str) -> None:
        before, self.values[name] = self.values[name], value
        if not self._try(lambda: self.changed(name)):
            self.values[name] = before
            return
        self.show()

    def _try(self, what: Callable[[], None]) -> bool:
        """Do something, and say what is wrong if it cannot be done; says whether it is done."""
        try:
            what()
        except (Failure, OSError, ValueError) as error:
            from oaknet_client.failures import explain

            self.say(explain(error).sentence, wrong=True)
            return False
        return True
