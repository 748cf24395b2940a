"""The router by UPnP (discovery 4): what it may answer, what is believed, and that nothing is left behind."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
import trio

from oaknet_protocol.nat import Forwarded, RouterFault, errand, forward, forwarding, upnp, words
from oaknet_protocol.nat.errand import Errand, Router, external, find, open_port
from oaknet_protocol.nat.upnp import Upnp
from tests.protocol import namespaces
from tests.protocol.fake_router import FakeRouter, running

miniupnpc = pytest.importorskip("miniupnpc", reason="needs the extra oaknet[nat]")

PORT = 4711


@pytest.fixture
def fake() -> Iterator[FakeRouter]:
    with running() as router:
        yield router


def finder(fake: FakeRouter) -> Callable[[], Router]:
    """Finds the fake router by its address instead of by a search."""

    def at() -> Router:
        found: Router = miniupnpc.UPnP()
        found.selectigd(fake.url)  # type: ignore[attr-defined]
        return found

    return at


def way(fake: FakeRouter) -> Callable[[], tuple[Upnp]]:
    return lambda: (Upnp(fake.url),)


def fault(fake: FakeRouter, port: int = PORT) -> str:
    with pytest.raises(RouterFault) as caught:
        open_port(finder(fake)(), port)
    said = str(caught.value)
    assert said.isprintable()
    assert fake.mappings == {}
    return said


def test_a_router_that_works(fake: FakeRouter) -> None:
    assert open_port(finder(fake)(), PORT) == Forwarded("203.0.112.9", PORT, words.LEASE, "UPnP")
    assert fake.mappings[str(PORT)]["NewInternalClient"] == "127.0.0.1"
    assert fake.mappings[str(PORT)]["NewProtocol"] == "TCP"


def test_725_asks_for_a_mapping_without_end(fake: FakeRouter) -> None:
    fake.only_permanent = True
    assert open_port(finder(fake)(), PORT) == Forwarded("203.0.112.9", PORT, 0, "UPnP")
    assert fake.added() == [(PORT, words.LEASE), (PORT, 0)]


@pytest.mark.parametrize("code", [718, 729])
def test_a_port_of_another_is_left_to_it(fake: FakeRouter, code: int) -> None:
    fake.codes = [code, code, 0]
    assert open_port(finder(fake)(), PORT).port == PORT + 2


@pytest.mark.parametrize("code", [718, 729])
def test_all_ports_taken(fake: FakeRouter, code: int) -> None:
    fake.codes = [code]
    assert fault(fake) == words.TAKEN
    assert [port for port, _ in fake.added()] == list(range(PORT, PORT + errand.PORTS_TRIED))


def test_the_last_port_has_no_next_one(fake: FakeRouter) -> None:
    fake.codes = [718]
    assert fault(fake, 65535) == words.TAKEN
    assert [port for port, _ in fake.added()] == [65535]


def test_a_mapping_left_from_an_earlier_time_is_taken_over(fake: FakeRouter) -> None:
    fake.codes = [718]
    fake.mappings[str(PORT)] = {
        "NewInternalClient": "127.0.0.1",
        "NewInternalPort": str(PORT),
        "NewLeaseDuration": "0",
    }
    assert open_port(finder(fake)(), PORT) == Forwarded("203.0.112.9", PORT, 0, "UPnP")


@pytest.mark.parametrize("code", [402, 501, 606, 999])
def test_a_router_that_refuses(fake: FakeRouter, code: int) -> None:
    fake.codes = [code]
    assert fault(fake) == words.REFUSED


def test_725_even_for_one_without_end(fake: FakeRouter) -> None:
    fake.codes = [725]
    assert fault(fake) == words.REFUSED


def test_html_instead_of_an_answer(fake: FakeRouter) -> None:
    fake.html = True
    assert "does not tell its public address" in fault(fake)


@pytest.mark.parametrize(
    "address", ["192.168.1.2", "10.0.0.1", "172.20.0.1", "100.64.3.4", "169.254.1.1", "127.0.0.1"]
)
def test_a_router_behind_a_router(fake: FakeRouter, address: str) -> None:
    fake.external = address
    said = fault(fake)
    assert f"behind another one (its address, {address}, is not public)" in said
    assert "IPv6" in said
    assert fake.added() == []


@pytest.mark.parametrize("address", ["", "nonsense", "\x1b[2J", "::1", "1.2.3", "203.0.112.9.1", "x" * 5000])
def test_an_address_that_is_none(fake: FakeRouter, address: str) -> None:
    fake.external = address
    assert "does not tell its public address" in fault(fake)


@pytest.mark.parametrize("lie", [("192.0.2.1", str(PORT)), ("127.0.0.1", "80"), ("127.0.0.1", "x"), ("", "")])
def test_what_it_says_is_not_believed_unseen(fake: FakeRouter, lie: tuple[str, str]) -> None:
    fake.shows = lie
    assert fault(fake) == words.UNTRUE


def test_a_mapping_that_it_says_it_made_and_does_not_have(fake: FakeRouter) -> None:
    fake.forgets = True
    assert fault(fake) == words.UNTRUE


def test_no_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "miniupnpc", None)
    with pytest.raises(RouterFault, match=r"oaknet\[nat\]"):
        find()


@pytest.mark.trio
async def test_the_mapping_is_renewed_and_removed_at_the_end(
    fake: FakeRouter, nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forwarding, "RENEW_LIMIT", 0.05)
    monkeypatch.setattr(forwarding, "_LEAST_PAUSE", 0.05)
    async with trio.open_nursery() as inner:
        forwarded = await inner.start(lambda **how: forward(PORT, ways=way(fake), **how))
        assert forwarded == Forwarded("203.0.112.9", PORT, words.LEASE, "UPnP")
        assert str(PORT) in fake.mappings
        with trio.fail_after(5):
            while len(fake.added()) < 2:  # noqa: ASYNC110
                await trio.sleep(0.01)
        assert set(fake.added()) == {(PORT, words.LEASE)}
        inner.cancel_scope.cancel()
    assert fake.mappings == {}


@pytest.mark.trio
async def test_a_router_that_never_answers(fake: FakeRouter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forwarding, "TIME", 0.3)
    monkeypatch.setattr(upnp, "CLEAN_UP_TIME", 0.1)
    fake.silent.set()
    began = trio.current_time()
    with pytest.raises(RouterFault) as caught:
        await forward(PORT, ways=way(fake))
    assert str(caught.value) == words.SILENT
    assert trio.current_time() - began < 2


@pytest.mark.trio
async def test_who_gives_up_while_the_router_thinks_leaves_nothing_behind(fake: FakeRouter) -> None:
    asked, go_on = trio.Event(), trio.Event()
    token = trio.lowlevel.current_trio_token()

    def thinking(about: str) -> None:
        if about == "AddPortMapping":
            trio.from_thread.run_sync(asked.set, trio_token=token)
            trio.from_thread.run(go_on.wait, trio_token=token)

    fake.before = thinking
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lambda: forward(PORT, ways=way(fake)))
        await asked.wait()
        nursery.cancel_scope.cancel()
        go_on.set()
    assert fake.mappings == {}
    assert fake.asked[-1][0] == "DeletePortMapping"


@pytest.mark.trio
async def test_a_router_that_goes_away_does_not_hold_us_up(
    fake: FakeRouter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upnp, "CLEAN_UP_TIME", 0.2)
    async with trio.open_nursery() as nursery:
        await nursery.start(lambda **how: forward(PORT, ways=way(fake), **how))
        fake.silent.set()
        began = trio.current_time()
        nursery.cancel_scope.cancel()
    assert trio.current_time() - began < 1


@pytest.mark.trio
async def test_a_process_that_breaks_is_a_router_that_does_not_answer(
    fake: FakeRouter, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = Upnp(fake.url)
    monkeypatch.setattr(sys, "executable", "false")
    with pytest.raises(RouterFault) as caught:
        await asking.open(PORT, PORT)
    assert str(caught.value) == words.SILENT
    monkeypatch.undo()
    assert (await asking.open(PORT, PORT)).port == PORT, "another one is started the next time"
    await asking.close(PORT, PORT)
    assert fake.mappings == {}


def test_what_failed_is_looked_for_anew_and_what_was_granted_is_kept_until_the_end(fake: FakeRouter) -> None:
    sought = 0

    def seeking() -> Router:
        nonlocal sought
        sought += 1
        return finder(fake)()

    running = Errand(seeking)
    granted = {"host": "203.0.112.9", "port": PORT, "lease": words.LEASE}
    assert running.do(["open", PORT, PORT]) == running.do(["open", PORT, PORT]) == granted
    assert sought == 1
    fake.codes = [501]
    fake.mappings.clear()
    assert running.do(["open", PORT, PORT]) == {"fault": words.REFUSED, "absent": False}
    fake.codes = []
    assert running.do(["open", PORT, PORT]) == granted
    assert running.do(["external"]) == {"host": "203.0.112.9"}
    assert sought == 2
    assert running.do(["close"]) == {}
    assert fake.mappings == {}


def test_a_router_is_found_by_a_search() -> None:
    """In a network that has nothing but the fake router."""
    if reason := namespaces.missing():
        pytest.skip(reason)
    network = 'ip link set lo up multicast on; ip route add default dev lo; exec "$@"'
    paths = os.pathsep.join(str(namespaces.ROOT / part) for part in ("", "protocol", "client"))
    done = subprocess.run(
        ["unshare", "-n", "sh", "-c", network, "sh", sys.executable, "-m", "tests.protocol.fake_router"],
        cwd=namespaces.ROOT,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [str(Forwarded("203.0.112.9", PORT, words.LEASE, "UPnP")), "{}"]


@pytest.mark.parametrize("step", ["discover", "selectigd"])
def test_where_no_router_answers_that_is_said(monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    class Deaf:
        def __getattr__(self, name: str) -> Callable[[], None]:
            return self.fail if name == step else lambda: None

        def fail(self) -> None:
            raise Exception("Success")  # what miniupnpc says when it has found nothing

    monkeypatch.setattr(miniupnpc, "UPnP", Deaf)
    with pytest.raises(RouterFault) as caught:
        find()
    assert str(caught.value) == words.NO_ROUTER


def test_the_public_address_alone(fake: FakeRouter) -> None:
    assert external(finder(fake)()) == "203.0.112.9"
