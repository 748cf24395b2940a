"""Day: turns, and when it ends (oak 5)."""

from __future__ import annotations

from oaknet.kernel import choose
from oaknet.oak import broichan
from oaknet.oak.artifacts import artifact_users, use_artifact
from oaknet.oak.forest import EMPTY
from oaknet.oak.free import free_actions
from oaknet.oak.gather import gather
from oaknet.oak.moot import play_card, playable
from oaknet.oak.special import menhir, menhir_builders, order_spaces, use_order
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
    end_turn(s)
    s.mover = (seat + 1) % len(s.players)
    if day_over(s):
        end_day(s)


async def act(s: State, seat: int) -> None:
    """Do one thing other than gathering, or pass (oak 5.1)."""
    while True:
        deeds = [MOOTS[card].name for card in playable(s, seat)]
        deeds += special_spaces(s, seat)
        free = free_actions(s, seat)
        deed = await choose(seat, "turn", [*deeds, *free, "pass"])
        if deed not in free:
            break
        await free[deed].do(s, seat)
    if deed == "pass":
        s.players[seat].passed = 1
    elif deed == "menhir":
        await menhir(s, seat)
    elif deed.startswith("order-"):
        await use_order(s, seat, deed.removeprefix("order-"))
    elif deed.startswith("artifact-"):
        await use_artifact(s, seat, int(deed.removeprefix("artifact-")))
    else:
        await play_card(s, seat, next(card for card, moot in enumerate(MOOTS) if moot.name == deed))


def special_spaces(s: State, seat: int) -> list[str]:
    """The special action spaces that can be used now: order board, menhir, artifacts (oak 8.1)."""
    names = [f"order-{action}" for action in order_spaces(s, seat)]
    if menhir_builders(s, seat):
        names.append("menhir")
    return names + [f"artifact-{tile}" for tile in s.players[seat].artifacts if artifact_users(s, seat, tile)]


def end_turn(s: State) -> None:
    """What is once a turn may be done again in the next (oak 9.6, 16.1, 17.5)."""
    s.refreshed = [0, 0]
    s.used = s.swapped = s.saved = 0
    s.acting = -1


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
