"""What is decided about others: by a person who is asked, or by a policy where nobody is."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from oaknet_client.feed import Decide, Event, Note, Question
from oaknet_client.plain import Plain
from oaknet_client.questions import AGAIN, Policy, Questions
from oaknet_protocol import events
from oaknet_protocol.node import Joined, Overdue
from oaknet_protocol.refused import LocalProtocolError
from oaknet_protocol.table import ABSENT

A, B, C = (bytes([n]) * 32 for n in (1, 2, 3))
NAMES = {A: "Ann", B: "Ben", C: "Cleo"}


class Table:
    """A node of Ann's with as many peers as wished, and what it was told to do."""

    def __init__(self, policy: Policy, *keys: bytes) -> None:
        self.done: list[tuple[Any, ...]] = []
        self.said: list[Event] = []
        self.refuses = False
        transcript = SimpleNamespace(
            table=bytes(32),
            places=tuple(range(len(keys))),
            plays=lambda key: key in keys,
            played=lambda place: True,
            peer=lambda place: keys[place],
            seating=SimpleNamespace(id=bytes([5]) * 32),
        )
        session = SimpleNamespace(
            key=A,
            present=[A],
            cheats={},
            begun=lambda: transcript,
            let_back=lambda key: self.done.append(("back", key)),
            join=lambda charter: self.done.append(("join", charter)),
        )
        node: Any = SimpleNamespace(session=session, go_on=self._go_on, do=lambda happened: None)
        self.questions = Questions(node, self.said.append, policy, NAMES.__getitem__, self._stop)

    def _go_on(self, without: dict[bytes, int]) -> None:
        if self.refuses:
            raise LocalProtocolError("the table has not begun, or is over")
        self.done.append(("without", without))

    def _stop(self) -> None:
        self.done.append(("stop",))

    @property
    def asked(self) -> list[Question]:
        return [event for event in self.said if isinstance(event, Question)]


def test_a_person_is_asked_before_anybody_is_left_out() -> None:
    table = Table("ask", A, B, C)
    table.questions.hear(Overdue(C, 61.0))
    (question,) = table.asked
    assert question.line == "Cleo has been away for 61 seconds, and the table waits."
    assert question.choices == ("Go on without Cleo", "Wait for Cleo")
    assert table.done == []
    assert table.questions.obey(Decide(question.number, 0))
    assert table.done == [("without", {C: ABSENT})]
    table.questions.obey(Decide(question.number, 0))
    assert len(table.done) == 1, "a question is answered once"


def test_who_chose_to_wait_is_asked_again_later() -> None:
    table = Table("ask", A, B, C)
    table.questions.hear(Overdue(C, 600.0))
    table.questions.obey(Decide(table.asked[0].number, 1))
    table.questions.tick(AGAIN - 1)
    assert len(table.asked) == 1
    table.questions.tick(AGAIN + 1)
    assert table.asked[1].line == "Cleo is still away."


def test_a_question_settles_itself_when_they_come_back() -> None:
    table = Table("ask", A, B, C)
    table.questions.hear(Overdue(C, 600.0))
    table.questions.hear(Joined(C))
    assert [question.choices for question in table.asked] == [("Go on without Cleo", "Wait for Cleo"), ()]
    table.questions.obey(Decide(table.asked[0].number, 0))
    assert table.done == []


def test_bots_go_on_or_wait_as_they_were_told() -> None:
    for policy, done in (("go-on", [("without", {C: ABSENT})]), ("wait", [])):
        table = Table(policy, A, B, C)  # type: ignore[arg-type]
        table.questions.hear(Overdue(C, 1.0))
        assert table.done == done
        assert table.said == []


def test_with_nobody_left_bots_stop_and_people_are_asked() -> None:
    table = Table("go-on", A, B)
    table.questions.hear(Overdue(B, 1.0))
    assert table.done == [("stop",)]
    table = Table("ask", A, B)
    table.questions.hear(Overdue(B, 600.0))
    (question,) = table.asked
    assert question.choices == ("Wait for Ben", "Stop here; oaknet resume 00000000 goes on later")
    table.questions.obey(Decide(question.number, 1))
    assert table.done == [("stop",)]


def test_a_proposal_needs_the_players_word() -> None:
    table = Table("ask", A, B, C)
    table.questions.hear(events.Proposed(bytes(32), (C,), (B,)))
    (question,) = table.asked
    assert question.line == (
        "The others propose to go on without Cleo and to let Ben back, who left while a draw waited for them."
    )
    table.questions.obey(Decide(question.number, 1))
    assert table.done == []
    table.questions.hear(events.Proposed(bytes(32), (C,), (), (B,)))
    assert table.asked[-1].line == "Ben proposes to go on without Cleo."
    table.questions.obey(Decide(table.asked[-1].number, 0))
    assert table.done == [("without", {C: ABSENT})]


def test_bots_let_somebody_back_who_owed_a_share_only_once() -> None:
    table = Table("go-on", A, B, C)
    for _ in range(2):
        table.questions.hear(events.Proposed(bytes(32), (), (B,)))
    assert table.done == [("back", B)]


def test_two_parts_of_a_table_meet_under_the_lower_charter() -> None:
    table = Table("go-on", A, B, C)
    table.questions.hear(events.Apart(B, bytes([6]) * 32))
    assert table.done == []
    table.questions.hear(events.Apart(B, bytes([4]) * 32))
    assert table.done == [("join", bytes([4]) * 32)]


def test_what_cannot_be_done_is_a_line() -> None:
    table = Table("go-on", A, B, C)
    table.refuses = True
    table.questions.hear(Overdue(C, 1.0))
    assert table.said == [Note("That cannot be done now: the table has not begun, or is over.")]


@pytest.mark.parametrize(("typed", "chosen"), [("2", 1), ("1", 0)])
def test_by_lines_a_question_is_answered_by_its_number(typed: str, chosen: int) -> None:
    written: list[str] = []
    sent: list[object] = []
    talk = Plain(written.append, sent.append, "turn")
    talk.event(Question(3, "Cleo is away.", ("Go on", "Wait")))
    assert written[-3:] == ["Cleo is away.", "   1  Go on", "   2  Wait"]
    talk.line("9")
    talk.line(typed)
    assert sent == [Decide(3, chosen)]
    assert "Type a number from 1 to 2." in written
    talk.event(Question(4, "Cleo is away.", ("Go on", "Wait")))
    talk.event(Question(4, "", ()))
    talk.line("1")
    assert len(sent) == 1
