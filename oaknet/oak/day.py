"""Day: turns, and when it ends (oak 5)."""

from __future__ import annotations

from oaknet.kernel import choose
from oaknet.oak import broichan
from oaknet.oak.free import free_actions
from oaknet.oak.gather import EMPTY, gather
from oaknet.oak.moot import play_card, playable
from oaknet.oak.special import menhir, menhir_builders
from oaknet.oak.state import FINAL, HOME, State, is_broichan
from oaknet.oak.tables import MOOTS, ROOTS


async def turn(s: State) -> None:
    """One seat's turn: play a moot card, use a special action space, or pass and gather; once it has passed
    it may gather only (oak 5.1). Free actions may come before."""
    seat = s.mover
    p, his = s.players[seat], is_broichan(s, seat)
    if not p.passed:
        await (broichan.act(s) if his else act(s, seat))
    if p.passed:
        await (broichan.gather(s) if his else gather(s, seat))
    else:
        s.idle = 0
    s.refreshed = [0, 0]
    s.mover = (seat + 1) % len(s.players)
    if day_over(s):
        end_day(s)


async def act(s: State, seat: int) -> None:
    """Do one thing other than gathering, or pass (oak 5.1)."""
    while True:
        deeds = [MOOTS[card].name for card in playable(s, seat)]
        if menhir_builders(s, seat):
            deeds.append("menhir")
        free = free_actions(s, seat)
        deed = await choose(seat, "turn", [*deeds, *free, "pass"])
        if deed not in free:
            break
        await free[deed].do(s, seat)
    if deed == "pass":
        s.players[seat].passed = 1
    elif deed == "menhir":
        await menhir(s, seat)
    else:
        await play_card(s, seat, next(card for card, moot in enumerate(MOOTS) if moot.name == deed))


def day_over(s: State) -> bool:
    """Whether all have passed and the forest is empty, or no druid of anybody is on the roots, or nobody has
    gathered for a whole round of turns (oak 5.6)."""
    if not all(p.passed for p in s.players):
        return False
    if all(ingredient == EMPTY for ingredient in s.forest):
        return True
    return not any(ROOTS in p.place for p in s.players) or s.idle >= len(s.players)


def end_day(s: State) -> None:
    """Dusk follows, after the last round the final scoring (oak 5.6)."""
    s.phase = FINAL if s.round == s.box.play.rounds else HOME
    s.mover = s.first
    s.idle = 0
