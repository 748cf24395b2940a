"""Playing by numbered lines: for screen readers, pipes and terminals that can do nothing else."""

from __future__ import annotations

import os
import queue
import shutil
import sys
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

from oaknet.kernel import Game
from oaknet_client import views
from oaknet_client.bridge import Bridge
from oaknet_client.failures import FAILED, Failure
from oaknet_client.feed import (
    Asked,
    Block,
    Command,
    Decide,
    Ended,
    Event,
    Failed,
    Feed,
    Forked,
    Invited,
    Lobby,
    Mute,
    Note,
    Peer,
    Question,
    Resign,
    Result,
    Said,
    Say,
    Seat,
    Shown,
    Started,
)
from oaknet_client.headings import question
from oaknet_client.headless import event_lines
from oaknet_client.move import Move
from oaknet_client.words import inert, kept_lines, result_lines, score_table, seat_name, turn_line

HELP = """A number chooses. Between choices:
  u  take back the last choice of this turn    U  take back the whole turn
  b  show the board                            s  show the scores
  ?  show this                                 q  quit
With others, at any time:
  /say TEXT   say something    /mute NAME  show no more of what NAME says, or again
  /block NAME sit at no table with NAME from now on, or again
  /resign     give up your seat when it is your turn: the stand-in plays on"""

Write = Callable[[str], None]


class Typed(NamedTuple):
    """A line of input, or None where it ends."""

    line: str | None


class Plain:
    """The conversation as a machine without input or output of its own: events and lines go in, text and
    commands come out. ``confirm`` is the setting of that name."""

    def __init__(self, write: Write, send: Callable[[Command], None], confirm: str) -> None:
        self._write, self._send, self._confirm = write, send, confirm
        self._seats: tuple[Seat, ...] = ()
        self._move: Move | None = None
        self._questions: dict[int, Question] = {}
        self._company = False  # whether others play elsewhere, whom one may have to wait for
        self._lines: deque[str | None] = deque()
        self._width = max(40, shutil.get_terminal_size((80, 24)).columns)
        self.result: Result | None = None
        self._waiting = ""
        self.quit = False

    @property
    def done(self) -> bool:
        """Whether the table has ended, or the person has."""
        return self.quit or self.result is not None

    def event(self, event: Event) -> None:
        """Something happened at the table; raises `Failure` if it cannot go on."""
        if isinstance(event, Started):
            self._seats = event.seats
            names = ", ".join(seat_name(event.seats, i) for i in range(len(event.seats)))
            self._write(f"{event.game.rules.title}: {names}. Type ? for help.")
        elif isinstance(event, Shown):
            for line in event.lines:
                self._write(line)
            self._wait(event.game)
        elif isinstance(event, Peer | Note | Forked | Invited | Lobby | Said):
            self._company = True
            for line in event_lines(event, self._seats):
                self._write(line)
        elif isinstance(event, Question):
            self._question(event)
        elif isinstance(event, Asked):
            self._move = Move(event, self._confirm)
            self._board(self._move)
            self._prompt(self._move)
            self._work()
        elif isinstance(event, Ended):
            self._move = None
            self._write("")
            for line in (*views.drawn(event.game, self._seats, width=self._width), ""):
                self._write(line)
            for line in (*result_lines(event.result), *kept_lines(event.result)):
                self._write(line)
            self.result = event.result
        else:
            assert isinstance(event, Failed)
            raise Failure(event.sentence, event.status)

    def line(self, line: str | None) -> None:
        """A line was typed; None where the input ends."""
        self._lines.append(line)
        self._work()

    def _wait(self, game: Game[Any]) -> None:
        """Say who is thinking, once a turn: that may take a while."""
        line = turn_line(game, self._seats)
        if line.endswith("…") and line != self._waiting:
            self._write(line)
        self._waiting = line

    def _work(self) -> None:
        """Take lines for as long as somebody here is asked: what is typed ahead waits, but for commands."""
        while self._lines and not self.quit:
            line = self._lines[0]
            word = "" if line is None else line.strip()
            if word.startswith("/") or (word == "q" and (self._company or self._move is not None)):
                self._lines.popleft()
                self._command(word)
            elif self._questions and word.isdigit():
                self._lines.popleft()
                self._decide(next(iter(self._questions.values())), int(word))
            elif self._move is None:
                return
            elif line is None:
                raise Failure("The input ended before the game did.", FAILED)
            else:
                self._lines.popleft()
                self._obey(self._move, word)

    def _command(self, word: str) -> None:
        name, _, rest = word.partition(" ")
        if word == "q" or name == "/quit":
            self.quit = True
        elif name == "/say" and rest.strip():
            self._send(Say(rest.strip()))
        elif name == "/mute" and rest.strip():
            self._send(Mute(rest.strip()))
        elif name == "/block" and rest.strip():
            self._send(Block(rest.strip()))
        elif name == "/resign" and self._move is not None:
            seat, self._move = self._move.seat, None
            self._send(Resign(seat))
        elif name == "/resign":
            self._write("A seat can be given up when it is its turn.")
        else:
            self._write(HELP)

    def _question(self, question: Question) -> None:
        """Ask it, before anything else that is asked; one that has settled itself is asked no more."""
        self._questions.pop(question.number, None)
        if question.choices:
            self._questions[question.number] = question
            self._write("")
            self._write(inert(question.line))
            for number, choice in enumerate(question.choices, 1):
                self._write(f"  {number:>2}  {inert(choice)}")

    def _decide(self, question: Question, number: int) -> None:
        if not 1 <= number <= len(question.choices):
            self._write(f"Type a number from 1 to {len(question.choices)}.")
            return
        del self._questions[question.number]
        self._send(Decide(question.number, number - 1))
        if self._move is not None:
            self._prompt(self._move)

    def _obey(self, move: Move, word: str) -> None:
        if word == "?":
            self._write(HELP)
        elif word == "b":
            self._board(move)
            self._prompt(move)
        elif word == "s":
            for line in score_table(move.game, self._seats):
                self._write(line)
        elif word in ("u", "U"):
            if not move.undo():
                self._write("There is nothing to take back in this turn.")
                return
            while word == "U" and move.undo():
                pass
            self._prompt(move)
        elif move.turn.done:
            if word:
                self._write("Enter sends the turn, u takes the last choice back.")
            else:
                self._submit(move)
        else:
            self._choose(move, word)

    def _choose(self, move: Move, word: str) -> None:
        try:
            move.choose(int(word) - 1 if word.isascii() and word.isdigit() and len(word) < 6 else -1)
        except IndexError:
            self._write(f"Type a number from 1 to {len(move.choices)}, or ? for help.")
            return
        if move.ready:
            self._submit(move)
        else:
            self._prompt(move)

    def _submit(self, move: Move) -> None:
        self._move = None
        self._send(move.submit())

    def _board(self, move: Move) -> None:
        self._write("")
        self._write(views.picture(move.game, self._seats, move.seat).status)
        for line in views.drawn(move.game, self._seats, move.seat, self._width):
            self._write(line)

    def _prompt(self, move: Move) -> None:
        self._write("")
        if move.trail:
            self._write(f"So far: {', '.join(move.trail)}")
        if move.turn.done:
            self._write(move.warning)
            return
        self._write(
            f"{seat_name(self._seats, move.seat)}, your turn. {question(move.game.rules, move.about)}:"
        )
        for number, words in enumerate(move.choices, 1):
            self._write(f"  {number:>2}  {words}")


def play(feed: Feed, write: Write, confirm: str) -> Result | None:
    """Play a table by lines on standard input; the result, or None if the person quit."""
    inbox: queue.SimpleQueue[Event | Typed] = queue.SimpleQueue()
    bridge = Bridge(feed, inbox.put)
    talk = Plain(write, bridge.send, confirm)
    threading.Thread(target=_read, args=(inbox.put,), name="input", daemon=True).start()
    bridge.start()
    try:
        while not talk.done:
            item = inbox.get()
            if isinstance(item, Typed):
                talk.line(item.line)
            else:
                talk.event(item)
    finally:
        bridge.stop()
    return talk.result


def _read(put: Callable[[Typed], None]) -> None:
    """Lines of standard input, then None; unbuffered, so that nothing is locked when the program ends."""
    try:
        source = sys.stdin.fileno()
    except (OSError, ValueError, AttributeError):  # no file behind it
        for line in sys.stdin or ():
            put(Typed(line.rstrip("\r\n")))
        put(Typed(None))
        return
    rest = b""
    while chunk := os.read(source, 65536):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            put(Typed(line.decode("utf-8", "replace").rstrip("\r")))
    if rest:
        put(Typed(rest.decode("utf-8", "replace")))
    put(Typed(None))
