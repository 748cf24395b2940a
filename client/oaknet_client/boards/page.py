"""A whole game as one self-contained page: a stepper over its boards, and the points as a curve.

Most rows of a board stay the same from step to step, so the page holds each different row once.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape

from oaknet_client import boards
from oaknet_client.boards.layout import pages
from oaknet_client.boards.palette import DARK, DIMMED, GROUND, TEXT, ink
from oaknet_client.replays import Replay
from oaknet_client.views.records import Line
from oaknet_client.words import inert, seat_name

WIDTH = 132
"""Cells of the board on the page."""

CURVE = (900, 160)
"""Width and height of the curve, in the units of its view box."""

STYLE = """
body { background: %(ground)s; color: %(text)s; margin: 1rem; font: 14px/1.2 'DejaVu Sans Mono', Menlo, Consolas, monospace; }
pre { margin: 0; overflow-x: auto; line-height: 1.2; }
h1 { font-size: 1.2rem; }
button { font: inherit; min-width: 2.5rem; }
#at { width: 100%%; }
#told { min-height: 5em; white-space: pre-wrap; }
svg { width: 100%%; height: 10rem; cursor: pointer; }
svg text { fill: %(dim)s; font-size: 11px; }
details { margin-top: 1rem; white-space: pre-wrap; overflow-wrap: anywhere; }
"""  # noqa: E501 - one rule, one line

SCRIPT = """
"use strict";
const at = document.getElementById("at"), board = document.getElementById("board");
const told = document.getElementById("told"), label = document.getElementById("label");
const cursor = document.getElementById("cursor"), curve = document.getElementById("curve");
const last = game.steps.length - 1;
let playing = 0;
function show(step) {
  step = Math.max(0, Math.min(last, step));
  const here = game.steps[step];
  board.innerHTML = here[0].map(row => game.rows[row]).join("\\n");
  told.textContent = here[1].join("\\n");
  label.textContent = "step " + step + " of " + last + (here[2] ? ", " + here[2] : "");
  at.value = step;
  const x = String(last ? step * game.width / last : 0);
  cursor.setAttribute("x1", x); cursor.setAttribute("x2", x);
  if (step === last) stop();
}
function now() { return Number(at.value); }
function stop() { clearInterval(playing); playing = 0; document.getElementById("play").textContent = "play"; }
function play() {
  if (playing) { stop(); return; }
  if (now() === last) show(0);
  document.getElementById("play").textContent = "stop";
  playing = setInterval(() => show(now() + 1), 500);
}
at.addEventListener("input", () => show(now()));
document.getElementById("first").addEventListener("click", () => show(0));
document.getElementById("back").addEventListener("click", () => show(now() - 1));
document.getElementById("play").addEventListener("click", play);
document.getElementById("next").addEventListener("click", () => show(now() + 1));
document.getElementById("last").addEventListener("click", () => show(last));
curve.addEventListener("click", event => {
  const box = curve.getBoundingClientRect();
  show(Math.round((event.clientX - box.left) / box.width * last));
});
document.addEventListener("keydown", event => {
  if (event.target === at) return;
  if (event.key === "ArrowRight") show(now() + 1);
  if (event.key === "ArrowLeft") show(now() - 1);
});
show(0);
"""


def page(replay: Replay) -> str:
    """The page as text. Nothing in it comes from elsewhere, and nothing in a name can become markup."""
    rows: dict[str, int] = {}
    steps: list[tuple[list[int], list[str], str]] = []
    for position in replay.positions:
        parts = pages(boards.blocks(position.game, replay.seats, None), WIDTH, 10_000)
        drawn = [rows.setdefault(_row(line), len(rows)) for part in parts for line in part.rows]
        steps.append((drawn, list(map(inert, position.lines)), position.chapter))
    game = json.dumps({"rows": list(rows), "steps": steps, "width": CURVE[0]}, ensure_ascii=False)
    names = ", ".join(seat_name(replay.seats, seat) for seat in range(len(replay.seats)))
    title = escape(f"{replay.title}: {names}")
    style = STYLE % {"ground": GROUND[True], "text": TEXT[True], "dim": DIMMED[True]} + _classes()
    verdict = escape("\n".join(map(inert, replay.verdict)))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<h1>{title}</h1>
<p><button id="first" title="the beginning">|&lt;</button>
<button id="back" title="a step back">&lt;</button>
<button id="play">play</button>
<button id="next" title="a step forwards">&gt;</button>
<button id="last" title="the end">&gt;|</button>
<span id="label"></span></p>
<input id="at" type="range" min="0" max="{len(steps) - 1}" value="0" aria-label="step">
{_curve(replay.history)}
<p id="told"></p>
<pre id="board"></pre>
<details><summary>Verdict</summary>{verdict}</details>
<script>
const game = {_inline(game)};
{SCRIPT}</script>
</body>
</html>
"""


def _inline(text: str) -> str:
    """JSON that cannot end the script it stands in."""
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _classes() -> str:
    """A rule for each tone."""
    rules: list[str] = []
    for word in DARK:
        colour, bold = ink(word, dark=True)
        rule = "font-weight: bold;" if word == "strong" else f"color: {colour};"
        rules.append(f".{word} {{ {rule}{' font-weight: bold;' if bold and word != 'strong' else ''} }}")
    return "\n".join(rules)


def _row(line: Line) -> str:
    return "".join(
        f'<span class="{escape(span.tone)}">{escape(span.text)}</span>' if span.tone else escape(span.text)
        for span in line
    )


def _curve(history: Sequence[Sequence[int]]) -> str:
    """The points of each seat as a line of its colour, named at its end."""
    width, height = CURVE
    low = min(0, *(min(scores) for scores in history))
    high = max(low + 1, *(max(scores) for scores in history))
    last = max(1, len(history) - 1)
    parts = [f'<svg id="curve" viewBox="0 0 {width} {height}" preserveAspectRatio="none">']
    for seat in range(len(history[0])):
        points = " ".join(
            f"{step * width / last:.1f},{(high - scores[seat]) * (height - 8) / (high - low) + 4:.1f}"
            for step, scores in enumerate(history)
        )
        colour, _ = ink(f"seat{seat}", dark=True)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
    parts.append(f'<text x="2" y="12">{high}</text><text x="2" y="{height - 4}">{low}</text>')
    parts.append(f'<line id="cursor" x1="0" x2="0" y1="0" y2="{height}" stroke="{DIMMED[True]}"/></svg>')
    return "".join(parts)
