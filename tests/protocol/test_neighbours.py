"""Those linked to us: where they stand, whom they reach, what is passed on to them (session 5)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from oaknet_protocol import sync
from oaknet_protocol.events import Addressed, Chatted, Event, Send
from oaknet_protocol.refused import BadSignature, Elsewhere, LocalProtocolError, NotDue
from oaknet_protocol.session import Session
from oaknet_protocol.wire import At, Chat, Head, Links, Record, pack
from tests.engine.toys import Market
from tests.protocol.mesh import Mesh, signer
from tests.protocol.scenes import NAMES, Scene, asked

FAR = b"f" * 32
HERE = (("192.0.2.1", 4711),)


@pytest.fixture
def made() -> Scene:
    return asked()


@pytest.fixture
def session(made: Scene) -> Session:
    return made.honest.session


def sends(happened: list[Event]) -> list[Send]:
    return [event for event in happened if isinstance(event, Send)]


def head(made: Scene, **other: Any) -> Head:
    return msgspec.structs.replace(sync.head(made.honest.transcript), **other)


def reach(made: Scene, *rings: tuple[bytes, ...], **other: Any) -> Links:
    links = Links("links", made.honest.transcript.table, rings)
    return msgspec.structs.replace(links, **other)


# -- where they stand ----------------------------------------------------------------------------------------


def test_peer_that_is_behind_gets_what_it_lacks(made: Scene, session: Session) -> None:
    transcript = made.honest.transcript
    step = transcript.step.number - 1
    sent = sends(session.receive(made.cheat.key, pack(head(made, step=step, prev=transcript.heads[step]))))
    assert {send.to for send in sent} == {made.cheat.key}
    done = session.history.since(1, step)
    assert [send.message for send in sent] == [pack(record) for record in done]
    assert not session.level(made.cheat.key)


def test_peer_that_is_ahead_is_told_where_we_stand(made: Scene, session: Session) -> None:
    ahead = head(made, step=made.honest.transcript.step.number + 1, prev=bytes(32))
    assert session.receive(made.cheat.key, pack(ahead)) == [Send(pack(head(made)), made.cheat.key)]
    assert not session.level(made.cheat.key)
    assert not session.neighbours.split_from(made.cheat.key)


def test_peer_that_is_level_is_told_nothing(made: Scene, session: Session) -> None:
    assert session.receive(made.cheat.key, pack(head(made))) == []
    assert session.level(made.cheat.key)
    assert not session.neighbours.split_from(made.cheat.key)


def test_peer_with_another_past_gets_all_of_this_charter(made: Scene, session: Session) -> None:
    split = head(made, prev=bytes(32))
    sent = sends(session.receive(made.cheat.key, pack(split)))
    assert [send.message for send in sent] == [pack(record) for record in session.history.under(1)]
    assert session.neighbours.split_from(made.cheat.key)
    assert not session.neighbours.split_from(FAR), "nothing is known of it"


def test_head_of_another_table_says_nothing(made: Scene, session: Session) -> None:
    session.receive(made.cheat.key, pack(head(made)))
    for table in (bytes(32), b"\xff" * 32):
        assert session.receive(made.cheat.key, pack(head(made, table=table, step=0))) == []
    assert session.level(made.cheat.key), "what was known of it stays"


def test_what_was_known_of_a_peer_is_forgotten_with_its_link(made: Scene, session: Session) -> None:
    session.receive(made.cheat.key, pack(head(made)))
    (said,) = sends(session.lost(made.cheat.key))
    assert not session.level(made.cheat.key)
    assert made.cheat.key not in session.links
    other = made.others[1].key
    assert said == Send(pack(reach(made, (other,), (made.cheat.key,)))), "the other still reaches it"
    assert session.lost(FAR) == [said], "a link that there was not changes nothing"


def test_another_past_is_compared_once_a_step_with_each_peer(made: Scene, session: Session) -> None:
    number = made.honest.transcript.step.number
    elsewhere = Elsewhere("another past", step=number)
    where = session.neighbours.where
    compare = session.neighbours.compare
    assert compare(made.cheat.key, elsewhere) == [where(made.cheat.key)]
    assert compare(made.cheat.key, elsewhere) == []
    assert compare(made.others[1].key, elsewhere) == [where(made.others[1].key)]
    made.honest.transcript.step.number = number + 1
    assert compare(made.cheat.key, elsewhere) == [where(made.cheat.key)]


def test_nothing_else_that_is_refused_is_compared(made: Scene, session: Session) -> None:
    compare = session.neighbours.compare
    assert compare(made.cheat.key, NotDue("late", step=3)) == []
    assert compare(made.cheat.key, Elsewhere("another table")) == []
    fresh = Mesh(Market(), NAMES).peers[1].session
    assert fresh.neighbours.compare(made.cheat.key, Elsewhere("before the opening", step=3)) == []


def test_before_the_opening_nothing_is_answered(made: Scene) -> None:
    fresh = Mesh(Market(), NAMES).peers[1].session
    assert fresh.connected(made.cheat.key) == []
    assert fresh.receive(made.cheat.key, pack(head(made))) == []
    assert fresh.receive(made.cheat.key, pack(reach(made, (FAR,)))) == []
    assert (fresh.links, fresh.sync(), fresh.propose_again()) == ({made.cheat.key: ()}, [], [])
    assert fresh.lost(made.cheat.key) == []
    assert fresh.links == {}


# -- whom they reach -----------------------------------------------------------------------------------------


def test_what_changes_whom_we_reach_is_told_to_all(made: Scene, session: Session) -> None:
    near = tuple(sorted(peer.key for peer in made.mesh.peers if peer is not made.honest))
    all_here = (made.honest.key, made.others[1].key)

    def told(*ring: bytes) -> list[Send]:
        return sends(session.receive(made.cheat.key, pack(reach(made, ring))))

    assert told(*all_here, FAR) == [Send(pack(reach(made, near, (FAR,))))]
    assert session.present == sorted([made.honest.key, *near, FAR])
    assert told(*all_here, FAR) == []
    assert told(*all_here)[0] == Send(pack(reach(made, near)))


def test_neighbour_that_lost_one_of_its_own_is_told_where_we_stand(made: Scene, session: Session) -> None:
    """What that one had not yet told it, we may have."""
    session.neighbours.links[made.cheat.key] = ()
    here = Send(pack(head(made)), made.cheat.key)
    heads = [
        here in session.receive(made.cheat.key, pack(reach(made, *rings)))
        for rings in (
            ((made.honest.key, FAR), (b"g" * 32,)),  # new: nothing was lost
            ((made.honest.key, FAR, b"g" * 32),),
            ((made.honest.key, b"g" * 32), (FAR,)),
            ((made.honest.key,), (b"g" * 32,)),
            (),
            (),
        )
    ]
    assert heads == [False, False, True, True, True, False]


def test_links_of_another_table_or_a_stranger_change_nothing(made: Scene, session: Session) -> None:
    before = dict(session.links)
    for table in (bytes(32), b"\xff" * 32):
        assert session.receive(made.cheat.key, pack(reach(made, (FAR,), table=table))) == []
    assert session.receive(FAR, pack(reach(made, (FAR,)))) == []
    assert session.links == before


# -- what is passed on ---------------------------------------------------------------------------------------


def test_entry_goes_to_neighbours_that_do_not_hear_its_author(made: Scene, session: Session) -> None:
    record = made.entry("move", ())
    other = made.others[1].key
    session.neighbours.links = {other: (), made.cheat.key: (), FAR: ()}
    spread = session.neighbours.spread
    assert spread(record, made.cheat.key, made.cheat.key) == [Send(pack(record), to) for to in (other, FAR)]
    assert spread(record, other, made.cheat.key) == [Send(pack(record), FAR)], (
        "neither back nor to its author"
    )
    session.neighbours.links[FAR] = ((made.cheat.key,), (other,))
    assert spread(record, made.cheat.key, made.cheat.key) == [Send(pack(record), other)]
    session.neighbours.links[FAR] = ((other,), (made.cheat.key,))
    assert spread(record, made.cheat.key, made.cheat.key) == [Send(pack(record), to) for to in (other, FAR)]


# -- words ---------------------------------------------------------------------------------------------------


def word(made: Scene, kind: str, counter: int, who: int = 2, **other: Any) -> Record:
    one = signer(who)
    fields = {"text": "hello"} if kind == "chat" else {"addresses": HERE}
    made_of = Chat if kind == "chat" else At
    said = made_of(made.honest.transcript.table, one.key, counter, *fields.values())
    data = pack(msgspec.structs.replace(said, **other))
    return Record(kind, data, one.sign(kind, data))


@pytest.mark.parametrize("kind", ["chat", "at"])
def test_newest_word_of_each_author_counts(made: Scene, session: Session, kind: str) -> None:
    told = (
        Chatted(made.cheat.key, "hello")
        if kind == "chat"
        else Addressed(made.cheat.key, (("192.0.2.1", 4711),))
    )
    session.neighbours.links = {made.cheat.key: (), FAR: ()}
    for counter in (0, 1, 5):
        record = word(made, kind, counter)
        assert session.receive(made.cheat.key, pack(record)) == [told, Send(pack(record), FAR)]
    for counter in (0, 4, 5):
        assert session.receive(made.cheat.key, pack(word(made, kind, counter))) == []
    other = word(made, "at" if kind == "chat" else "chat", 3)
    assert len(session.receive(made.cheat.key, pack(other))) == 2, "each kind has a counter of its own"
    assert len(session.receive(made.others[1].key, pack(word(made, kind, 3, 1)))) == 3, "and each author"


def test_word_of_whom_nobody_knows_is_passed_over(made: Scene, session: Session) -> None:
    assert session.receive(made.cheat.key, pack(word(made, "chat", 1, 7))) == []
    session.receive(made.cheat.key, pack(reach(made, (signer(7).key,))))
    assert session.receive(made.cheat.key, pack(word(made, "chat", 1, 7)))[0] == Chatted(
        signer(7).key, "hello"
    )
    session.lost(made.cheat.key)
    happened = session.receive(made.others[1].key, pack(word(made, "chat", 2)))
    assert happened[0] == Chatted(made.cheat.key, "hello"), "it sits, though it is out of reach"


@pytest.mark.parametrize("kind", ["chat", "at"])
@pytest.mark.parametrize("wrong", ["table", "key"])
def test_word_that_its_author_has_not_signed_here_is_refused(made: Scene, kind: str, wrong: str) -> None:
    record = word(made, kind, 1, **{wrong: made.honest.key})
    refusal = made.receive(record)
    assert type(refusal) is BadSignature
    assert f"a {kind} that its author has not signed" in refusal.why


def test_own_word_goes_to_all_and_is_shown_here_too(made: Scene, session: Session) -> None:
    shown, sent = session.chat("hello", 3)
    assert shown == Chatted(session.key, "hello")
    assert isinstance(sent, Send)
    assert sent.to is None
    assert session.chat("older", 3) == []
    with pytest.raises(LocalProtocolError, match="that cannot be said"):
        session.chat("x" * 401, 4)
    fresh = Mesh(Market(), NAMES).peers[1].session
    with pytest.raises(LocalProtocolError, match="the table is not known yet"):
        fresh.chat("hello", 1)
