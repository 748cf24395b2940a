"""The forms that open a table: against bots, for friends, or by an invite."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from oaknet import registry
from oaknet.bots import BOTS
from oaknet.kernel import Rules
from oaknet_client.config import checked
from oaknet_client.errand import Errand
from oaknet_client.failures import Failure
from oaknet_client.screen.form import Do, Field, Form, Pick, Write
from oaknet_protocol.invite import Invite

STRENGTH = {
    "easy": "easy: looks a little ahead",
    "normal": "normal: looks ahead",
    "hard": "hard: looks far ahead, and takes its time",
    "greedy": "greedy: takes what it gets now",
    "random": "random: does anything",
}
"""The bots in words, in the order in which they are offered."""

CLOCKS = {
    "none": "none",
    "300+5": "5 minutes each, and 5 seconds a turn",
    "900+10": "15 minutes each, and 10 seconds a turn",
    "1800+30": "30 minutes each, and 30 seconds a turn",
}
"""The clocks that are offered; by the command line there can be any."""

WHERE = {
    "open": "listed in the local network",
    "private": "local network: by the invite alone",
    "no": "not in the local network",
}
"""Who finds a table."""


def people(text: str) -> str:
    """Names separated by commas, as they are taken; raises `Failure` for what is no name."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        checked("name", name)
    return ", ".join(names)


class TableForm(Form):
    """What every new table asks: the game, its seats, who sits here, and the game's own options."""

    def _rules(self) -> Rules[Any]:
        return registry.rules(self.values.get("game") or "five_towers")

    def _table(self) -> Iterable[Field]:
        titles = {name: registry.rules(name).title for name in registry.games()}
        yield Pick("game", "g", "Game", tuple(titles.items()))
        seats = sorted(self._rules().seats, key=lambda count: (count < 2, count))  # begin with two
        counts = tuple((str(count), str(count)) for count in seats)
        yield Pick("seats", "n", "Seats", counts, "How many play, bots among them.")

    def _others(self) -> Field:
        return Write(
            "others",
            "o",
            "Others at this keyboard",
            people,
            "nobody",
            "Names, with commas between them: each has a seat, and plays when it is their turn.",
        )

    def _options(self) -> Iterable[Field]:
        """The game's own options."""
        for option, sign in zip(self._rules().options, "uvwxyz", strict=False):
            values = tuple((value, value) for value in option.values)
            text = f"{option.text[:1].upper()}{option.text[1:]}."
            yield Pick(option.name, sign, option.name.capitalize(), values, text)

    def _chosen_options(self) -> list[str]:
        names = [option.name for option in self._rules().options]
        return [part for name in names for part in ("--option", f"{name}={self.values[name]}")]

    def _people(self) -> list[str]:
        """Who plays at this keyboard: the names, ours empty; raises `Failure` if they are too many."""
        people = ["", *(name for name in self.values["others"].split(", ") if name)]
        seats = int(self.values["seats"])
        if len(people) > seats:
            raise Failure(f"{len(people)} play at this keyboard, but the table has {seats} seats.")
        return people


def sitting(people: Sequence[str]) -> list[str]:
    """The seats of people at this keyboard, as options."""
    return [part for name in people for part in ("--seat", f"you:{name}" if name else "you")]


def strengths() -> tuple[tuple[str, str], ...]:
    """The bots with words for them."""
    return tuple((name, words) for name, words in STRENGTH.items() if name in BOTS)


class BotsForm(TableForm):
    """A game at this keyboard."""

    def __init__(self) -> None:
        super().__init__("Play against bots")

    def fields(self) -> Sequence[Field]:
        bot = Pick("bot", "b", "Bots", strengths(), "Who plays the seats that nobody here has.")
        play = Do("p", "Play", "Begin. What you play here is not kept.")
        return (*self._table(), self._others(), bot, *self._options(), play)

    def do(self) -> None:
        people, seats = self._people(), int(self.values["seats"])
        bots = ["--bot", self.values["bot"]] * (seats - len(people))
        table = ["play", self.values["game"], "--players", str(seats)]
        self.leave(Errand((*table, *sitting(people), *bots, *self._chosen_options())))


class HostForm(TableForm):
    """A table for friends."""

    def __init__(self) -> None:
        super().__init__("Host a table")

    def fields(self) -> Sequence[Field]:
        free = int(self.values.get("seats") or 2) - 1
        counts = tuple((str(n), "none" if n == 0 else str(n)) for n in range(free))
        bring = Pick("bots", "b", "Bots that you bring", counts, "Each takes a seat.") if free > 1 else None
        some = self.values.get("bots", "0") != "0"
        strength = Pick("bot", "k", "Their strength", strengths()) if some else None
        clock = Pick(
            "clock", "c", "Clock", tuple(CLOCKS.items()), "Who runs out of time is played for until the end."
        )
        lan = Pick("where", "l", "Who finds it", tuple(WHERE.items()), "By the invite, everybody does.")
        host = Do("h", "Open the table", "You get one line to send to your friends.")
        more = [field for field in (bring, strength) if field is not None]
        return (*self._table(), self._others(), *more, *self._options(), clock, lan, host)

    def do(self) -> None:
        table = ["host", self.values["game"], "--seats", self.values["seats"]]
        people, count = self._people(), int(self.values.get("bots", "0"))
        if len(people) + count > int(self.values["seats"]):
            raise Failure(f"{len(people)} people and {count} bots are more than the table has seats.")
        bots = ["--bot", self.values.get("bot", "")] * count
        clock = ["--option", f"clock={self.values['clock']}"] if self.values["clock"] != "none" else []
        where = {"open": [], "private": ["--private"], "no": ["--no-lan"]}[self.values["where"]]
        self.leave(Errand((*table, *sitting(people), *bots, *self._chosen_options(), *clock, *where)))


def invite(text: str) -> str:
    """The invite in what was pasted, also with the command around it; raises `BadInvite`."""
    words = text.split()
    if words[:1] == ["oaknet"] and words[1:2] in (["join"], ["watch"]):
        words = words[2:]
    return str(Invite.parse(" ".join(words)))


class JoinForm(Form):
    """A table of somebody else's: one pastes the invite, and Enter joins."""

    def __init__(self) -> None:
        super().__init__("Join a table")

    def fields(self) -> Sequence[Field]:
        how = (("join", "play"), ("watch", "only watch"))
        pasted = self.values.get("invite", "")
        return (
            Write("invite", "i", "Invite", invite, "paste it here", "The line that begins with oak1."),
            Pick("how", "h", "You", how, "Who watches has no seat, and can talk."),
            Do("j", "Join", "Enter joins." if pasted else "First paste the invite."),
        )

    def ready(self) -> None:
        """The line to paste into is open."""
        self.chosen(0)

    def action_back(self) -> None:
        """Back, also out of the line as long as there is no invite: it was opened by itself."""
        if not self.values["invite"]:
            self.unwrite()
        super().action_back()

    def filled(self, name: str) -> None:
        self.show(len(self._fields) - 1)

    def do(self) -> None:
        if not self.values["invite"]:
            self.chosen(0)
            self.say("There is no invite yet. Paste the one line that begins with oak1.", wrong=True)
        else:
            self.leave(Errand((self.values["how"], "--", self.values["invite"])))
