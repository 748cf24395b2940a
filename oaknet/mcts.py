"""A bot that looks ahead: Monte Carlo tree search over any game, from the kernel alone (engine 7.5).

The answers of the question at hand race each other (`oaknet.race`). Below them grows a tree, one answer a
playout; it is max-n: whoever is asked takes what is best for itself. From its leaf the game is played out by
a base policy. Nothing here knows a game: what counts are the points at the end of a playout, or, where a game
can tell what a position promises, its prospects a few draws from here, which hang far less on luck. All in
whole numbers, so that the same seed and the same number of playouts give the same answer everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from oaknet.kernel import CHANCE, Ask, Game, Option, Rng, root
from oaknet.kernel.rng import sample
from oaknet.kernel.statistics import Prospects
from oaknet.race import PERCENT, Race

Policy: TypeAlias = Callable[[Game[Any], int, Rng], Option]
"""Answers the question that waits for a seat, and leaves the game as it is."""

More: TypeAlias = Callable[[], bool]
"""Whether to think on, asked before each playout: the engine has no clock, so time is kept by the caller."""

SCALE = 1 << 10
"""Means are compared in so many parts of a point."""


@dataclass(frozen=True, slots=True)
class Strength:
    """How hard a bot thinks.

    ``playouts`` are those for one answer, ``breadth`` the answers that race at a time, ``doubt`` by how many
    hundredths of a standard error an answer must beat the one that the base policy would give. ``care`` is
    the share, in percent, of a playout's answers that the base policy gives; the others are drawn. A playout
    ends after ``horizon`` answers of players (0: at the end of the game), and where the game has prospects,
    before chance is asked for the ``draws``-th time, draws in a row counting as one (0: they are not used).
    In the tree ``explore`` weighs, in percent of the range of rewards, what was tried seldom; below a
    position visited n times it has at most 1 + sqrt(``widen`` n / 100) of the answers, or of what chance may
    give (0: there is no tree, the playout begins after the first answer). Of a hundred answers ``slips`` are
    drawn without a thought.
    """

    playouts: int
    breadth: int = 8
    doubt: int = 100
    care: int = 100
    horizon: int = 0
    draws: int = 0
    explore: int = 50
    widen: int = 10
    slips: int = 0


EASY = Strength(playouts=8, doubt=0, care=10, horizon=12, slips=20)
NORMAL = Strength(playouts=16)
HARD = Strength(playouts=200)

NORMAL_JUDGED = Strength(playouts=16, doubt=0, draws=1, widen=0)
HARD_JUDGED = Strength(playouts=100, doubt=0, draws=2, widen=0)
"""For games with prospects: a playout of few answers hangs little on luck, and a tree has no place in it."""


class Luck:
    """What chance answers in one playout: a stream for each thing it is asked about, so that two lines of
    play meet the same cards as far as they draw from the same decks. ``rng`` is for the players. Asked for
    the ``draws``-th time, draws in a row counting as one, it has run out (0: never)."""

    def __init__(self, seed: bytes, draws: int = 0) -> None:
        self.rng = Rng(seed)
        self._seed = seed
        self._streams: dict[str, Rng] = {}
        self._left = draws or -1
        self._drawing = False

    def next(self, game: Game[Any]) -> Ask | None:
        """The question to answer next; None if the game is over or luck has run out."""
        if not game.pending:
            return None
        ask = game.pending[0]
        if ask.seat == CHANCE and not self._drawing:
            self._left -= 1
        self._drawing = ask.seat == CHANCE
        return ask if self._left else None

    def draw(self, ask: Ask) -> Option:
        """The answer to a question to chance."""
        stream = self._streams.get(ask.about)
        if stream is None:
            stream = self._streams[ask.about] = Rng(self._seed + ask.about.encode())
        return sample(stream, ask)


class Node:
    """A position of the tree: how often it was visited, what that was worth to the seat whose answer led to
    it, the answers tried here, and those still to try, the next one last."""

    __slots__ = ("children", "total", "untried", "visits")

    def __init__(self) -> None:
        self.visits = self.total = 0
        self.children: dict[Option, Node] = {}
        self.untried: list[Option] | None = None


class Search:
    """The search for one answer of ``seat``: `playout` as often as there is time, then ask for the `best`.

    ``game`` must not change meanwhile.
    """

    def __init__(
        self,
        game: Game[Any],
        seat: int,
        rng: Rng,
        base: Policy,
        strength: Strength,
        prospects: Prospects | None = None,
    ) -> None:
        ask = game.asked(seat)
        assert ask is not None, f"seat {seat} is not asked"
        self._game, self._seat, self._base, self._strength = game, seat, base, strength
        self._prospects = prospects if strength.draws else None
        self._rng = rng
        self._seed = rng.word().to_bytes(8, "big")
        self._root = Node()
        self._race = Race(self._order(game, ask), strength.breadth)
        self._least = self._most = 0  # rewards of the seat

    @property
    def decided(self) -> bool:
        """Whether more playouts would change nothing."""
        return self._race.decided

    def best(self) -> Option:
        """The best answer so far."""
        return self._race.best(self._strength.doubt)

    def playout(self) -> None:
        """Follow the tree to an answer not tried yet, play on from there, and remember what came of it."""
        runner = self._race.next()
        seed = self._seed + len(runner.worths).to_bytes(4, "big")
        luck = Luck(seed, self._strength.draws if self._prospects else 0)
        game = self._game.clone(keep=False)
        path, ask = self._descend(game, runner.option, luck)
        self._play_out(game, ask, luck)
        rewards = self._rewards(game)
        own = rewards[self._seat]
        self._least, self._most = min(self._least, own), max(self._most, own)
        for seat, node in path:
            node.visits += 1
            node.total += 0 if seat == CHANCE else rewards[seat]
        self._race.note(runner, own)

    # -- in the tree -----------------------------------------------------------------------------------------

    def _descend(
        self, game: Game[Any], option: Option, luck: Luck
    ) -> tuple[list[tuple[int, Node]], Ask | None]:
        """Answer with ``option``, then along the tree until an answer of a player is new to it; returns the
        nodes, each with the seat whose answer led there, and what is asked next."""
        path: list[tuple[int, Node]] = []
        node, seat = self._root, self._seat
        if not self._strength.widen:
            game.answer(seat, option)
            return path, luck.next(game)
        while True:
            fresh = option not in node.children
            node = node.children.setdefault(option, Node())
            path.append((seat, node))
            game.answer(seat, option)
            ask = luck.next(game)
            if ask is None or (fresh and seat != CHANCE):
                return path, ask
            seat = ask.seat
            option = self._drawn(node, ask, luck) if seat == CHANCE else self._chosen(node, game, ask)

    def _room(self, node: Node) -> bool:
        """Whether the node has been visited often enough for one more child (progressive widening)."""
        return (len(node.children) - 1) ** 2 * PERCENT < self._strength.widen * node.visits

    def _chosen(self, node: Node, game: Game[Any], ask: Ask) -> Option:
        """A player's answer: another one while there is room, else the one with the highest upper bound."""
        if node.untried is None:
            node.untried = self._order(game, ask)[::-1]
        if node.untried and (not node.children or self._room(node)):
            return node.untried.pop()
        reach = (self._most - self._least) * self._strength.explore
        trials = node.visits.bit_length() * SCALE * SCALE

        def bound(option: Option) -> int:
            child = node.children[option]
            return child.total * SCALE // child.visits + reach * root(trials // child.visits) // PERCENT

        return max(node.children, key=bound)

    def _drawn(self, node: Node, ask: Ask, luck: Luck) -> Option:
        """An answer of chance; where the visits are not worth another one, one of those known."""
        if not node.children or self._room(node):
            return luck.draw(ask)
        pairs = zip(ask.options, ask.weights, strict=True)
        known = [(option, weight) for option, weight in pairs if option in node.children]
        options, weights = zip(*known, strict=True)
        return luck.draw(Ask(CHANCE, ask.about, options, weights))

    def _order(self, game: Game[Any], ask: Ask) -> list[Option]:
        """The answers in the order to try them: the base policy's own, then the others in a drawn order."""
        options = [ask.options[i] for i in self._rng.shuffled(len(ask.options))]
        if self._strength.care:
            favourite = self._base(game, ask.seat, self._rng)
            options.remove(favourite)
            options.insert(0, favourite)
        return options

    # -- below it --------------------------------------------------------------------------------------------

    def _play_out(self, game: Game[Any], ask: Ask | None, luck: Luck) -> None:
        """Play on from this question by the base policy and drawn answers, as far as a playout goes."""
        base, care, left = self._base, self._strength.care, self._strength.horizon or -1
        while ask is not None and left:
            if ask.seat == CHANCE:
                option = luck.draw(ask)
            else:
                left -= 1
                if care == PERCENT or (care and luck.rng.below(PERCENT) < care):
                    option = base(game, ask.seat, luck.rng)
                else:
                    option = ask.options[luck.rng.below(len(ask.options))]
            game.answer(ask.seat, option)
            ask = luck.next(game)

    def _rewards(self, game: Game[Any]) -> list[int]:
        """What a position is worth to each seat: its lead over the best of the others, in points, or where
        prospects are used in hundredths of one."""
        judge = self._prospects if self._prospects else game.rules.score
        points = judge(game.state)
        others = [[*points[:seat], *points[seat + 1 :]] for seat in range(len(points))]
        return [own - max(rest, default=0) for own, rest in zip(points, others, strict=True)]


def think(
    game: Game[Any],
    seat: int,
    rng: Rng,
    base: Policy,
    strength: Strength,
    prospects: Prospects | None = None,
    more: More | None = None,
) -> Option:
    """The answer of ``seat`` after the strength's number of playouts, or fewer if ``more`` says that it is
    enough, or if a single answer is left that could be the best."""
    if strength.slips and rng.below(PERCENT) < strength.slips:
        ask = game.asked(seat)
        assert ask is not None, f"seat {seat} is not asked"
        return ask.options[rng.below(len(ask.options))]
    search = Search(game, seat, rng, base, strength, prospects)
    for _ in range(strength.playouts):
        if search.decided or (more is not None and not more()):
            break
        search.playout()
    return search.best()
