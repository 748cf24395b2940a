"""Blocks laid out on pages: as many side by side and below each other as there is room for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from oaknet_client.boards.records import Canvas, Drawing

GAP = 2
"""Cells between blocks side by side."""


@dataclass(slots=True)
class _Page:
    """A page in the making. ``depth`` has for each column the first free row."""

    depth: list[int]
    blocks: list[tuple[int, int, Drawing]] = field(default_factory=list[tuple[int, int, Drawing]])

    def place(self, block: Drawing, height: int) -> bool:
        """Put a block as high up, then as far left, as it goes, in line with another; False if it would not
        fit."""
        width = len(self.depth)
        reach = min(block.width, width)
        edges = [0, *(left for left, _, _ in self.blocks), *(x + b.width + GAP for x, _, b in self.blocks)]
        rows = {x: max(self.depth[x : x + reach]) for x in sorted(edges) if x + reach <= width}
        y = min(rows.values())
        x = min(left for left, row in rows.items() if row == y)
        if self.blocks and y + block.height > height:
            return False
        self.blocks.append((x, y, block))
        for column in range(x, min(width, x + block.width + GAP)):
            self.depth[column] = y + block.height + 1
        return True


def pages(blocks: Sequence[Drawing], width: int, height: int) -> tuple[Drawing, ...]:
    """Blocks on pages, each on the first with room for it; a page bears the name of its first block.

    They keep their order, unless another one brings all of them on one page. Where that cannot be, those that
    have a smaller form take it. A block that is larger than the room gets a page of its own, to be scrolled
    over.
    """
    found = _fewest(blocks, width, height)
    if len(found) > 1:
        found = _fewest([block.small or block for block in blocks], width, height)
    return tuple(map(_pasted, found))


def _fewest(blocks: Sequence[Drawing], width: int, height: int) -> list[_Page]:
    """One page, if any order of the blocks brings them on it; else as they come."""
    found = _packed(blocks, width, height)
    if len(found) > 1:
        by_height = sorted(blocks, key=lambda block: -block.height)
        by_size = sorted(blocks, key=lambda block: -block.height * block.width)
        others = (_packed(order, width, height) for order in (by_height, by_size))
        found = next((packed for packed in others if len(packed) == 1), found)
    return found


def _packed(blocks: Sequence[Drawing], width: int, height: int) -> list[_Page]:
    found: list[_Page] = []
    for block in blocks:
        if not any(page.place(block, height) for page in found):
            found.append(_Page([0] * max(1, width)))
            found[-1].place(block, height)
    return found


def _pasted(page: _Page) -> Drawing:
    canvas = Canvas()
    for x, y, block in page.blocks:
        canvas.paste(x, y, block)
    return canvas.drawing(page.blocks[0][2].title)
