"""Means and spreads of many games."""

from __future__ import annotations

import json

import pytest

from oaknet.kernel.statistics import Facts
from oaknet_client.arena import Played
from oaknet_client.balance import lines, tables
from tests.client.conftest import Run


def _played(scores: tuple[int, ...], winners: tuple[int, ...], *orders: str) -> Played:
    pairs = [(order, scores[seat]) for seat, order in enumerate(orders)]
    facts = tuple(Facts({"order": order}, {"turns": score + 1}) for order, score in pairs)
    return Played(("greedy", "random")[: len(orders)], scores, winners, facts)


RESULTS = [_played((4, 2), (0,), "bee", "fox"), _played((6, 6), (0, 1), "fox", "bee")]


def test_every_group_has_its_means_and_spreads() -> None:
    found = tables(RESULTS)
    assert list(found) == ["all", "seat", "bot", "order"]
    (everybody,) = found["all"]
    assert everybody.seats == 4
    assert everybody.rows["points"] == pytest.approx((4.5, 1.9149), abs=1e-4)
    assert everybody.rows["games won"] == pytest.approx((0.5, 0.4082), abs=1e-4)
    bee, fox = found["order"]
    assert (bee.name, bee.rows["points"], bee.rows["turns"][0]) == (
        "bee",
        pytest.approx((5, 1.4142), abs=1e-4),
        6,
    )
    assert fox.rows["points"][0] == 4
    assert [column.name for column in found["seat"]] == ["1", "2"]


def test_one_game_has_no_spread() -> None:
    assert tables([RESULTS[0]])["seat"][0].rows["points"] == (4, 0)


def test_a_rival_without_a_seat_is_counted_too() -> None:
    (column,) = tables([_played((30, 41), (), "bee"), _played((50, 31), (0,), "bee")])["all"]
    assert column.rows["points against"][0] == 36
    assert column.rows["games won"][0] == 0.5


def test_the_lines_stand_in_columns_and_leave_out_what_tells_nothing_apart() -> None:
    one = [_played((4, 2), (0,), "bee", "bee")]
    shown = lines(one)
    assert not any(row.startswith("order") for row in shown)
    assert any(row.startswith("seat ") for row in shown)
    tabled = [row for row in shown if row.startswith(("points", "turns", "games"))]
    assert len(tabled) == 9
    assert "points     4.00 ± 0.00  2.00 ± 0.00" in shown


def test_the_arena_prints_them_after_its_table(run: Run) -> None:
    args = ("arena", "oak", "--bots", "greedy,random", "--games", "2", "--workers", "1", "--seed", "b")
    plain, more = run(*args).stdout, run(*args, "--balance").stdout
    assert more.startswith(plain)
    assert "mean ± standard deviation of one seat" in more
    rows = [row.split("  ")[0] for row in more.splitlines()]
    for name in ("turns", "steps", "festivals", "from tips", "order", "seat", "bot"):
        assert name in rows


def test_as_json(run: Run) -> None:
    args = ("arena", "oak", "--bots", "random", "--games", "2", "--workers", "1", "--json")
    assert "balance" not in json.loads(run(*args).stdout)
    balance = json.loads(run(*args, "--balance").stdout)["balance"]
    assert list(balance)[:3] == ["all", "seat", "bot"]
    everybody = balance["all"]["all"]
    assert everybody["seats"] == 2
    assert everybody["points"][0] == pytest.approx(
        sum(values[0] for name, values in everybody.items() if name.startswith("from "))
    )
    assert everybody["points against"][0] > 0
