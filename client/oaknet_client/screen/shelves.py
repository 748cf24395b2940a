"""Games to look over, and rules to look up."""

from __future__ import annotations

from collections.abc import Iterable

from oaknet import registry
from oaknet_client.around import Mine, mine
from oaknet_client.failures import explain
from oaknet_client.screen.page import Page, Row
from oaknet_client.screen.rules import RulesScreen

LIST_HELP = """\
  arrows       go along the list
  Enter, click choose; so does the number or letter in front
  Esc          back
  ?, Ctrl-P    this help; everything by name
  q, Ctrl-C    leave oaknet

Esc or ? closes this."""

SIGNS = "123456789abcdefghijklmnoprstuvwxyz"
"""The keys of the rows; q leaves."""


class GamesPage(Page):
    """The finished tables, the latest first."""

    HELP_TEXT = LIST_HELP

    def __init__(self) -> None:
        super().__init__("Games played")
        self._mine = Mine()

    def begin(self) -> None:
        try:
            self._mine = mine()
        except OSError as error:
            self._mine = Mine(trouble=explain(error).sentence)

    def rows(self) -> Iterable[Row]:
        for number, errand in enumerate(self._mine.finished):
            yield Row(errand.line, SIGNS[number] if number < len(SIGNS) else "", errand.more)
        if self._mine.trouble:
            yield Row(f"  {self._mine.trouble}", live=False)
        elif not self._mine.finished:
            yield Row("  No table with others is finished yet. Games against bots are not kept.", live=False)

    def chosen(self, number: int) -> None:
        self.leave(self._mine.finished[number])


class RulesPage(Page):
    """The games whose rules can be looked up."""

    HELP_TEXT = LIST_HELP

    def __init__(self) -> None:
        super().__init__("Rules")

    def rows(self) -> Iterable[Row]:
        for number, name in enumerate(registry.games()):
            yield Row(registry.rules(name).title, SIGNS[number])

    def chosen(self, number: int) -> None:
        self.oak.push_screen(RulesScreen(registry.rules(registry.games()[number]), None))
