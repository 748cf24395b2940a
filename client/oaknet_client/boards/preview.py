"""What a choice would do, tried on a clone and told before it is made."""

from __future__ import annotations

from typing import Any

from oaknet import registry
from oaknet.kernel import CHANCE, Ask, Game, Option, Rules
from oaknet.kernel.lookup import told
from oaknet_client import boards
from oaknet_client.headings import question
from oaknet_client.words import counted, inert


def explained(game: Game[Any], ask: Ask, option: Option) -> list[str]:
    """What an option costs, changes at once, and is followed by; then the rules' text of it; in lines."""
    found = boards.board(game.rules.name)
    name, costs = ("", []) if found is None else found.notes(game, ask, option)
    lines = list(costs)
    after = game.clone()
    after.answer(ask.seat, option)
    if found is not None:
        changes = found.effects(game.state, after.state, ask.seat)
    else:
        gained = game.rules.score(after.state)[ask.seat] - game.rules.score(game.state)[ask.seat]
        changes = [f"{'+' if gained > 0 else '−'}{counted(abs(gained), 'point')}"] if gained else []
    lines += [f"→ {line}" for line in changes]
    lines += [f"→ {_next(after, ask.seat)}", *entry_lines(game.rules, name)]
    return [inert(line) for line in lines]


def entry_lines(rules: Rules[Any], name: str) -> list[str]:
    """The text of an entry under its name; nothing if there is no such entry."""
    found = next((entry for entry in registry.entries(rules) if entry.name == name), None) if name else None
    return [] if found is None else [f"{name}: {told(rules.data, found)}"]


def _next(game: Game[Any], seat: int) -> str:
    """What follows the answer."""
    if game.over:
        return "the game ends"
    if game.pending[0].seat == CHANCE:
        return "then comes a draw"
    ask = game.asked(seat)
    if ask is not None and game.answers:
        return f"then: {question(game.rules, ask.about).lower()}"
    return "this ends your turn"
