"""What the home screen finds: tables on the disk, tables nearby; and looking around in threads."""

from __future__ import annotations

import datetime
import json
import os
import threading
from pathlib import Path

import pytest
from textual.widgets import OptionList

from oaknet_client.around import Mine, Nearby, News, mine, nearby
from oaknet_client.errand import Errand
from oaknet_client.feed import Seat
from oaknet_client.lookout import Lookout
from oaknet_client.notes import Notes
from oaknet_client.players import FILE, edited
from oaknet_protocol import journal
from oaknet_protocol.announcement import OpenTable, PrivateTable
from oaknet_protocol.discovery import NO_INTERFACE, Found, Lan, Seen
from oaknet_protocol.invite import Invite, key_hash
from tests.client.homes import at_home

BEN, EVE = bytes([2]) * 32, bytes([3]) * 32
NOON = datetime.datetime(2026, 11, 30, 12, 0)


def shelve(home: Path, log_bytes: bytes, name: str = "one", own: str = "Ann") -> Path:
    """Put a log among our tables, as a table at which we sit; gives the log's path."""
    folder = home / "tables" / name
    folder.mkdir(parents=True)
    path = folder / journal.LOG
    path.write_bytes(log_bytes)
    opening = journal._log_records(path)[0][0]
    notes = Notes(b"s" * 16, b"k" * 16, (Seat(own),)).written()
    record = [opening.data.hex(), opening.signatures[0].hex()]
    (folder / "table.json").write_text(json.dumps({"opening": record, "notes": notes}))
    for file in folder.iterdir():
        os.utime(file, (NOON.timestamp(), NOON.timestamp()))
    return path


def test_finished_tables_are_looked_over_and_others_gone_on_with(home: Path, log_bytes: bytes) -> None:
    assert mine() == Mine()
    path = shelve(home, log_bytes)
    shelve(home, log_bytes[: len(log_bytes) // 2], "two")
    shelve(home, log_bytes[:700], "three", own="Ben")
    (home / "tables" / "four").mkdir()
    (home / "tables" / "four" / "table.json").write_text("nonsense")
    odd = shelve(home, log_bytes, "five")
    odd.unlink()
    odd.mkdir()  # a table of which the system lets us read nothing takes none of the others away
    (home / "tables" / "six").mkdir()
    (home / "tables" / "six" / "table.json").write_text("[" * 100_000)
    found = mine()
    assert [errand.line for errand in found.finished] == ["5 Towers with Ben"]
    assert found.finished[0].arguments == ("replay", "--", str(path))
    assert found.finished[0].more.endswith(" steps, 2026-11-30 12:00")
    assert {errand.arguments[0] for errand in found.unfinished} == {"resume"}
    assert all(errand.more.endswith(", since 2026-11-30 12:00") for errand in found.unfinished)
    assert [errand.more.split()[0] for errand in found.unfinished].count("step") >= 1


def near(opener: bytes, name: str = "Dan") -> Found:
    table = OpenTable(opener[:16], "five_towers", 1, 3, key_hash(opener), name, b"s" * 16)
    return Found(name, table, ("192.0.2.1",), 4711)


def test_tables_nearby_say_whose_they_are_and_blocked_openers_are_left_out(home: Path) -> None:
    secret = PrivateTable.of(Invite(b"s" * 16, b"k" * 16))
    with edited(home / FILE) as players:
        players.meet(BEN, "Ben", datetime.date(2026, 11, 30))
    seen = Seen((near(BEN), near(EVE, "[/]\u202e"), Found("x", secret, (), 1)), NO_INTERFACE)
    found = nearby(seen)
    assert [errand.line for errand in found.tables] == ["5 Towers: 1 of 3 seats free"] * 2
    assert found.tables[0].more == "02020202, by Ben, whom you know"
    assert found.tables[1].more == "03030303, by who says to be [/]?"
    assert (found.others, found.trouble) == (1, NO_INTERFACE)
    assert found.tables[0].arguments == ("lan", "--", "02" * 16)
    with edited(home / FILE) as players:
        players.block(players.find("Ben"))
    assert [errand.arguments[-1] for errand in nearby(seen).tables] == ["03" * 16]


@pytest.mark.asyncio
async def test_a_finished_game_is_looked_over_from_its_page(home: Path, log_bytes: bytes) -> None:
    path = shelve(home, log_bytes)
    async with at_home() as h:
        await h.pilot.press("g")
        await h.opened("Games played")
        assert "5 Towers with Ben" in h.text()
        assert h.app.screen.query_one("#rows", OptionList).highlighted == 0
        await h.pilot.press("1")
    assert h.app.errand == Errand(
        ("replay", "--", str(path)), "5 Towers with Ben", h.app.errand.more if h.app.errand else ""
    )


@pytest.mark.parametrize("early", [False, True])
def test_the_lookout_tells_and_ends(home: Path, early: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Lan.__init__, "__defaults__", (tuple,))  # no network beyond this machine
    heard: list[News] = []
    both = threading.Event()

    def tell(news: News) -> None:
        heard.append(news)
        if len(heard) == 2:
            both.set()

    lookout = Lookout(tell)
    lookout.start()
    if early:
        assert lookout.stop()
    else:
        assert both.wait(10)
        assert heard == [Mine(), Nearby(trouble=NO_INTERFACE)]
        lookout.cancel()
        assert lookout.stop()
    assert not [thread for thread in threading.enumerate() if thread.name in ("lookout", "feed")]


def test_a_lookout_that_fails_says_so(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreadable() -> Mine:
        raise OSError(13, "Permission denied", "tables")

    def broken(*_: object) -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr("oaknet_client.around.mine", unreadable)
    monkeypatch.setattr("oaknet_client.around.Lan", broken)
    heard: list[News] = []
    both = threading.Event()

    def tell(news: News) -> None:
        heard.append(news)
        if len(heard) == 2:
            both.set()

    lookout = Lookout(tell)
    lookout.start()
    assert both.wait(10)
    assert lookout.stop()
    assert heard == [
        Mine(trouble="tables: Permission denied."),
        Nearby(trouble="The system refused: Too many open files."),
    ]
