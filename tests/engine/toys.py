"""Toy games that use what the real ones do not: several seats asked at once, chance inside such a phase."""

from __future__ import annotations

from dataclasses import dataclass, field

from oaknet.kernel import (
    SHARED,
    Ask,
    Data,
    Deck,
    Game,
    Option,
    Options,
    Rule,
    TableOption,
    choose,
    draw,
    together,
)

MARKET = """
[market]
rounds = { value = 4, origin = "source" }
cards = { value = [3, 2, 2], origin = ["source", "assumed", "derived"] }
"""


@dataclass(frozen=True, slots=True)
class MarketNumbers:
    rounds: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MarketBox:
    market: MarketNumbers


@dataclass(slots=True)
class Trader:
    deck: Deck
    points: int = 0
    bids: list[int] = field(default_factory=list)

    def copy(self) -> Trader:
        return Trader(self.deck.copy(), self.points, self.bids[:])


@dataclass(slots=True)
class MarketState:
    box: MarketBox = field(metadata=SHARED)
    traders: list[Trader]
    round: int = 0

    def copy(self) -> MarketState:
        return MarketState(self.box, [t.copy() for t in self.traders], self.round)


class Market:
    """Each round all seats bid at once, then some draw from a deck of their own and may keep the card; the
    lowest bidder is asked for a tip. Everything in one stage a round."""

    name, title, version = "market", "Market", 1
    seats = range(2, 5)
    options = (TableOption("pace", ("slow", "fast"), "fast plays half the rounds"),)
    state = MarketState

    def __init__(self, text: str = MARKET) -> None:
        self.data: Data[MarketBox] = Data.read(MarketBox, text)

    def setup(self, seats: int, options: Options) -> MarketState:
        cards = [kind for kind, n in enumerate(self.data.box.market.cards) for _ in range(n)]
        start = self.data.box.market.rounds // 2 if options["pace"] == "fast" else 0
        return MarketState(self.data.box, [Trader(Deck(cards)) for _ in range(seats)], start)

    async def stage(self, s: MarketState) -> None:
        bids = await together({seat: self.bid(s, seat) for seat in range(len(s.traders))})
        low = min(bids, key=lambda seat: (bids[seat], seat))
        s.traders[low].points += await choose(low, "tip", (0, 1, 2))
        s.round += 1

    async def bid(self, s: MarketState, seat: int) -> int:
        me = s.traders[seat]
        bid = await choose(seat, "bid", (0, 1, 2))
        me.bids.append(bid)
        if bid and len(me.deck):
            card = await draw(me.deck)
            if await choose(seat, "keep", ("yes", "no")) == "yes":
                me.points += card
            me.deck.put_under([card])
        return bid

    def over(self, s: MarketState) -> bool:
        return s.round >= s.box.market.rounds

    def score(self, s: MarketState) -> tuple[int, ...]:
        return tuple(t.points for t in s.traders)

    def winners(self, s: MarketState) -> tuple[int, ...]:
        scores = self.score(s)
        return tuple(seat for seat, points in enumerate(scores) if points == max(scores))

    def breakdown(self, s: MarketState, seat: int) -> dict[str, int]:
        return {"market": s.traders[seat].points}

    def stand_in(self, game: Game[MarketState], seat: int) -> Option:
        ask = game.asked(seat)
        assert ask is not None
        return ask.options[0]

    def say(self, s: MarketState, ask: Ask, option: Option) -> str:
        return f"{ask.about}: {option}"


def _check_types() -> Rule[None]:  # pragma: no cover - read by the type checkers only
    from oaknet.kernel import Rules

    rules: Rules[MarketState] = Market()
    return rules.stage(rules.setup(2, {"pace": "slow"}))
