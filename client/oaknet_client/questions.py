"""What only the player can decide about others: going on without somebody, letting back, joining the others.

A person is asked by a `Question`; a run without anybody has a policy. Bots that are told to go on do, let
somebody back who owed a share once, and, where two parts of a table have gone on apart, all follow the
charter with the lower id, so that both parts meet.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from oaknet_client.feed import Command, Decide, Emit, Note, Question
from oaknet_client.words import inert, listed
from oaknet_protocol import events
from oaknet_protocol.node import Joined, News, Node, Overdue
from oaknet_protocol.refused import LocalProtocolError
from oaknet_protocol.table import ABSENT, CHEATED

Policy: TypeAlias = Literal["ask", "go-on", "wait"]

AGAIN = 120.0
"""Seconds after which who chose to wait is asked again."""


@dataclass(frozen=True, slots=True)
class _Open:
    """A question that waits: about whom, and what each choice does."""

    kind: str
    keys: tuple[bytes, ...]
    line: str
    choices: tuple[str, ...]
    acts: tuple[Callable[[], None], ...]


class Questions:
    """Follows the news of one node. ``abandon`` ends the table here: nobody is left to go on with."""

    def __init__(
        self,
        node: Node,
        emit: Emit,
        policy: Policy,
        name: Callable[[bytes], str],
        abandon: Callable[[], None],
    ) -> None:
        self._node, self._emit, self._policy, self._name = node, emit, policy, name
        self._abandon = abandon
        self._open: dict[int, _Open] = {}
        self._last = 0
        self._welcomed: dict[bytes, None] = {}
        self._later: list[tuple[float, bytes]] = []
        self._now = 0.0

    def hear(self, item: News) -> None:
        """Ask or decide, where something is to be decided."""
        match item:
            case Overdue(key, seconds):
                if self._node.session.begun().plays(self._node.session.key):
                    minutes = int(seconds) // 60
                    since = f"{minutes} minutes" if minutes > 1 else f"{int(seconds)} seconds"
                    self._away(key, f"{self._called(key)} has been away for {since}, and the table waits.")
            case events.Cheated(key):
                line = f"{self._called(key)} has signed what the rules do not allow; the proof is kept."
                self._without(key, CHEATED, line)
            case events.Proposed(_, out, back, by):
                self._proposed(out, back, by)
            case events.Apart(_, charter):
                self._apart(charter)
            case events.Seated() | events.Ended():
                self._withdraw(lambda _: True)
            case Joined(key):
                self._withdraw(lambda one: one.kind == "away" and one.keys == (key,))
            case _:
                pass

    def obey(self, command: Command) -> bool:
        """Carry out an answer."""
        if not isinstance(command, Decide):
            return False
        found = self._open.get(command.number)
        if found is not None and 0 <= command.choice < len(found.acts):
            del self._open[command.number]
            self._try(found.acts[command.choice])
        return True

    def tick(self, now: float) -> None:
        """Ask again, after a while, who chose to wait."""
        self._now = now
        due = [key for at, key in self._later if at <= now]
        self._later = [(at, key) for at, key in self._later if at > now]
        for key in due:
            if key not in self._node.session.present:
                self._away(key, f"{self._called(key)} is still away.")

    # -- each matter -----------------------------------------------------------------------------------------

    def _away(self, key: bytes, line: str) -> None:
        if self._can_go_on(key):
            self._without(key, ABSENT, line)
        elif self._policy == "go-on":
            self._abandon()
        elif self._policy == "ask":
            more = f"{line} Nobody else is left to go on with."
            stop = f"Stop here; oaknet resume {self._node.session.begun().table.hex()[:8]} goes on later"
            self._put(
                "away",
                (key,),
                more,
                (f"Wait for {self._called(key)}", stop),
                (lambda: self._wait(key), self._abandon),
            )

    def _wait(self, key: bytes) -> None:
        self._later.append((self._now + AGAIN, key))

    def _can_go_on(self, key: bytes) -> bool:
        transcript = self._node.session.begun()
        peers = [transcript.peer(place) for place in transcript.places if transcript.played(place)]
        return len([peer for peer in peers if peer not in (None, key)]) >= min(2, len(transcript.places))

    def _without(self, key: bytes, why: int, line: str) -> None:
        def go_on() -> None:
            self._node.go_on({key: why})

        name = self._called(key)
        if self._policy == "go-on":
            self._try(go_on)
        elif self._policy == "ask":
            choices = (f"Go on without {name}", f"Wait for {name}")
            kind = "away" if why == ABSENT else "cheat"
            self._put(kind, (key,), line, choices, (go_on, lambda: self._wait(key)))

    def _proposed(self, out: tuple[bytes, ...], back: tuple[bytes, ...], by: tuple[bytes, ...]) -> None:
        node, session = self._node, self._node.session

        def agree() -> None:
            if out:
                node.go_on({key: CHEATED if key in session.cheats else ABSENT for key in out})
            for key in back:
                self._welcomed[key] = None
                node.do(session.let_back(key))

        if self._policy == "go-on":
            if not any(key in self._welcomed for key in back):
                self._try(agree)
            return
        if self._policy == "ask":
            parts = [f"go on without {listed(map(self._called, out))}"] if out else []
            if back:
                parts.append(
                    f"let {listed(map(self._called, back))} back, who left while a draw waited for them"
                )
            who = listed(map(self._called, by)) if by else "The others"
            line = f"{who} {'proposes' if len(by) == 1 else 'propose'} to {' and to '.join(parts)}."
            self._put("proposal", (*out, *back), line, ("Agree", "Not now"), (agree, lambda: None))

    def _apart(self, charter: bytes) -> None:
        node, session = self._node, self._node.session
        seating = session.begun().seating

        def join() -> None:
            node.do(session.join(charter))

        if self._policy == "ask":
            line = "The others have gone on without us from an earlier step."
            choices = ("Join them; what was played here since then is lost", "Stay here")
            self._put("apart", (charter,), line, choices, (join, lambda: None))
        elif seating is None or charter < seating.id:
            self._try(join)

    # -- asking ----------------------------------------------------------------------------------------------

    def _put(
        self,
        kind: str,
        keys: tuple[bytes, ...],
        line: str,
        choices: tuple[str, ...],
        acts: tuple[Callable[[], None], ...],
    ) -> None:
        self._withdraw(lambda one: (one.kind, one.keys) == (kind, keys))
        self._last += 1
        self._open[self._last] = _Open(kind, keys, line, choices, acts)
        self._emit(Question(self._last, line, choices))

    def _withdraw(self, which: Callable[[_Open], bool]) -> None:
        for number in [number for number, one in self._open.items() if which(one)]:
            del self._open[number]
            self._emit(Question(number, "", ()))

    def _try(self, act: Callable[[], None]) -> None:
        try:
            act()
        except LocalProtocolError as error:
            self._emit(Note(f"That cannot be done now: {error}."))

    def _called(self, key: bytes) -> str:
        return inert(self._name(key))
