"""A table that lasts, from what was wished on the command line: opened, joined, watched, or come back to."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from oaknet.kernel import Rules
from oaknet_client import shelf
from oaknet_client.config import Config, folders
from oaknet_client.failures import USAGE, Failure
from oaknet_client.feed import Result, Seat
from oaknet_client.games import loaded
from oaknet_client.meeting import Meeting
from oaknet_client.net import Terms
from oaknet_client.notes import Notes
from oaknet_client.players import FILE, Players
from oaknet_client.questions import Policy
from oaknet_client.shelf import Kept
from oaknet_client.table import Table
from oaknet_protocol.announcement import open_secret
from oaknet_protocol.identity import Identity
from oaknet_protocol.invite import SECRET_SIZE, Invite, key_hash
from oaknet_protocol.journal import TableInUse, in_use
from oaknet_protocol.own import Own


@dataclass(frozen=True, slots=True)
class Wishes:
    """What holds for any table: the port that was asked for (None: the remembered one, or any), whether the
    local network may hear of it, another data file, and what to do about peers that stay away."""

    config: Config
    port: int | None
    lan: bool
    data: Path | None
    policy: Policy
    router: bool = False


def opened(
    wishes: Wishes,
    rules: Rules[Any],
    count: int,
    options: Mapping[str, str],
    seats: Sequence[Seat],
    *,
    private: bool,
) -> Table:
    """A new table, open to the local network unless it is private or not to be heard of."""
    if len(seats) > count:
        raise Failure(f"{len(seats)} seats are taken here, but the table has {count}.", USAGE)
    identity = Identity.load_or_make(folders().identity)
    seed = os.urandom(16) if wishes.lan and not private else b""
    secret = open_secret(seed) if seed else os.urandom(SECRET_SIZE)
    notes = Notes(secret, key_hash(identity.key), tuple(seats), seed=seed, lan=wishes.lan)
    table = _table(wishes, identity, notes, seats, private=private, patient=True)
    table.terms = Terms(rules, count, options)
    return table


def joined(wishes: Wishes, invite: Invite, seats: Sequence[Seat], *, nearby: bool = False) -> Table:
    """A table that we are invited to; one that we know already is come back to, with the seats we have.

    ``nearby`` says that its addresses come from the local network. Raises `Failure`.
    """
    identity = Identity.load_or_make(folders().identity)
    places = tuple((address.host, address.port) for address in invite.addresses)
    known = shelf.invited(folders().tables, invite.secret, invite.opener)
    if known is not None:
        if not seats and known.notes.seats:
            raise Failure(f"You sit at this table. oaknet resume {known.short} goes on with it.", USAGE)
        known.notes.places[""] = places
        return resumed(wishes, known)
    blocked = Players.read(folders().data / FILE).by_hash(invite.opener)
    if blocked is not None and blocked.blocked:
        raise Failure(
            f"{blocked.name}, who opened this table, is blocked. oaknet players unblock lets them in."
        )
    notes = Notes(invite.secret, invite.opener, tuple(seats), lan=wishes.lan)
    notes.places[""] = places
    return _table(wishes, identity, notes, seats, private=True, patient=not places and nearby)


def resumed(wishes: Wishes, kept: Kept, seats: Sequence[Seat] = ()) -> Table:
    """A table that we come back to, with the seats we took; ``seats`` may give them to other bots or persons.

    Raises `Failure` or `TableInUse`.
    """
    identity = Identity.load(folders().identity)
    if in_use(kept.stored.folder):
        raise TableInUse(kept.table)
    own = Own.restore(identity.signer, list(kept.stored.kept))
    notes = kept.notes
    names = _sat(own) or tuple(seat.name for seat in notes.seats)
    if seats and len(seats) != len(names):
        raise Failure(f"You have {len(names)} seats at this table: give --seat for each of them.", USAGE)
    bots = {seat.name: seat.bot for seat in notes.seats}
    new = [replace(seat, name=name) for seat, name in zip(seats, names, strict=True)] if seats else []
    notes.seats = tuple(new or (Seat(name, bots.get(name, "")) for name in names))
    if wishes.data is None and notes.data:
        wishes = replace(wishes, data=Path(notes.data))
    wishes = replace(wishes, lan=wishes.lan and notes.lan)
    table = _table(wishes, identity, notes, notes.seats, private=not notes.seed, patient=True)
    if wishes.port is None:
        table.meeting.port, table.meeting.exact = notes.port, False
    table.stored = kept.stored
    return table


def rematch(wishes: Wishes, before: Result) -> Table:
    """A new table with the game, seats and options of one that has ended, and the seats that we had there.

    Its invite goes out anew. It is open to the local network if we opened that one so. Raises `Failure`.
    """
    kept = shelf.find(folders().tables, before.table)
    if wishes.data is None and kept.notes.data:
        wishes = replace(wishes, data=Path(kept.notes.data))
    rules = loaded(kept.terms.game, wishes.data)
    seats = [replace(seat, place=place) for place, seat in enumerate(kept.notes.seats)]
    options = dict(kept.terms.options)
    return opened(wishes, rules, kept.terms.seats, options, seats, private=not kept.notes.seed)


def _sat(own: Own) -> tuple[str, ...]:
    """The names that we sat with, if we have."""
    from oaknet_protocol.wire import Sit, decode

    return decode(Sit, own.sit.data).names if own.sit is not None else ()


def _table(
    wishes: Wishes, identity: Identity, notes: Notes, seats: Sequence[Seat], *, private: bool, patient: bool
) -> Table:
    data = wishes.data
    notes.data = str(data.resolve()) if data is not None else notes.data
    players = folders().data / FILE
    meeting = Meeting(
        identity,
        notes,
        players,
        port=wishes.config.port if wishes.port is None else wishes.port,
        exact=wishes.port is not None,
        patient=patient,
        router=wishes.router,
        private=private,
        name=wishes.config.name,
    )
    return Table(
        lambda game: loaded(game, data),
        identity,
        tuple(seats),
        notes,
        folders().tables,
        players,
        meeting,
        wishes.policy,
    )
