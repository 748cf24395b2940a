"""Tables between programs of their own: whole games, leaving, killing, coming back, and what goes wrong."""

from __future__ import annotations

import json
import os
import shutil
import signal
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner

from oaknet_client.main import cli
from oaknet_protocol.invite import Invite
from tests.e2e.program import Running, oaknet, verified
from tests.e2e.tables import QUIET, Peer, results, table


def test_three_programs_meet_by_an_invite_and_play_to_the_end(tmp_path: Path) -> None:
    with table(tmp_path, "five_towers", 3) as (players, invite):
        found = results(players)
        assert Invite.parse(invite).addresses
    assert {result["how"] for result in found} == {"finished"}
    assert len({result["log"] for result in found}) == 3
    for result, seen in zip(found, verified(tmp_path, *(Path(one["log"]) for one in found)), strict=True):
        assert (seen["verdict"], seen["transcript"]) == ("valid", result["transcript"])
    for player in players:
        kinds = [event["event"] for event in player.events]
        assert kinds.index("lobby") < kinds.index("start") < kinds.index("step") < kinds.index("result")
        last = [event for event in player.events if event["event"] == "lobby"][-1]
        assert (len(last["seats"]), last["free"]) == (3, 0)
        told = oaknet(player.home, "tables", "--json")
        assert json.loads(told.stdout)["state"] == "finished"


def test_the_opener_dies_and_the_others_finish(tmp_path: Path) -> None:
    with table(tmp_path, "five_towers", 3, "--option", "grace=1") as (players, _):
        opener, *others = players
        for player in others:
            player.drain()
        opener.until("start")
        opener.steps(4)
        opener.kill()
        found = results(others)
    assert {result["how"] for result in found} == {"absent"}
    states = [event["state"] for event in others[0].events if event["event"] == "peer"]
    assert states.count("absent") == 1


def test_two_players_stop_when_one_is_gone_for_good(tmp_path: Path) -> None:
    with table(tmp_path, "five_towers", 2, "--option", "grace=1") as (players, _):
        opener, other = players
        other.drain()
        opener.until("start")
        opener.steps(3)
        opener.kill()
        (result,) = results([other])
    assert (result["how"], result["winner"]) == ("abandoned", [])
    kept = json.loads(oaknet(other.home, "tables", "--json").stdout)
    assert kept["state"] == "unfinished"


def test_killed_and_resumed_again_and_again(tmp_path: Path) -> None:
    with table(tmp_path, "five_towers", 3) as (players, _):
        victim = players[2]
        for player in players[:2]:
            player.drain()
        name = victim.until("start")["table"][:8]
        for count in (1, 2, 5):
            victim.steps(count)
            victim.kill()
            victim.run("resume", name)
            victim.until("start")
        found = results(players)
    assert {result["how"] for result in found} == {"finished"}
    told = [event for player in players for event in player.events if event["event"] == "peer"]
    assert not [event for event in told if event["state"] in ("absent", "cheated", "out-of-time")]


def test_joining_again_goes_on_with_the_seat_one_has(tmp_path: Path) -> None:
    with table(tmp_path, "five_towers", 2) as (players, invite):
        opener, guest = players
        opener.drain()
        guest.until("start")
        guest.steps(2)
        guest.kill()
        guest.run("join", invite)
        found = results(players)
    assert {result["how"] for result in found} == {"finished"}


def test_a_spectator_sees_the_whole_game_and_has_no_seat(tmp_path: Path) -> None:
    with ExitStack() as stack:
        one, two, watcher = (Peer(tmp_path / name, stack) for name in ("one", "two", "watcher"))
        one.run("host", "five_towers", "--no-router")
        invite = one.until("invite")["invite"]
        watcher.run("watch", invite)
        watcher.until("lobby")
        two.run("join", invite)
        found = results([one, two, watcher])
    assert {result["how"] for result in found} == {"finished"}
    keys = [seat["key"] for seat in found[2]["seats"]]
    assert len(keys) == 2
    assert oaknet(tmp_path / "watcher", "tables").stdout.count("finished") == 1


def test_a_table_is_open_in_one_process_only(tmp_path: Path) -> None:
    with table(tmp_path, "five_towers", 2) as (players, _):
        opener, guest = players
        opener.drain()
        name = guest.until("start")["table"][:8]
        second = oaknet(guest.home, "resume", name, *QUIET)
        assert second.returncode == 1
        assert second.stderr == (
            f"oaknet: Another process has the table {name} open. Close that one first, or go on there.\n"
        )
        assert {result["how"] for result in results(players)} == {"finished"}


def test_a_copied_identity_does_not_come_to_the_table_twice(tmp_path: Path) -> None:
    with table(tmp_path, "five_towers", 3) as (players, invite):
        opener, guest, slow = players
        slow.until("start")
        os.killpg(slow.running.process.pid, signal.SIGSTOP)  # so the game waits for it
        name = guest.until("start")["table"][:8]
        opener.drain()
        guest.drain()
        shutil.copytree(guest.home, tmp_path / "copy")
        (tmp_path / "bare").mkdir()
        shutil.copy(guest.home / "identity.key", tmp_path / "bare")
        for home, wish in (("copy", ("resume", name)), ("bare", ("join", invite))):
            second = oaknet(tmp_path / home, *wish, *QUIET)
            assert (second.returncode, second.stderr) == (
                5,
                "oaknet: This identity is already at the table from another program. "
                "Go on there, or end that first.\n",
            )
        os.killpg(slow.running.process.pid, signal.SIGCONT)
        found = results(players)
    assert {result["how"] for result in found} == {"finished"}
    told = [event for player in players for event in player.events if event["event"] == "peer"]
    assert not [event for event in told if event["state"] not in ("connected", "relayed")]


def test_the_opener_may_leave_before_the_start(tmp_path: Path) -> None:
    with ExitStack() as stack:
        ann, ben, cleo = (Peer(tmp_path / name, stack) for name in ("ann", "ben", "cleo"))
        ann.run("host", "five_towers", "--seats", 3, "--no-router")
        ben.run("join", ann.until("invite")["invite"])
        invite = ben.until("invite")["invite"]
        while ben.until("lobby")["free"] != 1:
            pass
        ann.running.process.send_signal(signal.SIGINT)
        assert ann.running.end()[0] == 130
        while ben.until("lobby")["free"] != 2:
            pass
        cleo.run("join", invite, "--bot", "random")  # two seats: Ann's is free again
        found = results([ben, cleo])
    assert {result["how"] for result in found} == {"finished"}


def test_who_is_too_many_is_told_before_sitting_down(tmp_path: Path) -> None:
    with ExitStack() as stack:
        host = Peer(tmp_path / "host", stack)
        host.run("host", "five_towers", "--seats", 3, "--no-router")
        invite = host.until("invite")["invite"]
        done = oaknet(tmp_path / "guest", "join", invite, "--bot", "random", "--bot", "random", *QUIET)
        assert done.returncode == 5
        assert done.stderr == (
            "oaknet: The table has no room for you: only 2 seats are free. oaknet watch follows it.\n"
        )
        host.kill()


@pytest.mark.parametrize(
    ("args", "status", "words"),
    [
        (("join", "oak1nonsense"), 2, "group"),
        (("join", "hello"), 2, "This is no invite."),
        (("host", "chess"), 2, "There is no game 'chess' here"),
        (("host", "five_towers", "--option", "clock=soon"), 2, "none, or seconds of a bank"),
        (("host", "five_towers", "--seat", "you"), 2, "Without a screen nobody can play"),
        (("host", "five_towers", "--private"), 2, "Choose one of --private and --no-lan."),
        (("resume", "ffff"), 1, "There is no table ffff here."),
    ],
    ids=lambda value: value[-1] if isinstance(value, tuple) else "",
)
def test_wrong_wishes_are_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...], status: int, words: str
) -> None:
    monkeypatch.setenv("OAKNET_HOME", str(tmp_path))
    done = CliRunner().invoke(cli, [*args, *QUIET], prog_name="oaknet")
    assert (done.exit_code, done.stderr.count("\n")) == (status, 1)
    assert words in done.stderr
    assert json.loads(done.stdout)["event"] == "error"


def test_nobody_to_be_reached_is_exit_5(tmp_path: Path) -> None:
    with ExitStack() as stack:
        host = Peer(tmp_path / "host", stack)
        host.run("host", "five_towers", "--no-router")
        invite = host.until("invite")["invite"]
        host.kill()
        done = oaknet(tmp_path / "guest", "join", invite, *QUIET)
    assert done.returncode == 5
    assert "nobody listens there. Is the table open?" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX rights")
def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "tables").write_text("a file, where a folder is due")
    done = oaknet(home, "host", "five_towers", "--no-router", *QUIET)
    assert done.returncode == 1
    assert str(home / "tables") in done.stderr
    assert done.stderr.count("\n") == 1


def test_whose_clock_runs_out_is_left_out_and_told_so(tmp_path: Path) -> None:
    with table(tmp_path, "five_towers", 3, "--option", "clock=2+2") as (players, _):
        *others, slow = players
        for player in others:
            player.drain()
        slow.until("start")
        slow.steps(2)  # from here on it is not read, so it stops to think
        found = results(others)
        slow.kill()
    assert {result["how"] for result in found} == {"timed-out"}
    states = [event["state"] for event in others[0].events if event["event"] == "peer"]
    assert "out-of-time" in states


def test_people_talk_by_lines_and_whoever_is_muted_is_not_read(tmp_path: Path) -> None:
    words = ("--plain", "--no-lan")
    with Running(tmp_path / "ann", "host", "five_towers", "--no-router", *words) as ann:
        invite = ann.until("oaknet join ").split()[-1]
        with Running(tmp_path / "ben", "join", invite, "--seat", "you:Ben", *words) as ben:
            ann.until("Ben")
            assert ann.keyboard is not None
            assert ben.keyboard is not None
            ben.until("At the table: ")
            ben.keyboard.write(b"/say [bold]hello[/]\n")
            said = ann.until("Ben says")  # by the letter of the seat too, once it is known
            assert said in (
                "A Ben says: [bold]hello[/]\n",
                "B Ben says: [bold]hello[/]\n",
                "Ben says: [bold]hello[/]\n",
            )
            ann.keyboard.write(b"/mute Ben\n")
            ann.until("What Ben says is not shown any more")
            ben.keyboard.write(b"/say unheard\n")
            ben.until("Ben says: unheard")
            ann.keyboard.write(b"/mute Ben\n")
            ann.until("What Ben says is shown again")
            ben.keyboard.write(b"/say again\n")
            ann.until("Ben says: again")  # whether the other was too late to be muted, the network decides
            ben.keyboard.write(b"/quit\n")
            ann.keyboard.write(b"/quit\n")
            assert (ben.end()[0], ann.end()[0]) == (0, 0)


def test_who_stayed_away_catches_up_and_may_play_again(tmp_path: Path) -> None:
    with table(tmp_path, "oak", 3, "--option", "grace=1") as (players, _):
        first, second, away = players
        first.drain()
        name = away.until("start")["table"][:8]
        away.steps(2)
        away.kill()
        while second.until("peer")["state"] != "absent":
            pass
        away.run("resume", name)
        away.until("peer")  # until then the second is not read, so the game stands still soon
        found = results(players)
    back = [event["state"] for event in second.events if event["event"] == "peer"].count("back")
    # Bots may have played to the end before all three stood alike; whether they did, all say the same.
    assert {result["how"] for result in found} == {"finished" if back else "absent"}
    assert [event["state"] for event in away.events if event["event"] == "peer"].count("back") == back
