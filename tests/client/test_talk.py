"""Who is muted is not read, and who is heard again is."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from oaknet_client.feed import Event, Mute, Note, Said
from oaknet_client.talk import Talk
from oaknet_protocol import events
from oaknet_protocol.node import Node
from tests.engine.toys import Market
from tests.protocol.mesh import Mesh


def test_what_a_muted_peer_says_is_not_shown(tmp_path: Path) -> None:
    mesh = Mesh(Market(), [("Ann",), ("Ben",)]).start()
    told: list[Event] = []
    node = Node(mesh.peers[0].session, tmp_path, lambda news: None)
    talk = Talk(node, cast(Any, None), tmp_path / "players.toml", told.append)
    ben = mesh.peers[1].key

    def said() -> list[str]:
        talk.hear(events.Chatted(ben, "hello"))
        found = [event.text for event in told if isinstance(event, Said)]
        told.clear()
        return found

    assert said() == ["hello"]
    assert talk.obey(Mute("Ben"))
    assert isinstance(told.pop(), Note)
    assert said() == []
    assert talk.obey(Mute("Ben"))
    assert said() == ["hello"]
