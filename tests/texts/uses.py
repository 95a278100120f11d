"""Which texts the code asks for, and with which parameters: read from the source of bot/.

A key that is put together (``f"fault.{fault.value}"``) is a pattern with a star for each part that is not written out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

BOT = Path(__file__).parents[2] / "bot"

# A method that is given a key, the place of the key among its arguments, and what it puts before it.
_ASKING = {"say": (1, ""), "plain": (1, ""), "one": (1, "button."), "Notice": (0, "notice.")}
# They hand on the key that they are given; whoever calls them is looked at.
_HANDING_ON = {("pages.py", "plain"), ("buttons.py", "one"), ("texts.py", "plain")}


@dataclass(frozen=True, slots=True)
class Use:
    """One place that asks for a text. *params* are the names it gives; None if they cannot be seen there."""

    pattern: str
    params: frozenset[str] | None
    where: str


@cache
def uses() -> tuple[Use, ...]:
    """Every place in bot/ that asks for a text."""
    return tuple(use for path in sorted(BOT.rglob("*.py")) for use in _in_file(path))


def _in_file(path: Path) -> Iterator[Use]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    for function in functions:
        if (path.name, function.name) in _HANDING_ON:
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Call):
                yield from _in_call(node, function, f"{path.name}:{node.lineno}")


def _in_call(call: ast.Call, function: ast.FunctionDef | ast.AsyncFunctionDef, where: str) -> Iterator[Use]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    place, prefix = _ASKING.get(name, (0, None))
    if prefix is None or len(call.args) <= place:
        return
    for pattern in _patterns(call.args[place], function):
        yield Use(prefix + pattern, _params(call, name), where)


def _patterns(key: ast.expr, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    match key:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=parts):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in parts)
        case ast.IfExp(body=one, orelse=other):
            yield from _patterns(one, function)
            yield from _patterns(other, function)
        case ast.Name(id=name):
            for node in ast.walk(function):
                match node:
                    case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                        yield from _patterns(value, function)


def _params(call: ast.Call, name: str) -> frozenset[str] | None:
    if name == "Notice":
        pairs = ast.walk(call.args[1]) if len(call.args) > 1 else ()
        return frozenset(
            str(node.elts[0].value)
            for node in pairs
            if isinstance(node, ast.Tuple) and node.elts and isinstance(node.elts[0], ast.Constant)
        )
    if any(keyword.arg is None for keyword in call.keywords):
        return None
    return frozenset(str(keyword.arg) for keyword in call.keywords)


@cache
def strings() -> frozenset[str]:
    """Every string that stands in the code of bot/ by itself, such as a key in a table."""
    return frozenset(
        node.value
        for path in BOT.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


@cache
def sources() -> str:
    """All of bot/ that is written by hand, one after the other."""
    kinds = {".py", ".js", ".html"}
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(BOT.rglob("*")) if path.suffix in kinds)
