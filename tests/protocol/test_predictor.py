"""Nobody predicts or steers a draw, not even all peers but one: measured, beside a scheme where they do."""

from __future__ import annotations

import pytest

from oaknet.kernel import Rng
from oaknet_protocol import beacon
from oaknet_protocol.beacon import Chain
from oaknet_protocol.session import Session
from oaknet_protocol.signing import Signer
from tests.engine.toys import Market
from tests.protocol.mesh import Mesh, Peer, signer
from tests.protocol.predictor import Held, Scheme, link_by_link, outcome, pieces, seed_of_the_start
from tests.protocol.scenes import entry_in

DRAWS = 2000
SIDES = 6


def within_chance(hits: int, tries: int, chance: float) -> bool:
    """Within 5 standard deviations of chance: one run in a million fails without reason."""
    return abs(hits - tries * chance) < 5 * (tries * chance * (1 - chance)) ** 0.5


def hits(scheme: Scheme, predicting: int, salt: bytes = b"") -> int:
    """How many of 2,000 draws of four peers so many of them guess, with all that was shown before each."""
    table = bytes(31) + b"t"
    keys = [bytes([i]) * 32 for i in range(4)]
    chains = {key: Chain(table, key, b"secret of a peer" + key[:15] + (salt or b"0")) for key in keys}
    held = Held(
        table,
        {key: chains[key] for key in keys[:predicting]},
        {key: [(beacon.LENGTH, chains[key].tip), (beacon.LENGTH - 1, chains[key].share(1))] for key in keys},
    )
    found = 0
    for draw in range(2, DRAWS + 2):
        guess = held.predict(scheme, draw, SIDES)
        links = {key: chains[key].share(beacon.LENGTH - scheme(draw)) for key in keys}
        found += guess == outcome(table, draw, links, SIDES)
        for key in keys:
            held.public[key].append((beacon.LENGTH - draw, chains[key].share(draw)))
            del held.public[key][2:-2]  # the two first and the two last are all that can be of use
    return found


@pytest.mark.parametrize("predicting", [1, 3])
def test_draws_cannot_be_predicted(predicting: int) -> None:
    assert within_chance(hits(link_by_link, predicting), DRAWS, 1 / SIDES)


@pytest.mark.parametrize("predicting", [1, 3])
def test_same_predictor_knows_every_draw_of_a_seed_from_the_start(predicting: int) -> None:
    assert hits(seed_of_the_start, predicting) == DRAWS


def test_same_predictor_knows_every_draw_if_all_predict() -> None:
    assert hits(link_by_link, 4) == DRAWS


class Watched:
    """A real table; before each draw, the moment the last peer's share leaves it, the others predict."""

    def __init__(self, salt: str, predicting: tuple[int, ...]) -> None:
        self.mesh = Mesh(Market(), [("Ann",), ("Bo",), ("Cy",)], salt=salt)
        self.last = self.mesh.peers[2]
        self.predicting = [self.mesh.peers[i] for i in predicting]
        self.tries, self.hits, self.found = 0, 0, 0
        self._seen: list[int] = []
        self.mesh.filter = self._watch
        self.mesh.start().play()

    def _watch(self, source: bytes, to: bytes, message: bytes) -> list[bytes]:
        entry = entry_in(message) if source == self.last.key else None
        if entry is not None and entry.kind == "share" and entry.step not in self._seen:
            steps = [peer.transcript.step for peer in self.predicting]
            if all((step.kind, step.number) == ("share", entry.step) for step in steps):
                self._seen.append(entry.step)
                self._predict(entry.body[0])
        return [message]

    def _predict(self, share: bytes) -> None:
        transcript = self.predicting[0].transcript
        draw = transcript.draw
        held = Held(
            transcript.table,
            {peer.key: _chain(peer) for peer in self.predicting},
            {key: [known] for key, known in transcript.chains._known.items()},
            pieces(*self.predicting),
        )
        links = {peer.key: _chain(peer).share(draw) for peer in self.mesh.peers}
        assert links[self.last.key] == share
        self.tries += 1
        self.found += held.find(self.last.key, link_by_link(draw)) is not None
        guess = held.predict(link_by_link, draw, SIDES)
        self.hits += guess == outcome(transcript.table, draw, links, SIDES)


def _chain(peer: Peer) -> Chain:
    chain = peer.session.own.chain
    assert chain is not None
    return chain


def test_real_peers_hold_nothing_that_gives_a_draw_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions, side files and logs of all but one are searched for the link that is missing."""
    monkeypatch.setattr(beacon, "LENGTH", 64)
    tables = [Watched(str(salt), (0, 1)) for salt in range(18)]
    tries = sum(table.tries for table in tables)
    assert tries > 30
    assert sum(table.found for table in tables) == 0
    assert within_chance(sum(table.hits for table in tables), tries, 1 / SIDES)


def test_the_search_finds_the_link_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the last peer's own memory among what is searched, but not its chain, every draw is known."""
    monkeypatch.setattr(beacon, "LENGTH", 64)
    table = Watched("all", (0, 1))
    peer = table.last
    transcript = peer.transcript
    draw = transcript.draw
    known = {key: [known] for key, known in transcript.chains._known.items()}
    held = Held(transcript.table, {}, known, pieces(peer))
    assert held.find(peer.key, link_by_link(draw)) == _chain(peer).share(draw)
    assert held.find(table.mesh.peers[0].key, link_by_link(draw)) is None


# -- choosing one's chain last -------------------------------------------------------------------------------

TABLES = 100
NONCES = 12


def chosen(mesh: Mesh, who: Signer, *, public: bool) -> bytes:
    """The nonce with which the last peer to sit, by its best guess, is the rules' seat 0 in draw 1.

    With ``public`` the draw were made from the tips that all sits show.
    """
    one = mesh.peers[0].session
    assert one.transcript is not None
    table = one.transcript.table
    tips = {key: sit.tip for key, (sit, _) in one.sits.items()}
    place = sorted([*tips, who.key]).index(who.key)
    for number in range(NONCES):
        nonce = bytes([number]) * 32
        chain = Chain(table, who.key, who.secret("chain", table + nonce))
        seed = beacon.seed(table, 1, {**tips, who.key: chain.tip if public else chain.share(1)})
        if Rng(seed).shuffled(3)[0] == place:
            return nonce
    return bytes(32)


def begins(number: int, *, public: bool) -> bool:
    """Whether the peer that sits last, and chooses its chain, becomes the rules' seat 0."""
    mesh = Mesh(Market(), [("Ann",), ("Bo",), ("Cy",)], salt=f"last {number}")
    late, who = mesh.peers[2], signer(2, f"last {number}")
    mesh.filter = lambda source, to, message: [] if late.key in (source, to) else [message]
    mesh.start()
    nonce = chosen(mesh, who, public=public)
    late.session = Session(who, mesh.rules_for, ("Cy",), nonce, opener=mesh.peers[0].key)
    mesh.filter = lambda source, to, message: [message]
    for peer in mesh.peers[:2]:
        mesh.do(peer, peer.session.connected(late.key))
        mesh.do(late, late.session.connected(peer.key))
    mesh.settle()
    seat = late.transcript.seating.author(late.key)
    if not public:
        return bool(late.transcript.places[0] == seat)
    tips = {key: sit.tip for key, (sit, _) in late.session.sits.items()}
    return Rng(beacon.seed(late.transcript.table, 1, tips)).shuffled(3)[0] == seat


def test_who_sits_last_cannot_choose_to_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beacon, "LENGTH", 24)
    assert within_chance(sum(begins(number, public=False) for number in range(TABLES)), TABLES, 1 / 3)


def test_it_could_if_the_draw_were_made_from_the_tips(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beacon, "LENGTH", 24)
    assert sum(begins(number, public=True) for number in range(40)) > 36


def test_draws_are_even_when_one_peer_always_gives_its_share_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """It sees all the others' shares first, and can still only give its own or none."""
    monkeypatch.setattr(beacon, "LENGTH", 24)
    counts: dict[tuple[int, ...], int] = {}
    for number in range(120):
        mesh = Mesh(Market(), [("Ann",), ("Bo",), ("Cy",)], salt=f"even {number}")
        last = mesh.peers[2].key
        held: list[tuple[bytes, bytes]] = []

        def hold(source: bytes, to: bytes, message: bytes) -> list[bytes]:
            entry = entry_in(message) if source == last else None  # noqa: B023 - used in this round only
            if entry is None or entry.kind != "share":
                return [message]
            held.append((to, message))  # noqa: B023 - likewise
            return []

        mesh.filter = hold
        mesh.start()
        assert [peer.transcript.due() for peer in mesh.peers[:2]] == [(mesh_seat(mesh, last),)] * 2
        for to, message in held:
            mesh.links[last, to].append(message)
        mesh.settle()
        places = mesh.peers[0].transcript.places
        counts[places] = counts.get(places, 0) + 1
    assert len(counts) == 6
    assert sum((count - 20) ** 2 / 20 for count in counts.values()) < 25.7  # 5 degrees of freedom, 0.0001


def mesh_seat(mesh: Mesh, key: bytes) -> int:
    seat = mesh.peers[0].transcript.seating.author(key)
    assert seat is not None
    return int(seat)
