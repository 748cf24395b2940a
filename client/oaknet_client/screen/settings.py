"""The settings, written as soon as they are changed; and the name, asked for at the very first start."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from oaknet_client.config import CONFIRM, checked, put, read_config
from oaknet_client.failures import Failure
from oaknet_client.screen.form import Field, Form, Pick, Write
from oaknet_client.screen.page import Page, Row

ASKS = {
    "turn": "every turn waits for Enter",
    "draw": "only what leads to a draw waits for Enter",
    "never": "everything is sent at once",
}
SWITCH = (("true", "yes"), ("false", "no"))


def port(text: str) -> str:
    """A port, or nothing for any; raises `Failure`."""
    if not text:
        return ""
    return str(checked("port", int(text) if text.isascii() and text.isdigit() and len(text) < 6 else -1))


class SettingsForm(Form):
    """All of ``config.toml``."""

    def __init__(self) -> None:
        super().__init__("Settings")

    def begin(self) -> None:
        config = self.config
        self.values = {
            "name": config.name,
            "theme": self.oak.theme,
            "confirm": config.confirm,
            "port": str(config.port) if config.port else "",
            "bell": str(config.bell).lower(),
            "ascii": str(config.ascii).lower(),
        }

    def fields(self) -> Sequence[Field]:
        themes = tuple((name, name) for name in sorted(self.oak.available_themes))
        asks = tuple((value, ASKS[value]) for value in CONFIRM)
        return (
            Write("name", "n", "Your name", lambda text: str(checked("name", text)), "", "Others see it."),
            Pick("theme", "t", "Colours", themes),
            Pick("confirm", "c", "Sending", asks, "What is sent cannot be taken back."),
            Pick("bell", "b", "Bell", SWITCH, "Whether it rings when it is your turn after a wait."),
            Pick(
                "ascii",
                "a",
                "ASCII alone",
                SWITCH,
                "For terminals without lines and signs; from the next screen on.",
            ),
            Write("port", "p", "Port", port, "any", "Where tables of yours listen, if it is free."),
        )

    def changed(self, name: str) -> None:
        value: str | int = self.values[name]
        if name in ("bell", "ascii"):
            value = value == "true"
        elif name == "port":
            value = int(value or 0)
        put(name, value)
        app = self.oak
        app.config = replace(read_config(), ascii=app.config.ascii)
        if name == "theme":
            app.apply_theme()


class NamePage(Page):
    """The first thing that is asked."""

    HELP_TEXT = "Type the name that others shall see, and press Enter.\n\nEsc or ? closes this."

    def __init__(self) -> None:
        super().__init__("Welcome to oaknet")

    def rows(self) -> Iterable[Row]:
        yield Row("What shall others call you?", live=False)

    def ready(self) -> None:
        self.write("name", self.config.name)

    def explain(self) -> None:
        """Say what the name is for."""
        self.say("Enter takes the name; the settings change it at any time.")

    def written(self, what: str, text: str) -> None:
        app = self.oak
        try:
            put("name", text.strip())
            app.config = replace(read_config(), ascii=app.config.ascii)
        except (Failure, OSError) as error:
            from oaknet_client.failures import explain

            self.say(explain(error).sentence, wrong=True)
        else:
            self.dismiss()

    def action_back(self) -> None:
        """The name of the login will do for now."""
        self.dismiss()
