"""What every game must keep, at every table (engine 1 to 5, 7)."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import msgpack
import pytest

from oaknet import registry
from oaknet.bots import STRENGTHS
from oaknet.kernel import CHANCE, CannotUndo, Game, IllegalChoice, Option, canonical, plain, revive
from oaknet.kernel.ask import Several
from oaknet.kernel.rng import sample
from oaknet_protocol import wire
from tests.contract.tables import LONGEST, TOY, Table, all_tables, bot, one_of, play_out, random_walk, thinker

GAMES = 12
"""So many games a greedy bot plays against random ones, in each seat in turn."""

pytestmark = pytest.mark.parametrize("table", [*all_tables()], ids=str)


def is_option(value: Any, depth: int = 4) -> bool:
    """Whether this may be offered: an int that can be sent, a short ASCII word, or a tuple of these."""
    if type(value) is tuple:
        return depth > 0 and all(is_option(part, depth - 1) for part in value)
    return (type(value) is int and -(2**31) <= value < 2**31) or is_word(value)


def is_word(value: Any) -> bool:
    return type(value) is str and 0 < len(value) <= 40 and value.isascii() and value.isprintable()


def test_questions_offer_two_or_more_plain_and_different_options(table: Table) -> None:
    for nth in range(6):
        for game in random_walk(table, f"options {nth}"):
            for ask in game.pending:
                assert is_word(ask.about), ask
                assert type(ask.options) is tuple
                assert len(ask.options) >= 2, ask
                assert all(map(is_option, ask.options)), ask
                assert len({canonical(option) for option in ask.options}) == len(ask.options), ask


def test_who_is_asked(table: Table) -> None:
    for game in random_walk(table, "seats"):
        seats = [ask.seat for ask in game.pending]
        assert seats == sorted({*seats})
        assert seats == [CHANCE] or all(0 <= seat < table.seats for seat in seats)
        for ask in game.pending:
            assert (ask.seat == CHANCE) is bool(ask.weights)
            assert len(ask.weights) in (0, len(ask.options))
            assert all(type(weight) is int and weight >= 1 for weight in ask.weights)


def test_setting_up_draws_nothing(table: Table) -> None:
    assert table.new().digest() == table.new().digest()


def test_a_clone_has_the_same_digest_and_playing_it_never_changes_the_original(table: Table) -> None:
    rng, kept = table.rng("playing clones"), []
    for game in random_walk(table, "clones"):
        twin, digest = game.clone(), game.digest()
        assert twin.digest() == digest
        assert twin.pending == game.pending
        kept.append((twin, digest))
    for twin, _ in kept[:: 1 + len(kept) // 10]:
        play_out(twin.clone(), rng)
        play_out(twin.clone(keep=False), rng)
    assert all(twin.digest() == digest for twin, digest in kept)


def test_a_throwaway_ends_as_the_game_does(table: Table) -> None:
    for index, game in enumerate(random_walk(table, "throwaways")):
        if index % 40 == 7:
            kept = play_out(game.clone(), table.rng("end"))
            thrown = play_out(game.clone(keep=False), table.rng("end"))
            assert plain(thrown.state) == plain(kept.state)


def test_the_same_answers_give_the_same_digests(table: Table) -> None:
    told: list[tuple[int, Option]] = []
    digests = []
    rng, game = table.rng("same"), table.new()
    while not game.over:
        digests.append(game.digest())
        ask = game.pending[rng.below(len(game.pending))]
        told.append((ask.seat, one_of(rng, ask)))
        game.answer(*told[-1])
    again = table.new()
    for (seat, option), digest in zip(told, digests, strict=True):
        assert again.digest() == digest
        again.answer(seat, option)
    assert again.digest() == game.digest()
    assert len({*digests}) == len(digests), "two positions of one game have the same digest"


def test_the_bytes_of_a_position_made_in_c_are_the_canonical_ones(table: Table) -> None:
    for game in random_walk(table, "bytes"):
        assert wire.canonical(game.position) == canonical(game.plain())


def test_a_saved_game_comes_back_through_json_and_msgpack(table: Table) -> None:
    for index, game in enumerate(random_walk(table, "save")):
        if index % 3 == 0 or game.over:
            saved = game.saved()
            for through in (json.loads(json.dumps(saved)), msgpack.unpackb(msgpack.packb(saved))):
                again = Game.load(table.rules, through)
                assert again.digest() == game.digest()
                assert again.pending == game.pending
                assert again.answers == game.answers


DAMAGE: tuple[Any, ...] = (
    -1,
    0,
    99,
    -(2**40),
    2**70,
    "x",
    "\ud800",
    "",
    None,
    True,
    1.5,
    {},
    [],
    [[]],
    [1, 2],
)


def places(saved: Any, path: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """The path to every part of nested lists."""
    if not isinstance(saved, list):
        return [path]
    return [path, *(inner for i, part in enumerate(saved) for inner in places(part, (*path, i)))]


def test_a_damaged_save_is_refused_or_is_a_position(table: Table) -> None:
    rng, refused = table.rng("damage"), 0
    for index, game in enumerate(random_walk(table, "damage walk")):
        for _ in range(15 if index % 20 == 0 else 0):
            saved = json.loads(json.dumps(game.saved()))
            paths = places(saved)
            *way, last = paths[1 + rng.below(len(paths) - 1)]
            part = saved
            for step in way:
                part = part[step]
            part[last] = DAMAGE[rng.below(len(DAMAGE))]
            try:
                loaded = Game.load(table.rules, saved)
            except ValueError:
                refused += 1
            else:
                assert Game.load(table.rules, loaded.saved()).digest() == loaded.digest()
    assert refused


def test_undo_restores_the_digest_or_is_refused(table: Table) -> None:
    rng, undone = table.rng("undo"), 0
    for game in random_walk(table, "undo walk"):
        for ask in game.pending:
            if ask.seat == CHANCE:
                continue
            twin = game.clone()
            before = twin.digest()
            twin.answer(ask.seat, one_of(rng, ask))
            after = twin.digest()
            if len(twin.answers) != len(game.answers) + 1:
                assert not twin.answers
                with pytest.raises(CannotUndo):  # the stage is over
                    twin.undo(ask.seat)
                assert twin.digest() == after
                continue
            try:
                twin.undo(ask.seat)
            except CannotUndo:
                assert Several in (type(game.pending), type(twin.pending)), "only a phase stands in the way"
                assert twin.digest() == after
            else:
                assert twin.digest() == before
                undone += 1
    assert undone


def test_chance_cannot_be_taken_back(table: Table) -> None:
    rng, draws = table.rng("chance"), 0
    for game in random_walk(table, "chance walk"):
        if game.pending and game.pending[0].seat == CHANCE:
            draws += 1
            twin = game.clone()
            twin.answer(CHANCE, one_of(rng, game.pending[0]))
            after = twin.digest()
            for seat in (None, CHANCE, *range(table.seats)):
                with pytest.raises(CannotUndo):
                    twin.undo(seat)
            assert twin.digest() == after
    assert draws


def test_every_random_game_ends(table: Table) -> None:
    for nth in range(8):
        end = play_out(table.new(), table.rng(f"end {nth}"))
        assert table.rules.over(end.state)
        with pytest.raises(IllegalChoice):
            end.answer(0, 0)


WRONG: tuple[Any, ...] = (
    None,
    True,
    -99,
    2**70,
    1.0,
    "",
    "\x1b[2J",
    b"",
    (),
    ((),),
    [],
    {},
    "no such option",
)


def test_what_is_not_offered_is_refused_and_changes_nothing(table: Table) -> None:
    for index, game in enumerate(random_walk(table, "wrong")):
        if index % 5:
            continue
        before = game.digest()
        for ask in game.pending:
            offered = ask.options[0]
            wrong = [*WRONG, (offered,), [offered], str(offered) + " "]
            for option in wrong:
                with pytest.raises(IllegalChoice):
                    game.answer(ask.seat, option)
        for seat in range(-2, table.seats + 1):
            if game.asked(seat) is None:
                with pytest.raises(IllegalChoice):
                    game.answer(seat, game.pending[0].options[0] if game.pending else 0)
        assert game.digest() == before


def test_every_option_can_be_taken(table: Table) -> None:
    for index, game in enumerate(random_walk(table, "breadth")):
        if index % 3 == 0:
            for ask in game.pending:
                for option in ask.options[:: 1 + len(ask.options) // 16]:
                    twin = game.clone(keep=False)
                    twin.answer(ask.seat, option)
                    assert twin.over == (not twin.pending)


def test_score_and_winners_are_functions_of_the_state(table: Table) -> None:
    rules = table.rules
    for index, game in enumerate(random_walk(table, "score")):
        if index % 4 and not game.over:
            continue
        state, before = game.state, canonical(plain(game.state))
        score = rules.score(state)
        assert len(score) >= table.seats  # those of the seats, then what the rules keep beside them
        assert all(type(points) is int for points in score)
        for seat in range(table.seats):
            parts = rules.breakdown(state, seat)
            assert sum(parts.values()) == score[seat], parts
            assert all(type(points) is int for points in parts.values())
        winners = rules.winners(state)
        assert list(winners) == sorted({*winners})
        assert all(seat in range(table.seats) for seat in winners)
        again = revive(rules.state, json.loads(json.dumps(plain(state))), rules.data.box)
        assert rules.score(again) == score
        assert rules.winners(again) == winners
        assert canonical(plain(state)) == before


def test_a_stand_in_answers_legally_and_always_the_same(table: Table) -> None:
    rules, stood = table.rules, 0
    for index, game in enumerate(random_walk(table, "stand-in")):
        if index % 3:
            continue
        before = game.digest()
        for ask in game.pending:
            if ask.seat != CHANCE:
                option = rules.stand_in(game, ask.seat)
                again = Game.load(rules, json.loads(json.dumps(game.saved())))
                assert canonical(rules.stand_in(again, ask.seat)) == canonical(option)
                game.clone().answer(ask.seat, option)
                stood += 1
        assert game.digest() == before
    assert stood


def test_a_game_of_stand_ins_alone_ends(table: Table) -> None:
    game, rng = table.new(), table.rng("stand-ins")
    for _ in range(LONGEST):
        if game.over:
            break
        ask = game.pending[0]
        absent = ask.seat != CHANCE
        game.answer(ask.seat, table.rules.stand_in(game, ask.seat) if absent else one_of(rng, ask))
    assert game.over


def test_answers_are_said_in_one_plain_line(table: Table) -> None:
    for index, game in enumerate(random_walk(table, "say")):
        if index % 3:
            continue
        before = game.digest()
        for ask in game.pending:
            lines = [table.rules.say(game.state, ask, option) for option in ask.options]
            for line in lines:
                assert line.strip() == line
                assert line
                assert line.isprintable(), line
                assert not {*line} & {*"[]\\"}, f"a screen could take this for markup: {line}"
        assert game.digest() == before


def texts(value: Any) -> list[str]:
    if isinstance(value, list | tuple):
        return [text for item in value for text in texts(item)]
    return [value] if isinstance(value, str) else []


def test_the_state_holds_identifiers_and_no_display_text(table: Table) -> None:
    for game in random_walk(table, "texts"):
        for text in texts(game.plain()):
            assert is_word(text) or not text, text


@pytest.mark.parametrize("kind", ["greedy", "random"])
def test_a_bot_answers_legally_and_leaves_the_game_alone(table: Table, kind: str) -> None:
    player, rng = bot(kind, table.game), table.rng(f"bot {kind}")
    for index, game in enumerate(random_walk(table, f"bots {kind}")):
        if index % 10 == 0:
            before = game.digest()
            for ask in game.pending:
                if ask.seat != CHANCE:
                    option = player(game.clone(), ask.seat, rng)
                    game.clone().answer(ask.seat, option)
            assert game.digest() == before


@pytest.mark.parametrize("kind", sorted(STRENGTHS))
def test_a_bot_that_looks_ahead_answers_legally_and_leaves_the_game_alone(table: Table, kind: str) -> None:
    mind, rng = thinker(kind, table.game), table.rng(f"bot {kind}")
    walk = random_walk(table, f"bots {kind}")
    positions = [game.clone() for game in walk if game.pending and game.pending[0].seat != CHANCE]
    for game in (positions[len(positions) * 2 // 3], positions[-1]):
        before, thoughts = game.digest(), iter(range(2))
        short = replace(mind, more=lambda thoughts=thoughts: next(thoughts, None) is not None)
        game.clone().answer(game.pending[0].seat, short(game, game.pending[0].seat, rng))
        assert game.digest() == before


def test_prospects_are_a_whole_number_a_seat_and_in_the_end_the_points(table: Table) -> None:
    judge = None if table.game == TOY else registry.prospects(table.game)
    if judge is None:
        pytest.skip("the game has no prospects")
    for game in random_walk(table, "prospects"):
        before = game.digest()
        found = judge(game.state)
        assert [type(each) for each in found] == [int] * table.seats
        assert game.digest() == before
        if game.over:
            assert [*found] == [100 * points for points in table.rules.score(game.state)]


def test_the_greedy_bot_beats_random_ones_clearly(table: Table) -> None:
    if table.game == TOY:
        pytest.skip("the toy has no greedy bot")
    won = 0
    for nth in range(GAMES):
        game, rng = table.new(), table.rng(f"contest {nth}")
        while not game.over:
            ask = game.pending[0]
            if ask.seat == nth % table.seats:
                game.answer(ask.seat, bot("greedy", table.game)(game.clone(), ask.seat, rng))
            elif ask.seat == CHANCE:
                game.answer(CHANCE, sample(rng, ask))
            else:
                game.answer(ask.seat, one_of(rng, ask))
        won += table.rules.winners(game.state) == (nth % table.seats,)
    assert won >= GAMES * 3 // 4


def test_looking_at_a_game_does_not_change_it(table: Table) -> None:
    rules, one, other = table.rules, table.new(), table.new()
    rng = table.rng("looking")
    while not one.over:
        repr(one), one.plain(), one.saved(), one.clone(), rules.score(one.state), rules.winners(one.state)
        for ask in one.pending:
            one.asked(ask.seat)
            rules.say(one.state, ask, ask.options[-1])
        rules.breakdown(one.state, 0)
        assert one.digest() == other.digest()
        ask = one.pending[rng.below(len(one.pending))]
        option = one_of(rng, ask)
        one.answer(ask.seat, option)
        other.answer(ask.seat, option)
    assert one.digest() == other.digest()
