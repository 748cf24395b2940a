"""The games: pure, deterministic engines with no input or output of their own."""

__version__ = "0.1.0"
