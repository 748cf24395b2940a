"""Broichan, the rival of the game for one: he asks nobody, he draws cards and follows his rules (oak 14).

He plays in the second place of the table and is kept as a `Player`, so that temples, branches and tips count
him like anybody; board, resources and hand of that player stay unused. His creatures, shrines and artifacts
lie face up before him, the artifacts among the completed ones, and only tips look at them.
"""

from __future__ import annotations

from oaknet.kernel import Deck, draw
from oaknet.oak.bag import draw_ingredients
from oaknet.oak.box import Box
from oaknet.oak.branches import ARMS, above, behind, climber, height, open_spaces, step, tip, tip_points
from oaknet.oak.cards import refill
from oaknet.oak.dusk import after
from oaknet.oak.forest import EMPTY
from oaknet.oak.queries import occupied, shrine_cards
from oaknet.oak.state import Broichan, Player, State, move, new_player
from oaknet.oak.tables import (
    ARTIFACT_TILES,
    CREATURE_CARDS,
    ELDER_SHRINE,
    ELDERS,
    KINDS,
    KNOWLEDGE,
    MOOTS,
    MYSTICISM,
    POTIONS_BREWED,
    REGULAR,
    REGULAR_SHRINE,
    RITUAL,
    ROOTS,
    SHRINES,
    STORYTELLING,
    TEMPLE,
    WISDOM,
    WORSHIP,
)

YOU, HIM = 0, 1
"""The places of the game for one."""

# -- setup ---------------------------------------------------------------------------------------------------


def rival(box: Box) -> tuple[Player, Broichan]:
    """Broichan at the start: no board, no resources, nine druids on the roots, six cards shuffled (oak
    14.2)."""
    p = new_player(box)
    p.place = [ROOTS] * box.play.druids
    p.resources = [0, 0, 0]
    return p, Broichan(Deck(ACTIONS))


# -- Day -----------------------------------------------------------------------------------------------------


async def act(s: State) -> None:
    """His turn: with no druid on the roots, or after you have passed, he passes; else he draws a card and
    places a druid in its temple, or steps up its branch (oak 14.4, 14.5)."""
    p = s.players[HIM]
    if ROOTS not in p.place or s.players[YOU].passed:
        p.passed = 1
        return
    card = await draw_card(s.broichan[0])
    temple = MOOTS[card].temple
    space = free_space(s, temple)
    if space < 0 and open_spaces(s, HIM, temple):
        await climb(s, temple)
        return
    move(p, p.place.index(ROOTS), TEMPLE, space if space >= 0 else neutral_space(s, temple))
    await ACTIONS[card](s)


async def draw_card(his: Broichan) -> int:
    """Draw his next card onto the face-up ones, which are shuffled first if the deck is used up; deck and
    face-up cards run on over the rounds (oak 14.5)."""
    if not len(his.deck):
        his.deck.shuffle_under(his.discards)
        his.discards.clear()
    card = await draw(his.deck, "broichan-card")
    his.discards.append(card)
    return card


def neutral_space(s: State, temple: int) -> int:
    """Where the neutral druid of a temple stands."""
    return next(space for space in s.neutrals if space // 3 == temple)


def free_space(s: State, temple: int) -> int:
    """The first space of a temple without any druid, clockwise from the neutral one; -1 if there is none
    (oak 14.5)."""
    stones = neutral_space(s, temple) % 3 + 1
    for _ in KINDS:
        stones = after(s.box.temples.clockwise, stones)
        if not occupied(s, temple * 3 + stones - 1):
            return temple * 3 + stones - 1
    return -1


async def gather(s: State) -> None:
    """Once he has passed he takes the ingredient closest to the top left, clockwise, and needs no druid for
    it (oak 14.7)."""
    space = next((i for i, ingredient in enumerate(s.forest) if ingredient != EMPTY), -1)
    if space < 0:
        s.idle += 1
        return
    s.players[HIM].ingredients[s.forest[space]] += 1
    s.forest[space] = EMPTY
    s.idle = 0
    await use_sets(s)


# -- what his cards do ---------------------------------------------------------------------------------------


async def use_artifacts(s: State) -> None:
    """Storytelling: he loses 4 points, never below 0 (oak 14.6)."""
    p = s.players[HIM]
    p.ledger[ARTIFACT_TILES] -= min(s.box.broichan.loss, p.vp)


async def upgrade(s: State) -> None:
    """Worship: a regular druid of his becomes an elder that he lacks, never the Ancient (oak 14.6)."""
    p = s.players[HIM]
    left = [kind for kind in ELDERS if kind not in p.kind]
    if left and REGULAR in p.kind:
        p.kind[p.kind.index(REGULAR)] = left[0]


async def take_creature(s: State) -> None:
    """Knowledge: he takes the creature with the highest number and gains or, down to 0, loses its points (oak
    14.6)."""
    if not s.creatures:
        return
    p, card = s.players[HIM], max(s.creatures)
    s.creatures.remove(card)
    p.creatures.append(card)
    p.ledger[CREATURE_CARDS] += max(s.box.creatures.vp[card - 1], -p.vp)
    await refill(s.creature_deck, s.creatures, s.box.cards.display, "creature-display")


async def brew_or_draw(s: State) -> None:
    """Wisdom: he brews the largest Darkwood he can; if none, he draws 2 ingredients (oak 14.6)."""
    if not brew_darkwood(s):
        await draw_ingredients(s, HIM, s.box.broichan.draw)
        await use_sets(s)


async def take_artifact(s: State) -> None:
    """Mysticism: he takes the artifact with the highest number and gains its points (oak 14.6)."""
    if not s.artifacts:
        return
    p, tile = s.players[HIM], max(s.artifacts)
    s.artifacts.remove(tile)
    p.flipped.append(tile)
    p.ledger[ARTIFACT_TILES] += s.box.artifacts.vp
    await refill(s.artifact_stack, s.artifacts, s.box.cards.display, "artifact-display")


async def build_shrine(s: State) -> None:
    """Ritual: he takes a shrine, laid for 2 points the first time, then for 4, and so on in turn (oak
    14.6)."""
    if not shrine_cards(s):
        return
    p = s.players[HIM]
    side = REGULAR_SHRINE if len(p.shrines) % 2 else ELDER_SHRINE
    p.shrines.append(side)
    p.ledger[SHRINES] += s.box.cards.shrine[side]


ACTIONS = {
    STORYTELLING: use_artifacts,
    WORSHIP: upgrade,
    KNOWLEDGE: take_creature,
    WISDOM: brew_or_draw,
    MYSTICISM: take_artifact,
    RITUAL: build_shrine,
}
"""What is at the bottom of each of his cards, in the rulebook's order."""


def brew_darkwood(s: State) -> bool:
    """Brew the largest Darkwood that his ingredients allow, for its points and a marker; whether there was
    one (oak 14.6, 14.11)."""
    p = s.players[HIM]
    kinds = [i for i, n in enumerate(p.ingredients) if n]
    sizes = [(size, points) for size, points in s.box.potions.darkwood if size <= len(kinds)]
    if not sizes:
        return False
    size, points = max(sizes)
    give_back(s, kinds[:size])
    p.markers += 1
    p.ledger[POTIONS_BREWED] += points
    return True


# -- Solstice Festival ---------------------------------------------------------------------------------------


async def festival(s: State) -> None:
    """If he is behind the sun he draws an ingredient for each of his druids on branches, tips included; what
    sets he has then wait until the Festival is over for all (oak 14.8)."""
    if behind(s, HIM):
        await draw_ingredients(s, HIM, sum(climber(s.players[HIM], branch) >= 0 for branch in KINDS))


# -- Oak branches --------------------------------------------------------------------------------------------


async def use_sets(s: State) -> None:
    """As long as he has 3 ingredients of a kind and a branch to climb, he returns them to the bag and takes a
    step (oak 14.9)."""
    p, size = s.players[HIM], s.box.broichan.set
    while (branch := choose_branch(s)) >= 0:
        kind = next((i for i, n in enumerate(p.ingredients) if n >= size), -1)
        if kind < 0:
            return
        give_back(s, [kind] * size)
        await climb(s, branch)


def give_back(s: State, ingredients: list[int]) -> None:
    """Return ingredients of his to the crane bag."""
    for ingredient in ingredients:
        s.players[HIM].ingredients[ingredient] -= 1
        s.bag[ingredient] += 1


def choose_branch(s: State) -> int:
    """The branch that he climbs with a set: the one whose tip would give him most now, then the one where he
    is closest to the top, then the leftmost; where no tip is open to him, one whose step brings a Festival,
    then the leftmost. -1 if he can climb none (oak 14.9)."""
    branches = [branch for branch in KINDS if open_spaces(s, HIM, branch)]
    best = {branch: max(tips) for branch in branches if (tips := open_tips(s, branch))}
    if best:
        return max(best, key=lambda branch: (best[branch], -steps_to_top(s, branch), -branch))
    return max(branches, key=lambda branch: (brings_festival(s, branch), -branch), default=-1)


def his_space(s: State, branch: int) -> int:
    """The space of his druid on a branch; 0, the roots, if there is none."""
    druid = climber(s.players[HIM], branch)
    return s.players[HIM].space[druid] if druid >= 0 else 0


def open_tips(s: State, branch: int) -> list[int]:
    """What the tips of a branch that are not locked, and that he can still reach, would give him now."""
    space, fork = his_space(s, branch), len(s.box.branches.stem[branch])
    arms = (0, 1) if space <= fork else ((space - fork - 1) % 2,)
    return [tip_points(s, HIM, branch, arm) for arm in arms if not s.locked[branch * 2 + arm]]


def steps_to_top(s: State, branch: int) -> int:
    """Steps from his druid, or from the roots, to the tip."""
    top = height(s.box, branch, tip(s.box, branch, 0))
    return top - height(s.box, branch, his_space(s, branch))


def brings_festival(s: State, branch: int) -> bool:
    """Whether his step on a branch would pass a solar token and move the sun onto a Solstice space."""
    passes = s.tokens[branch] > 0 and s.box.branches.token[branch] in above(
        s.box, branch, his_space(s, branch)
    )
    return passes and s.sun < len(s.box.sun.level) and s.sun + 1 in s.box.sun.solstice


async def climb(s: State, branch: int) -> None:
    """Take a step: at the fork onto the arm whose open tip would give him more now, else the left one; points
    and sun as for anybody (oak 14.10)."""
    druid = climber(s.players[HIM], branch)
    if druid < 0:
        druid = s.players[HIM].place.index(ROOTS)
    spaces = open_spaces(s, HIM, branch)
    space = spaces[0]
    if len(spaces) == len(ARMS):
        worth = [-1 if s.locked[branch * 2 + arm] else tip_points(s, HIM, branch, arm) for arm in (0, 1)]
        space = spaces[worth.index(max(worth))]
    await step(s, HIM, druid, branch, space)
