"""What all our screens share: colours, ASCII, keys that leave, and faults that become sentences."""

from __future__ import annotations

from rich.segment import Segment
from textual.app import App
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.color import Color
from textual.filter import LineFilter
from textual.message import Message
from textual.screen import ModalScreen, Screen, ScreenResultType

from oaknet_client.config import Config
from oaknet_client.failures import Failure, explain

COMMON: tuple[BindingType, ...] = (
    Binding("question_mark", "help", "Help", key_display="?"),
    Binding("q", "leave", "Quit"),
    Binding("ctrl+q", "leave", "Quit", show=False, priority=True),
    Binding("ctrl+c", "interrupt", "Stop", show=False, priority=True),
)
"""The keys that every screen of ours has, last in its footer."""


class AsciiFilter(LineFilter):
    """Everything on the screen in ASCII, whatever widget it comes from."""

    def __init__(self) -> None:
        super().__init__()
        from oaknet_client.boards.glyphs import ascii_only  # the boards know the games, which load slowly

        self._plain = ascii_only

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Each segment in as many cells as before."""
        return [Segment(self._plain(text), style, control) for text, style, control in segments]


class Once(Screen[ScreenResultType]):
    """A screen over another that is closed once: what comes when it is gone already, or has another one over
    it, closes nothing else."""

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        if not self.is_active:
            return AwaitComplete()
        return super().dismiss(result)


class Dialog(Once[ScreenResultType], ModalScreen[ScreenResultType]):
    """Such a screen that leaves the one below to be seen."""


class Resized(Message):
    """The room for the board has changed."""


class OakApp(App[None]):
    """``fault`` is what went wrong, to be told once the terminal is as it was."""

    TITLE = "oaknet"
    CSS = """
    #turn { height: 1; background: $primary; color: $text; text-style: bold; padding: 0 1; }
    #status { height: 1; color: $text-muted; padding: 0 1; }
    #middle { height: 1fr; }
    #table { width: 1fr; height: 1fr; padding: 0 0 0 1; }
    #tabs { height: 1; }
    #board { height: 1fr; background: $background; }
    #side { width: 46; border-left: solid $primary; padding: 0 0 0 1; }
    .-wide #side { width: 36; }
    .-narrow #side { width: 29; }
    HelpScreen, RulesScreen { align: center middle; }
    #help { width: 70; height: auto; max-height: 90%; border: round $primary; padding: 0 1; }
    #help { background: $surface; }
    #rules { width: 90%; max-width: 120; height: 90%; border: round $primary; background: $surface; }
    #entries { width: 26; height: 1fr; border: none; }
    #entry { width: 1fr; height: 1fr; padding: 0 1; }
    #wanted { height: 3; }
    """

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide"), (160, "-vast")]
        self.VERTICAL_BREAKPOINTS = [(0, "-low"), (30, "-high")]
        self.fault: Failure | None = None
        self.config = config
        if config.ascii:
            self._filters.append(AsciiFilter())

    def apply_theme(self) -> str:
        """Take the theme that the settings name; a sentence if there is none of that name."""
        wanted = self.config.theme
        if wanted in self.available_themes:
            self.theme = wanted
        elif wanted:
            return f"There is no theme {wanted!r}; Ctrl-P lists those there are."
        return ""

    def action_leave(self) -> None:
        """Leave."""
        self.exit(return_code=0)

    def action_interrupt(self) -> None:
        """Leave as Ctrl-C does anywhere."""
        self.exit(return_code=130)

    # -- when the screen itself fails ------------------------------------------------------------------------

    def _handle_exception(self, error: Exception) -> None:
        """Keep what went wrong, to be told in a sentence once the terminal is as it was."""
        if self.fault is None:
            self.fault = explain(error)
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """Close without the traceback that Textual would print."""
        self._close_messages_no_wait()

    def _print_error_renderables(self) -> None:
        self._exit_renderables.clear()
