"""5 Towers: a round is a reveal, an auction, the winner's building, and tidying up (five towers 2 to 6)."""

from __future__ import annotations

from oaknet.five_towers import numbers, scoring, words
from oaknet.five_towers.auction import bid, decided, highest_bid, winner
from oaknet.five_towers.building import build
from oaknet.five_towers.greedy import best_answers
from oaknet.five_towers.numbers import Box
from oaknet.five_towers.state import AUCTION, BUILD, REVEAL, Player, State, cards_in_play
from oaknet.kernel import Ask, Data, Deck, Game, Option, Options, TableOption, draw


class FiveTowers:
    """The rules of 5 Towers with the numbers of a data file (see `oaknet.kernel.Rules`)."""

    name, title, version = "five_towers", "5 Towers", 1
    options: tuple[TableOption, ...] = ()
    state = State

    def __init__(self, text: str) -> None:
        self.data: Data[Box] = numbers.read(text)
        fewest, most = self.data.box.deck.players
        self.seats = range(fewest, most + 1)

    def setup(self, seats: int, options: Options) -> State:
        """All cards of the game in a shuffled deck, no towers; seat 0 is the first start player
        (five towers 1)."""
        deck = self.data.box.deck
        players = [Player([()] * len(deck.types)) for _ in range(seats)]
        return State(self.data.box, players, Deck(cards_in_play(deck, seats)))

    async def stage(self, s: State) -> None:
        """One reveal, one bid or the building of one winner (five towers 2.1)."""
        if s.phase == REVEAL:
            await reveal(s)
            s.phase = AUCTION
        elif s.phase == AUCTION:
            await bid(s)
            if decided(s):
                award(s)
        else:
            await build(s, winner(s))
            tidy_up(s)

    def over(self, s: State) -> bool:
        """Whether there is nothing left to reveal: the discards have been played through, or all cards were
        taken (five towers 6.4)."""
        return s.phase == REVEAL and not len(s.deck)

    def score(self, s: State) -> tuple[int, ...]:
        """The points of each seat, now (five towers 7)."""
        return scoring.scores(s)

    def winners(self, s: State) -> tuple[int, ...]:
        """The seats with the most points (five towers 7.5)."""
        return scoring.winners(s)

    def breakdown(self, s: State, seat: int) -> dict[str, int]:
        """The points of a seat for cards, topped towers, the highest tower and torn-down cards."""
        return scoring.points(s, seat)

    def stand_in(self, game: Game[State], seat: int) -> Option:
        """The first of the answers that the greedy bot likes best (five towers 8.4)."""
        ask = game.asked(seat)
        assert ask is not None, f"seat {seat} is not asked"
        return best_answers(game.state, ask)[0]

    def say(self, s: State, ask: Ask, option: Option) -> str:
        """What the seat, or chance, does: a clause without its subject, such as ``bids 3 cards``."""
        return words.say(s, ask, option)


async def reveal(s: State) -> None:
    """Turn up five cards, or as many as the deck still has (five towers 2.2)."""
    for _ in range(min(s.box.auction.display, len(s.deck))):
        s.display.append(await draw(s.deck, "reveal"))
    s.display.sort()


def award(s: State) -> None:
    """The highest bidder has to build that many cards; if all passed or the bid is 0, nobody builds
    (five towers 3.6, 3.7)."""
    if highest_bid(s) > 0:
        s.owed = highest_bid(s)
        s.phase = BUILD
    else:
        tidy_up(s)


def tidy_up(s: State) -> None:
    """Discard the rest of the display; the start player's left neighbour starts next (five towers 6.1, 6.2).

    Once the deck is used up, the discards are shuffled and become the deck, but only one time
    (five towers 6.3).
    """
    s.discards = sorted(s.discards + s.display)
    s.display = []
    s.bids = []
    s.start_player = (s.start_player + 1) % len(s.players)
    s.phase = REVEAL
    if not len(s.deck) and s.times_through < s.box.deck.times_through:
        s.times_through += 1
        s.deck.shuffle_under(s.discards)
        s.discards = []
