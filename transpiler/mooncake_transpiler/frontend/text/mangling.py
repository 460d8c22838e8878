"""Private names: what a class calls ``__step`` is ``_Class__step`` everywhere else.

Renamed in the tree, as Python does it; nodes keep their positions in the text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import libcst as cst
from libcst.metadata import CodeRange

_PRIVATE = re.compile(r"\b__\w*(?<!__)\b")


def mangled(
    tree: cst.Module, positions: Mapping[cst.CSTNode, CodeRange], text: str
) -> tuple[cst.Module, Mapping[cst.CSTNode, CodeRange]]:
    """``tree`` and its positions, with private names as they are from outside of their class."""
    if not _PRIVATE.search(text):
        return tree, positions
    mangler = _Mangler(dict(positions))
    return tree.visit(mangler), mangler.positions


class _Mangler(cst.CSTTransformer):
    def __init__(self, positions: dict[cst.CSTNode, CodeRange]) -> None:
        super().__init__()
        self.positions = positions
        self._classes: list[str] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.ClassDef):
            self._classes.append(node.name.value.lstrip("_"))
        return True

    def on_leave(  # type: ignore[override]
        self, original_node: cst.CSTNode, updated_node: cst.CSTNode
    ) -> cst.CSTNode:
        match original_node:
            case cst.ClassDef():
                self._classes.pop()
                updated_node = updated_node.with_changes(name=self._name(original_node.name))
            case cst.Name():
                updated_node = self._name(original_node)
            case cst.Arg(keyword=cst.Name() as keyword):  # not renamed in calls
                updated_node = updated_node.with_changes(keyword=keyword)
            case _:
                pass
        if updated_node is not original_node and original_node in self.positions:
            self.positions[updated_node] = self.positions[original_node]
        return updated_node

    def _name(self, node: cst.Name) -> cst.Name:
        owner = self._classes[-1] if self._classes else ""
        if not owner or not _PRIVATE.fullmatch(node.value):
            return node
        return node.with_changes(value=f"_{owner}{node.value}")
