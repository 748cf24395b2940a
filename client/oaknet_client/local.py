"""A table at this keyboard: persons and bots, no network, chance from a local seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from oaknet.bots import bot
from oaknet.kernel import CHANCE, Game, Option, Rng, Rules
from oaknet.kernel.rng import sample
from oaknet_client.feed import (
    Asked,
    Command,
    Emit,
    Ended,
    Note,
    Peer,
    Resign,
    Result,
    Seat,
    Shown,
    Started,
    Submit,
)
from oaknet_client.words import log_line, seat_name
from oaknet_protocol.turn import Turn

if TYPE_CHECKING:
    import trio

    from oaknet_client.thinking import Thinking


@dataclass(frozen=True, slots=True)
class Local:
    """The feed of such a table. ``seed`` decides every draw and every bot."""

    rules: Rules[Any]
    seats: Sequence[Seat]
    options: Mapping[str, str]
    seed: bytes

    def __post_init__(self) -> None:
        for seat in self.seats:
            if seat.bot:
                bot(seat.bot, self.rules.name)  # an unknown one is refused before anything begins

    async def run(self, emit: Emit, commands: trio.MemoryReceiveChannel[Command]) -> None:
        """Play the game to its end (`oaknet_client.feed.Feed`)."""
        from oaknet_client.thinking import Thinking

        with Thinking(self.rules) as thinking:
            await self._play(emit, commands, thinking)

    async def _play(
        self, emit: Emit, commands: trio.MemoryReceiveChannel[Command], thinking: Thinking
    ) -> None:
        import trio

        game = Game[Any].new(self.rules, len(self.seats), self.options)
        played = list(range(len(self.seats)))  # by who sits there; for the others the stand-in plays
        enough = min(2, len(played))
        chance = Rng(self.seed + b"chance")
        bots = {seat: each.bot for seat, each in enumerate(self.seats) if each.bot}
        minds = {seat: Rng(self.seed + b"bot" + bytes([seat])) for seat in bots}
        emit(Started(tuple(self.seats), game.clone()))
        step = 0
        while not game.over and len(played) >= enough:
            await trio.lowlevel.checkpoint()
            if game.pending[0].seat == CHANCE:
                emit(self._drawn(game, chance, step))
                step += 1
                continue
            asked = [ask.seat for ask in game.pending]
            moves: dict[int, Sequence[Option]] = {}
            for seat in asked:
                turn = Turn[Any](game, seat, sealed=len(asked) > 1)
                answers: Sequence[Option] | None = None
                if seat in bots:
                    answers = await thinking.move(bots[seat], turn, minds[seat])
                elif seat in played:
                    emit(Asked(seat, turn))
                    answers = await _submitted(emit, commands, seat)
                    if answers is None:
                        played.remove(seat)
                        line = f"{seat_name(self.seats, seat)} has resigned; the stand-in plays on."
                        emit(Peer(seat, "resigned", line))
                moves[seat] = _stood_in(turn) if answers is None else answers
            if len(played) < enough:
                break
            for seat, answers in moves.items():
                lines = [self._answered(game, seat, option) for option in answers]
                emit(Shown(game.clone(), tuple(lines), step, seat, tuple(answers)))
                step += 1
        emit(Ended(self._result(game, played), game.clone()))

    def _answered(self, game: Game[Any], seat: int, option: Option) -> str:
        line = log_line(game, self.seats, seat, option)
        game.answer(seat, option)
        return line

    def _drawn(self, game: Game[Any], chance: Rng, step: int) -> Shown:
        """Let chance answer until a seat is asked."""
        lines: list[str] = []
        drawn: list[Option] = []
        while game.pending and game.pending[0].seat == CHANCE:
            drawn.append(sample(chance, game.pending[0]))
            lines.append(self._answered(game, CHANCE, drawn[-1]))
        return Shown(game.clone(), tuple(lines), step, CHANCE, tuple(drawn))

    def _result(self, game: Game[Any], played: Sequence[int]) -> Result:
        """The result; whom others have left alone by resigning wins, as at any table (transcript 7.3)."""
        scores, digest = self.rules.score(game.state), game.digest().hex()
        winners = self.rules.winners(game.state) if game.over else tuple(played)
        how = "finished" if game.over else "resigned"
        return Result(self.rules.name, tuple(self.seats), scores, winners, how, digest=digest)


async def _submitted(
    emit: Emit, commands: trio.MemoryReceiveChannel[Command], seat: int
) -> Sequence[Option] | None:
    """The person's move, None if the seat is given up; who wants to talk hears that nobody is there."""
    while not isinstance(command := await commands.receive(), Submit | Resign):
        emit(Note("Everybody at this table sits at this keyboard: there is nobody to talk to."))
    assert command.seat == seat, "a front end answers the seat it is asked for"
    return command.answers if isinstance(command, Submit) else None


def _stood_in(turn: Turn[Any]) -> Sequence[Option]:
    """The stand-in's move."""
    while not turn.done:
        turn.answer(turn.game.rules.stand_in(turn.game, turn.seat))
    return turn.answers
