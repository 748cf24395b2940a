"""Golden logs verify for ever, and tell what they told when they were made."""

from __future__ import annotations

import pytest

from oaknet.kernel.rules import rules_digest
from oaknet.registry import games, rules
from oaknet_protocol.verify import BadLog, verify
from tests.golden import write_logs

EXPECTED = write_logs.expected()


def test_every_log_has_what_it_must_tell() -> None:
    assert sorted(path.name for path in write_logs.FOLDER.glob("*.oak")) == sorted(EXPECTED)


@pytest.mark.parametrize("name", games())
def test_there_are_logs_of_the_rules_of_today(name: str) -> None:
    """If this fails the rules have changed (versions 2): ``python -m tests.golden.write_logs``."""
    today = rules_digest(rules(name)).hex()
    for log in write_logs.LOGS[name]:
        path = write_logs.file(name, log)
        assert path.name in EXPECTED, f"{path.name} is missing"
        assert EXPECTED[path.name]["rules"] == today, f"{path.name} was made with other rules of this version"


@pytest.mark.parametrize("log", EXPECTED)
def test_a_golden_log_verifies(log: str) -> None:
    """One of an older rules version is told apart from a damaged one."""
    data = (write_logs.FOLDER / log).read_bytes()
    game, version = EXPECTED[log]["game"], int(log.split("-v")[1].split("-")[0])
    if version == rules(game).version:
        assert write_logs.told(data) == EXPECTED[log]
    else:
        with pytest.raises(BadLog, match="needs") as caught:
            verify(data, rules)
        assert caught.value.status == 3
