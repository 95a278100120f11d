"""Tells whether a request has the shape that Discord's own description of its API asks for.

The description (see tests/data/discord/README.md) is read with three repairs: integers and numeric strings stand for
each other, ``oneOf`` is read as ``anyOf`` (with the branch chosen by ``type`` where there is one), and keys that no
schema knows are wrong.
"""

from __future__ import annotations

import datetime as dt
import functools
import gzip
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

Schema = dict[str, Any]

_DESCRIPTION: Final = Path(__file__).parent.parent / "data" / "discord" / "openapi.json.gz"
_UNDESCRIBED: Final = frozenset({"nsfw", "tts"})
"""Keys that Discord takes and does not describe everywhere: discord.py sends them with commands and updates."""
_UNDESCRIBED_IN_EMBEDS: Final = frozenset({"flags"})
_PYTHON_TYPES: Final = {
    "null": type(None),
    "boolean": bool,
    "string": str,
    "array": list,
    "object": dict,
    "integer": int,
    "number": int | float,
}
_NUMERIC: Final = re.compile(r"-?\d+")


@functools.cache
def _document() -> Schema:
    return json.loads(gzip.decompress(_DESCRIPTION.read_bytes()))  # type: ignore[no-any-return]  # it is an object


@functools.cache
def _operations() -> dict[str, Schema]:
    """Operation id → the operation, with the parameters of its path."""
    return {
        operation["operationId"]: {"shared": path.get("parameters", []), **operation}
        for path in _document()["paths"].values()
        for method, operation in path.items()
        if method != "parameters"
    }


def problems_of_query(operation: str, query: Iterable[str]) -> list[str]:
    """What is wrong with the names in the query string of a request."""
    described = _operations()[operation]
    known = {one["name"] for one in (*described["shared"], *described.get("parameters", ())) if one["in"] == "query"}
    return [f"?{name}: not a parameter" for name in query if name not in known]


def problems_of_body(operation: str, body: object | None) -> list[str]:
    """What is wrong with the JSON body of a request (None: there is none), each as ``path: complaint``."""
    described = _operations()[operation].get("requestBody")
    if described is None:
        return [] if body is None else ["body: none is expected"]
    if body is None:
        return ["body: missing"] if described.get("required") else []
    return list(_problems(body, described["content"]["application/json"]["schema"], "body"))


def _resolve(schema: Schema) -> Schema:
    while "$ref" in schema:
        schema = _document()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def _problems(value: object, schema: Schema, path: str) -> Iterator[str]:
    schema = _resolve(schema)
    if "type" in schema:
        types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(_is_of(value, one) for one in types):
            yield f"{path}: {value!r:.60} is not {' or '.join(types)}"
            return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path}: {value!r:.60} is none of {schema['enum']}"
    if "const" in schema and value != schema["const"]:
        yield f"{path}: {value!r:.60} is not {schema['const']!r}"
    for part in schema.get("allOf", ()):
        yield from _problems(value, part, path)
    branches = [*schema.get("oneOf", ()), *schema.get("anyOf", ())]
    if branches:
        yield from _problems_of_union(value, branches, path)
    match value:
        case str():
            yield from _problems_of_text(value, schema, path)
        case bool() | None:
            pass
        case int() | float():
            yield from _problems_of_number(value, schema, path)
        case list():
            yield from _problems_of_list(value, schema, path)
        case dict():
            yield from _problems_of_object(value, schema, path)


def _is_of(value: object, type_: str) -> bool:
    if type_ in ("integer", "number") and isinstance(value, str):
        return _NUMERIC.fullmatch(value) is not None
    if isinstance(value, bool):
        return type_ == "boolean"
    if type_ == "string" and isinstance(value, int):
        return True
    return isinstance(value, _PYTHON_TYPES[type_])


def _kinds(schema: Schema) -> tuple[object, ...]:
    """The values that the property ``type`` may have in this branch."""
    described = _resolve(schema).get("properties", {}).get("type")
    return () if described is None else tuple(_resolve(described).get("enum", ()))


def _problems_of_union(value: object, branches: list[Schema], path: str) -> Iterator[str]:
    if isinstance(value, dict) and "type" in value:
        kinds = {kind for branch in branches for kind in _kinds(branch)}
        if kinds and value["type"] not in kinds:
            yield f"{path}.type: {value['type']!r} is none of {sorted(kinds, key=repr)}"
            return
        branches = [branch for branch in branches if not kinds or value["type"] in _kinds(branch)]
    if value is not None:
        branches = [branch for branch in branches if branch.get("type") != "null"]
    tried = [list(_problems(value, branch, path)) for branch in branches]
    if all(tried):
        yield from min(tried, key=len)


def _problems_of_text(value: str, schema: Schema, path: str) -> Iterator[str]:
    if len(value) < schema.get("minLength", 0):
        yield f"{path}: shorter than {schema['minLength']}"
    if len(value) > schema.get("maxLength", len(value)):
        yield f"{path}: {len(value)} characters, at most {schema['maxLength']}"
    if "pattern" in schema and re.search(schema["pattern"], value) is None:
        yield f"{path}: {value!r:.60} does not match {schema['pattern']}"
    if schema.get("format") == "uri" and not value.startswith(("http://", "https://", "attachment://", "discord://")):
        yield f"{path}: {value!r:.60} is no address"
    if schema.get("format") == "date-time" and not _is_moment(value):
        yield f"{path}: {value!r:.60} is no moment"


def _is_moment(value: str) -> bool:
    try:
        dt.datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def _problems_of_number(value: float, schema: Schema, path: str) -> Iterator[str]:
    bits = {"int32": 31, "int64": 63}.get(schema.get("format", ""))
    least, most = (schema.get("minimum"), schema.get("maximum"))
    if bits is not None and not -(2**bits) <= value < 2**bits:
        yield f"{path}: {value} is out of range"
    if (least is not None and value < least) or (most is not None and value > most):
        yield f"{path}: {value} is not in {least}..{most}"


def _problems_of_list(value: list[Any], schema: Schema, path: str) -> Iterator[str]:
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        yield f"{path}: {len(value)} items, not {schema.get('minItems', 0)}..{schema.get('maxItems', '')}"
    if schema.get("uniqueItems") and len({json.dumps(one, sort_keys=True) for one in value}) < len(value):
        yield f"{path}: an item stands there twice"
    if "items" in schema:
        for index, one in enumerate(value):
            yield from _problems(one, schema["items"], f"{path}[{index}]")


def _problems_of_object(value: dict[str, Any], schema: Schema, path: str) -> Iterator[str]:
    properties = schema.get("properties", {})
    yield from (f"{path}.{key}: missing" for key in schema.get("required", ()) if key not in value)
    others = schema.get("additionalProperties")
    free = _UNDESCRIBED | (_UNDESCRIBED_IN_EMBEDS if "fields" in properties else frozenset())
    if not schema.get("minProperties", 0) <= len(value) <= schema.get("maxProperties", len(value)):
        yield f"{path}: {len(value)} keys"
    for key, one in value.items():
        if key in properties:
            yield from _problems(one, properties[key], f"{path}.{key}")
        elif isinstance(others, dict) and others:
            yield from _problems(one, others, f"{path}.{key}")
        elif properties and key not in free and others is not True:
            yield f"{path}.{key}: not a key"
