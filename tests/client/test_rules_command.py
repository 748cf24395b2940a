"""oaknet rules: names found, texts and numbers shown, data files, JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oaknet import registry
from oaknet_client.lookup import folded
from tests.client.conftest import Run
from tests.protocol.mesh import Mesh


def test_without_a_name_all_chapters_are_listed(run: Run) -> None:
    shown = run("rules").stdout
    assert shown == run("rules", "oak").stdout
    for name in ("moot cards: Storytelling", "Clurichaun", "Golden Kettle", "Darkwood", "Broichan's cards"):
        assert name in " ".join(shown.split())
    assert max(map(len, shown.splitlines())) <= 78


def test_a_card_is_shown_with_its_numbers_and_their_marks(run: Run) -> None:
    assert run("rules", "oak", "clurichaun").stdout.splitlines() == [
        "Clurichaun (creatures)",
        "When you brew, you pay in full and then take 1 ingredient of those back,",
        "whichever you like.",
        "  points  3 (assumed)",
        "  amount  1 (source)",
        "",
        "source: published with the rules.",
        "assumed: published nowhere, our value; --data takes a file corrected from your box.",
    ]


def test_parts_of_a_list_have_marks_of_their_own(run: Run) -> None:
    assert "  points lost by use  0 (assumed), 1 (assumed), 3 (source)\n" in run("rules", "ring").stdout


def test_lists_of_lists_are_told_apart(run: Run) -> None:
    assert "  tips left and right  vp, elder; creature, potion; shrine, artifact (assumed)" in (
        run("rules", "tips").stdout
    )


@pytest.mark.parametrize(
    ("words", "first"),
    [
        (("oak", "Golden", "Kettle"), "Golden Kettle (artifacts)"),
        (("oak", "leanan sidhe"), "Leanan sídhe (creatures)"),
        (("PUCA",), "Pùca (creatures)"),
        (("talon master",), "Talon-Master (elders)"),
        (("groach",), "Groac'h (creatures)"),
        (("fox",), "Order of the Fox (orders)"),
        (("orders",), "Order of the Bee (orders)"),
        (("five_towers", "auction"), "Auction (rules)"),
        (("five_towers", "9"), "9 (cards)"),
    ],
)
def test_names_are_found(run: Run, words: tuple[str, ...], first: str) -> None:
    assert run("rules", *words).stdout.splitlines()[0] == first


def test_words_that_several_names_have_show_all_of_them(run: Run) -> None:
    shown = run("rules", "oak", "golden").stdout.splitlines()
    assert [row for row in shown if row.endswith(")") and not row.startswith(" ")] == [
        "Golden Kettle (artifacts)",
        "Golden Sickle (artifacts)",
    ]


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("golden ketle",), "Did you mean Golden Kettle"),
        (("clurichan",), "Did you mean Clurichaun"),
        (("unseely",), "Did you mean The Unseelie Court"),
        (("five_towers", "auctoin"), "Did you mean Auction?"),
        (("xyzzy",), "oaknet rules oak lists all names."),
        (("five_towers", "chess"), "oaknet rules five_towers lists all names."),
        (("\x1b[2J",), "Oak has nothing called '?[2J'"),
    ],
)
def test_a_name_that_is_none_is_met_with_the_nearest(run: Run, words: tuple[str, ...], hint: str) -> None:
    result = run("rules", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert hint in result.stderr


def test_json_has_every_entry(run: Run) -> None:
    facts = json.loads(run("rules", "oak", "--json").stdout)
    assert len(facts) == len(registry.entries(registry.rules("oak")))
    (ring,) = json.loads(run("rules", "oak", "ring", "--json").stdout)
    assert ring["game"] == "oak"
    assert ring["chapter"] == "artifacts"
    assert ring["text"].startswith("You repeat an action")
    assert ring["numbers"][1] == {
        "label": "points lost by use",
        "value": [0, 1, 3],
        "origin": ["assumed", "assumed", "source"],
        "data": "artifacts.loss.10",
    }


def test_a_data_file_replaces_the_numbers(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "oak.toml"
    text = registry.data_text("oak").replace("loss = { value = 4", "loss = { value = 5")
    path.write_text(text, encoding="utf-8")
    assert "he loses 5 points" in run("rules", "broichan's cards", "--data", path).stdout
    path.write_text(text.replace("[sun]", "[moon]"), encoding="utf-8")
    result = run("rules", "tips", "--data", path)
    assert (result.exit_code, result.stdout) == (1, "")
    assert str(path) in result.stderr


def test_a_game_without_texts_says_so(run: Run) -> None:
    assert run("rules", "market").stdout == "There is nothing to look up about Market.\n"


def test_names_are_compared_without_accents_and_signs() -> None:
    assert folded("Slúagh na  Marbh") == "sluagh na marbh"
    assert folded("Arduinna's Yan-Gant-Y-Tan") == "arduinnas yan gant y tan"


@pytest.mark.parametrize(
    ("typed", "word", "offered"),
    [("oaknet rules fi", "2", ["five_towers"]), ("oaknet rules oak clu", "3", ["Clurichaun"])],
)
def test_names_complete(
    run: Run, monkeypatch: pytest.MonkeyPatch, typed: str, word: str, offered: list[str]
) -> None:
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", word)
    monkeypatch.setenv("_OAKNET_COMPLETE", "bash_complete")
    assert [line.split(",")[1] for line in run().stdout.splitlines()] == offered


# -- at a table ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def solo_log() -> bytes:
    """A whole game of Oak alone, as its one peer holds it."""
    mesh = Mesh(registry.rules("oak"), [("Ann",)], salt="rules").start().play()
    return mesh.log(mesh.peers[0])


@pytest.fixture
def solo(tmp_path: Path, solo_log: bytes) -> Path:
    path = tmp_path / "solo.oak"
    path.write_bytes(solo_log)
    return path


def test_with_a_log_it_is_told_who_has_a_card(run: Run, solo: Path) -> None:
    rows = run("rules", "creatures", "--log", solo).stdout.splitlines()
    assert "  your rival has it" in rows
    assert "  on display" in rows
    assert "  in the deck" in rows
    assert "  A Ann has its board" in run("rules", "orders", "--log", solo).stdout


def test_with_a_log_json_has_the_holders(run: Run, solo: Path) -> None:
    facts = json.loads(run("rules", "moot cards", "--log", solo, "--json").stdout)
    held = {entry["name"]: entry["held"] for entry in facts}
    assert held["Ritual"][0]["seat"] == 0
    assert held["Heart of the Oak card"] == []


def test_a_log_of_another_game_is_refused(run: Run, solo: Path, log: Path) -> None:
    result = run("rules", "five_towers", "auction", "--log", solo)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "this is a log of Oak" in result.stderr
    assert run("rules", "auction", "--log", log).stdout.startswith("Auction (rules)")
