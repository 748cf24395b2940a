"""The identity: shown, made, carried over, renamed."""

from __future__ import annotations

import json
from pathlib import Path

from tests.client.conftest import Run


def _fingerprint(run: Run) -> str:
    fingerprint: str = json.loads(run("identity", "--json").stdout)["fingerprint"]
    return fingerprint


def test_it_is_made_at_the_first_look_and_stays(run: Run, home: Path) -> None:
    first = json.loads(run("identity", "--json").stdout)
    assert first == json.loads(run("identity", "show", "--json").stdout)
    assert first["file"] == str(home / "identity.key")
    assert first["fingerprint"] in run("identity").stdout
    assert len(bytes.fromhex(first["key"])) == 32


def test_exported_and_imported_elsewhere_it_is_the_same(run: Run, home: Path, tmp_path: Path) -> None:
    before = _fingerprint(run)
    assert run("identity", "export", tmp_path / "key.pem").exit_code == 0
    (home / "identity.key").unlink()
    assert _fingerprint(run) != before
    refused = run("identity", "import", tmp_path / "key.pem")
    assert refused.exit_code == 1
    assert "another identity" in refused.stderr
    assert run("identity", "import", tmp_path / "key.pem", "--force").exit_code == 0
    assert _fingerprint(run) == before


def test_an_export_overwrites_nothing_unasked(run: Run, tmp_path: Path) -> None:
    there = tmp_path / "key.pem"
    there.write_text("mine")
    result = run("identity", "export", there)
    assert result.exit_code == 1
    assert "nothing was written" in result.stderr
    assert there.read_text() == "mine"
    assert run("identity", "export", there, "--force").exit_code == 0
    assert "PRIVATE KEY" in there.read_text()


def test_what_is_no_identity_is_not_imported(run: Run, tmp_path: Path) -> None:
    odd = tmp_path / "odd.pem"
    odd.write_text("nothing")
    for path in (odd, tmp_path / "none.pem"):
        result = run("identity", "import", path)
        assert result.exit_code == 1
        assert str(path) in result.stderr


def test_a_new_name(run: Run) -> None:
    assert run("identity", "rename", "Ann").exit_code == 0
    assert "name         Ann" in run("identity").stdout
    assert run("identity", "rename", "\x1b[2J").exit_code == 1
