"""The README's guide to oaknet as a library: its examples do what they say."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8").partition("## As a library")[2]
BLOCKS = re.findall(r"\*\*([^*]+)\.\*\*[^`]*(?:`[^`]*`[^`]*)*?```python\n(.*?)```", README, re.DOTALL)


def test_the_guide_has_its_four_parts() -> None:
    names = [name for name, _ in BLOCKS]
    assert names == ["Play a game in Python", "Write a bot", "Read a log", "Add a game"]
    assert len(BLOCKS) == README.count("```python")


def test_its_examples_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    source = "\n".join(block for _, block in BLOCKS)
    test = doctest.DocTestParser().get_doctest(source, {"__name__": "__main__"}, "README", "README.md", 0)
    outcome = doctest.DocTestRunner().run(test)
    assert outcome.failed == 0, capsys.readouterr().out
    assert outcome.attempted > 25
