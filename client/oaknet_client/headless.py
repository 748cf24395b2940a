"""A table without anybody at the keyboard: progress in words, or one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from oaknet_client.failures import Failure
from oaknet_client.feed import (
    Asked,
    Command,
    Ended,
    Event,
    Failed,
    Feed,
    Forked,
    Invited,
    Lobby,
    Note,
    Peer,
    Question,
    Result,
    Said,
    Seat,
    Shown,
    Started,
    seat_records,
)
from oaknet_client.words import inert, kept_lines, lobby_line, result_lines, said_line, seat_name

Write = Callable[[str], None]


def json_line(record: Mapping[str, object]) -> str:
    """One JSON object on one line."""
    return json.dumps(record, ensure_ascii=True, separators=(", ", ": "))


def event_record(event: Event, places: Sequence[int]) -> dict[str, object] | None:
    """The documented JSON object of an event, None for one that has none; ``places`` of the rules' seats."""
    if isinstance(event, Started):
        table, game = event.table, event.game.rules.name
        return {"event": "start", "table": table, "game": game, "seats": seat_records(event.seats)}
    if isinstance(event, Shown):
        seat = event.seat if event.seat < 0 else places[event.seat]
        return {"event": "step", "step": event.step, "seat": seat, "answers": list(event.answers)}
    if isinstance(event, Peer):
        return {"event": "peer", "seat": places[event.seat], "state": event.state}
    if isinstance(event, Invited):
        return {"event": "invite", "invite": event.invite, "port": event.port}
    if isinstance(event, Lobby):
        return {"event": "lobby", "seats": seat_records(event.seats), "free": event.free}
    if isinstance(event, Forked):
        return {"event": "fork", "seat": _place(event.seat, places), "proof": event.proof}
    if isinstance(event, Said):
        seat = _place(event.seat, places)
        return {"event": "chat", "seat": seat, "name": event.name, "text": event.text}
    if isinstance(event, Note):
        return {"event": "note", "message": event.line}
    if isinstance(event, Ended):
        return event.result.record()
    return None


def _place(seat: int, places: Sequence[int]) -> int:
    return places[seat] if 0 <= seat < len(places) else -1


def event_lines(event: Event, seats: Sequence[Seat] = ()) -> list[str]:
    """An event in words; ``seats`` of the table, once it has begun."""
    if isinstance(event, Started):
        names = ", ".join(seat_name(event.seats, seat) for seat in range(len(event.seats)))
        return [f"{event.game.rules.title}: {names}"]
    if isinstance(event, Shown):
        return list(event.lines)
    if isinstance(event, Peer | Note | Forked):
        return [inert(event.line)]
    if isinstance(event, Invited):
        return [f"Listening on port {event.port}. Others join with this line:", f"oaknet join {event.invite}"]
    if isinstance(event, Lobby):
        return [lobby_line(event)]
    if isinstance(event, Said):
        return [said_line(seats, event.seat, event.name, event.text)]
    if isinstance(event, Question) and event.choices:
        return [inert(event.line)]
    if isinstance(event, Ended):
        return ["", *result_lines(event.result), *kept_lines(event.result)]
    return []


def run(feed: Feed, write: Write, *, as_json: bool) -> Result:
    """Run a table of bots to its end; raises what goes wrong."""
    import trio

    results: list[Result] = []
    places: list[int] = []
    seats: list[Seat] = []

    def emit(event: Event) -> None:
        assert not isinstance(event, Asked), "nobody is at the keyboard"
        if isinstance(event, Failed):
            raise Failure(event.sentence, event.status)
        if isinstance(event, Started):
            seats[:] = event.seats
            places[:] = [seat.place for seat in event.seats]
        if isinstance(event, Ended):
            results.append(event.result)
        if not as_json:
            for line in event_lines(event, seats):
                write(line)
        elif (record := event_record(event, places)) is not None:
            write(json_line(record))

    async def main() -> None:
        send, receive = trio.open_memory_channel[Command](0)
        async with send, receive:
            await feed.run(emit, receive)

    trio.run(main)
    (result,) = results
    return result
