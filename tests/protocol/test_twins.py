"""Two programs with one key: the second is turned away as long as the first one answers (session 6.3)."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from oaknet_protocol.identity import Identity
from oaknet_protocol.node import Joined, Left, News, Node
from oaknet_protocol.session import Session, opening
from oaknet_protocol.tls import Invitation
from oaknet_protocol.transport import ANSWER_TIME, DEAD_AFTER, Answer, ConnectFault, Link, Listener, connect
from oaknet_protocol.verify import rules_named
from tests.engine.toys import Market
from tests.protocol.wires import Cable, Hub, Players

RULES = rules_named({"market": Market()})


class Table:
    """Alice's table, which programs of Bob's come to."""

    def __init__(self, players: Players, folder: Path) -> None:
        self.players = players
        self.told: list[News] = []
        self.bob = players.bob.key
        session = Session(players.alice.signer, RULES, ("Alice",), bytes(32), opener=players.alice.key)
        self.node = Node(session, folder, self.told.append, absent="wait")
        self.node.open(opening(players.alice.signer, Market(), 2, {}, "test", bytes(32)))
        self.hub: Hub
        self.listener: Listener

    async def listen(self, nursery: trio.Nursery) -> None:
        self.hub, self.listener = await self.players.hub(nursery, self.node.attend, self._admit)

    async def _admit(self, _: str, key: bytes, program: bytes) -> Answer:
        return Answer.WELCOME if await self.node.alone(key, program) else Answer.TWIN

    def program(self) -> Invitation:
        """Another program of Bob's, which has loaded the same key by itself."""
        return self.players.invited(Identity.load(self.players.bob.path))

    async def come(self, nursery: trio.Nursery, program: Invitation) -> tuple[Link, Cable]:
        """A link of Bob's, read until it is over, and the cable below it."""
        cable = self.hub.plug()
        link = await connect(nursery, cable, program, self.players.alice.key)
        nursery.start_soon(_read, link)
        await wait_all_tasks_blocked()
        return link, cable

    def joined(self) -> list[str]:
        return [type(news).__name__ for news in self.told if isinstance(news, Joined | Left)]


async def _read(link: Link) -> None:
    async for _ in link:
        pass


@pytest.fixture
async def table(tmp_path: Path, nursery: trio.Nursery) -> AsyncIterator[Table]:
    made = Table(Players(tmp_path), tmp_path)
    await made.listen(nursery)
    yield made
    made.node.close()
    nursery.cancel_scope.cancel()


@pytest.mark.trio
async def test_second_program_of_a_key_is_turned_away_at_once_and_the_first_stays(
    table: Table, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, _ = await table.come(nursery, table.program())
    begin = trio.current_time()
    with pytest.raises(ConnectFault) as caught:
        await table.come(nursery, table.program())
    assert caught.value.step == "twin"
    assert str(caught.value).startswith("This identity is already at the table from another program")
    assert trio.current_time() - begin < ANSWER_TIME
    await trio.sleep(2 * DEAD_AFTER)
    assert first.why is None
    assert table.joined() == ["Joined"]


@pytest.mark.trio
async def test_second_program_takes_the_place_of_one_that_does_not_answer(
    table: Table, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    """As after a power cut, and on another computer while the first one sleeps."""
    _, cable = await table.come(nursery, table.program())
    cable.lost = True
    program = table.program()
    begin = trio.current_time()
    second, _ = await table.come(nursery, program)
    assert trio.current_time() - begin == ANSWER_TIME
    await trio.sleep(2 * DEAD_AFTER)
    assert second.why is None
    assert table.node.links[table.bob].program == program.program
    assert table.joined() == ["Joined", "Joined"]


@pytest.mark.trio
async def test_same_program_is_back_without_a_pause_whatever_became_of_its_link(
    table: Table, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    program = table.program()
    _, cable = await table.come(nursery, program)
    cable.lost = True
    begin = trio.current_time()
    second, _ = await table.come(nursery, program)
    third, _ = await table.come(nursery, program)
    assert trio.current_time() == begin
    assert third.why is None
    await wait_all_tasks_blocked()
    assert second.why == "the other side closed it"


@pytest.mark.trio
async def test_program_that_ended_leaves_its_place_at_once(
    table: Table, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, _ = await table.come(nursery, table.program())
    await first.aclose()
    begin = trio.current_time()
    second, _ = await table.come(nursery, table.program())
    assert trio.current_time() == begin
    assert second.why is None
    assert table.joined() == ["Joined", "Left", "Joined"]


@pytest.mark.trio
async def test_of_two_programs_that_come_at_the_same_moment_one_stays(
    table: Table, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    links: list[Link] = []

    async def come(program: Invitation) -> None:
        links.append((await table.come(nursery, program))[0])

    async with trio.open_nursery() as both:
        for program in (table.program(), table.program()):
            both.start_soon(come, program)
    await wait_all_tasks_blocked()
    assert [link.why for link in links].count(None) == 1
    assert table.joined() == ["Joined"]


@pytest.mark.trio
async def test_several_ways_of_one_new_program_leave_one_link(
    table: Table, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    """It knocks at several addresses while the old program is asked: the first that is let in stays."""
    _, cable = await table.come(nursery, table.program())
    cable.lost = True
    program = table.program()
    links: list[Link] = []
    faults: list[str] = []

    async def come(pause: float) -> None:
        await trio.sleep(pause)
        try:
            links.append((await table.come(nursery, program))[0])
        except ConnectFault as fault:
            faults.append(fault.step)

    async with trio.open_nursery() as ways:
        for number in range(4):
            ways.start_soon(come, number / 4)
    assert [link.why for link in links] == [None]
    assert faults == ["twin"] * 3
    assert table.joined() == ["Joined", "Joined"]


@pytest.mark.trio
async def test_late_answer_makes_a_program_one_that_answers_again(
    table: Table, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first = await connect(nursery, table.hub.plug(), table.program(), table.players.alice.key)
    await wait_all_tasks_blocked()
    old = table.node.links[table.bob]
    assert not await old.answers()
    begin = trio.current_time()
    assert not await old.answers()
    assert trio.current_time() == begin
    nursery.start_soon(_read, first)
    await wait_all_tasks_blocked()
    assert not old.silent
    assert await old.answers()
