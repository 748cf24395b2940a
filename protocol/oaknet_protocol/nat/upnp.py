"""Asking the router by UPnP, through a process of its own (`oaknet_protocol.nat.errand`; discovery 4.2)."""

from __future__ import annotations

import importlib.util
import json
import logging
import subprocess
import sys
from typing import Any, final

import trio

from oaknet_protocol.nat.words import NO_EXTRA, SEARCH_TIME, SILENT, UPNP, Forwarded, RouterFault

CLEAN_UP_TIME = 1
"""Seconds for giving back what nobody wants any more, before the program goes on without it."""

_log = logging.getLogger("oaknet_protocol.nat")


@final
class Upnp:
    """The router that answers to a search, or the one whose description is at ``url`` (`Way`)."""

    name = UPNP

    def __init__(self, url: str = "") -> None:
        self._url = url
        self._errand: trio.Process | None = None

    async def external(self) -> str:
        """The router's public address; raises `RouterFault`."""
        try:
            return str((await self._ask("external"))["host"])
        finally:
            await self._end()

    async def open(self, port: int, outside: int) -> Forwarded:
        """Have a port forwarded; raises `RouterFault`. What is granted after a cancellation is given back."""
        said = await self._ask("open", port, outside)
        return Forwarded(said["host"], said["port"], said["lease"], self.name)

    async def close(self, port: int, outside: int) -> None:
        """Remove the mapping."""
        await self._end()

    async def _ask(self, *question: str | int) -> dict[str, Any]:
        if importlib.util.find_spec("miniupnpc") is None:
            raise RouterFault(NO_EXTRA, absent=True)
        try:
            said = await self._answer(json.dumps(question).encode() + b"\n")
        except trio.BrokenResourceError:
            said = b""
        except BaseException:
            await self._end()
            raise
        if not said.endswith(b"\n"):
            await self._end()
            raise RouterFault(SILENT)
        answer: dict[str, Any] = json.loads(said)
        if "fault" in answer:
            raise RouterFault(answer["fault"], absent=answer["absent"])
        return answer

    async def _answer(self, question: bytes) -> bytes:
        """The line that the process answers; less if it has ended."""
        if self._errand is None:
            self._errand = await trio.lowlevel.open_process(
                [sys.executable, "-m", "oaknet_protocol.nat.errand", self._url, str(SEARCH_TIME)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # a Ctrl-C is for the program that asks, which then ends this one
            )
        assert self._errand.stdin is not None
        assert self._errand.stdout is not None
        await self._errand.stdin.send_all(question)
        said = b""
        while not said.endswith(b"\n") and (more := await self._errand.stdout.receive_some()):
            said += more
        return said

    async def _end(self) -> None:
        """Let the process give back what it was granted; who hangs is killed."""
        errand, self._errand = self._errand, None
        if errand is None:
            return
        with trio.CancelScope(shield=True):
            assert errand.stdin is not None
            assert errand.stdout is not None
            await errand.stdin.aclose()
            await errand.stdout.aclose()
            with trio.move_on_after(CLEAN_UP_TIME):
                await errand.wait()
            if errand.returncode is None:
                _log.info("the router does not answer: the process that asks it is ended")
                errand.kill()
                await errand.wait()
