"""The numbers of charters: neither waiting nor a cheat uses them up, and who is far behind catches up."""

from __future__ import annotations

from oaknet_protocol.charters import GATHERED, following
from oaknet_protocol.council import WEIGHED
from oaknet_protocol.table import ABSENT, LONGEST_JUMP
from oaknet_protocol.wire import Charter, Record, decode, pack
from tests.protocol.test_going_on import stopped
from tests.protocol.world import Host, World


def flood(made: World, gone: Host, host: Host, numbers: range) -> None:
    """A peer that is gone from the table signs charters of all these numbers, with everybody in it."""
    sits = host.session.lobby.pairs()
    for number in numbers:
        data = following(host.transcript, sits, {}, number, 100)
        own = made.signers[gone.number].sign("charter", data)
        signatures = tuple(own if key == gone.key else b"" for key in sorted(sits))
        made.do(host, host.session.receive(gone.key, pack(Record("charter", data, signatures))))


def together(left: list[Host]) -> bool:
    """Whether those who are left go on, and nobody else."""
    keys = sorted(host.key for host in left)
    return all([*host.transcript.seating.sits] == keys and not host.session.frozen for host in left)


def propose(made: World, left: list[Host], gone: Host, rounds: int) -> None:
    """Their players agree to go on without it, and their programs propose that until it counts."""
    for host in left:
        made.do(host, host.session.go_on({gone.key: ABSENT}))
        made.settle()
    for _ in range(rounds):
        for host in left:
            made.do(host, host.session.propose_again())
            made.settle()


def test_waiting_for_a_signature_uses_no_numbers_up() -> None:
    """A peer that is alone proposes again and again; who comes back then can sign what it says."""
    made, gone, left = stopped("move")
    made.do(left[0], left[0].session.go_on({gone.key: ABSENT}))
    made.down(*left)
    number = left[0].session.own.number
    for _ in range(3 * LONGEST_JUMP):
        made.do(left[0], left[0].session.propose_again())
    assert left[0].session.own.number == number
    made.up(*left)
    made.settle()
    made.do(left[1], left[1].session.go_on({gone.key: ABSENT}))
    made.settle()
    assert together(left)
    assert [host.transcript.seating.charter.number for host in left] == [number] * 2


def test_peer_far_behind_in_numbers_catches_up() -> None:
    """One peer has signed numbers far above another's last: a few proposals later both sign the same."""
    made, gone, left = stopped("move")
    far, near = left
    far.session.own.number = 3 * LONGEST_JUMP
    made.do(far, far.session.go_on({gone.key: ABSENT}))
    assert far.session.own.number == 3 * LONGEST_JUMP + 1
    made.settle()
    propose(made, [near, far], gone, rounds=5)
    assert together(left)
    made.idle = []
    assert made.finish().how == "absent"


def test_charters_of_one_peer_do_not_push_out_anothers() -> None:
    """A cheat signs charters of the highest numbers there are; the others go on without it all the same."""
    made, gone, left = stopped("move")
    for host in left:
        flood(made, gone, host, range(2**32 - 40, 2**32))
    made.settle()
    propose(made, left, gone, rounds=1)
    assert together(left)


def test_charters_of_others_are_not_weighed_without_end() -> None:
    """A peer proposes with the same players, which needs nobody's agreement, and lets none of them count."""
    made, gone, left = stopped("move")
    host = left[0]
    before = len(host.session.own.charters)
    made.filter = lambda source, to, message: []
    flood(made, gone, host, range(2, 80))
    assert len(host.session.own.charters) == before + WEIGHED
    made.do(host, host.session.propose_again())  # with the same players: so it weighs that again
    flood(made, gone, host, range(80, 200))
    assert len(host.session.own.charters) == before + 2 * WEIGHED
    made.filter = lambda source, to, message: [message]
    propose(made, left, gone, rounds=8)
    assert together(left)


def test_charters_of_one_peer_do_not_use_up_what_is_weighed_of_the_others() -> None:
    """The others sign what a cheat offers, so all that it uses up bears their names too; two rounds of
    their programs' own proposals are enough, though no player wishes anything any more."""
    made, gone, left = stopped("move", 5)
    silent = left.pop()  # it never signs, so nothing that the cheat offers counts
    made.kill(silent)
    made.settle()
    made.filter = lambda source, to, message: []
    for host in left:
        made.do(host, host.session.go_on({gone.key: ABSENT, silent.key: ABSENT}))
    made.filter = lambda source, to, message: [message]
    for host in left:
        flood(made, gone, host, range(3, 20 + WEIGHED))
        made.settle()
    for host in left * 2:
        made.do(host, host.session.propose_again())
        made.settle()
    assert together(left)


def test_charter_that_counts_finds_room_among_those_of_a_cheat() -> None:
    """One peer has signed it, and then so many of the cheat's that it has forgotten it."""
    made, gone, left = stopped("move", 3)
    far, near = left
    made.filter = lambda source, to, message: []
    flood(made, gone, far, range(2, 3 + GATHERED))
    flood(made, gone, near, range(2, 3))
    kept = next(data for data in far.session.own.charters if decode(Charter, data).number == 2)
    assert kept not in far.session.council.gatherings.open
    made.filter = lambda source, to, message: [message]
    signed = {host.key: host.session.own.charters[kept] for host in left}
    signed[gone.key] = made.signers[gone.number].sign("charter", kept)
    whole = pack(Record("charter", kept, tuple(signed[key] for key in sorted(signed))))
    made.do(near, near.session.receive(gone.key, whole))
    made.settle()
    assert near.transcript.seating.charter.number == 2
    propose(made, left, gone, rounds=1)
    assert together(left)
