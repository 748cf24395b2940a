"""What many games say about balance: means and spreads, over all seats and by what tells them apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from oaknet_client.arena import Played

Counts = dict[str, float]


@dataclass(frozen=True, slots=True)
class Column:
    """The seats of many games that have something in common: how many, and mean and standard deviation of
    each count."""

    name: str
    seats: int
    rows: dict[str, tuple[float, float]]

    def record(self) -> dict[str, object]:
        """The documented JSON object."""
        rows = {name: [round(mean, 3), round(spread, 3)] for name, (mean, spread) in self.rows.items()}
        return {"seats": self.seats, **rows}


def tables(results: Sequence[Played]) -> dict[str, list[Column]]:
    """A column of all seats, then one list of columns for each thing that tells seats apart: the seat itself,
    the bot, and what the game says."""
    everything: dict[str, dict[str, list[Counts]]] = {"all": {"all": []}}
    for played in results:
        for seat, bot in enumerate(played.bots):
            counts = _counts(played, seat)
            groups = {"seat": str(seat + 1), "bot": bot, **played.facts[seat].groups}
            everything["all"]["all"].append(counts)
            for group, name in groups.items():
                everything.setdefault(group, {}).setdefault(name, []).append(counts)
    return {
        group: [_column(name, columns[name]) for name in sorted(columns)]
        for group, columns in everything.items()
    }


def _counts(played: Played, seat: int) -> Counts:
    """What is counted of one seat: its share of the victory, its points, and the game's facts."""
    share = 1 / len(played.winners) if seat in played.winners else 0.0
    beside = played.scores[len(played.bots) :]
    rival = {"points against": float(beside[0])} if beside else {}
    return {"games won": share, "points": float(played.scores[seat]), **rival, **played.facts[seat].counts}


def _column(name: str, seats: Sequence[Counts]) -> Column:
    rows: dict[str, tuple[float, float]] = {}
    for row in seats[0]:
        values = [counts[row] for counts in seats]
        mean = sum(values) / len(values)
        square = sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
        rows[row] = mean, math.sqrt(square)
    return Column(name, len(seats), rows)


def lines(results: Sequence[Played]) -> list[str]:
    """The tables for people; those that tell nothing apart are left out."""
    shown = {group: columns for group, columns in tables(results).items() if len(columns) > 1}
    everything = tables(results)["all"]
    rows = ["mean ± standard deviation of one seat"]
    for group, columns in {"all": everything, **shown}.items():
        rows += ["", *_table("" if group == "all" else group, columns)]
    return rows


def _table(group: str, columns: Sequence[Column]) -> list[str]:
    names = list(columns[0].rows)
    width = max(map(len, [group, "seats", *names]))
    cells = [[column.name, str(column.seats), *map(_cell, column.rows.values())] for column in columns]
    wide = [max(map(len, column)) for column in cells]
    rows: list[str] = []
    for i, label in enumerate([group, "seats", *names]):
        row = [f"{column[i]:>{size}}" for column, size in zip(cells, wide, strict=True)]
        rows.append(f"{label:<{width}}  {'  '.join(row)}")
    return rows


def _cell(value: tuple[float, float]) -> str:
    mean, spread = value
    return f"{mean:.2f} ± {spread:.2f}"
