"""The types, the required and the known fields of every method and object of the Bot API.

The shapes are read from the fields of aiogram's generated classes, whose names, types and required marks are the
documentation's (https://core.telegram.org/bots/api). Nothing is validated by those classes: they forgive too much.
Stricter than the real server, which ignores what it does not know: an unknown or deprecated field is a mistake here.
"""

from __future__ import annotations

import json
import re
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from functools import cache
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

import aiogram.methods
from aiogram.client.default import Default
from aiogram.methods import TelegramMethod
from aiogram.types import InputFile
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from tests.telegram.refusals import MistakeError, wrong

Json = Any
Type = Any
"""An annotation: a class, a union, a list of one."""
Fields = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that came with a request."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Form:
    """A request's parameters as they came: *typed* if as JSON, else every value is a text."""

    values: Mapping[str, Json]
    files: Mapping[str, Upload]
    typed: bool = False


_ATTACH: Final = "attach://"
_NUMBER: Final = re.compile(r"-?[0-9]+")
_USERNAME: Final = re.compile(r"@[A-Za-z][A-Za-z0-9_]{3,31}")


@cache
def methods() -> Mapping[str, type[TelegramMethod[Any]]]:
    """Lower-case name of every method -> its class. The real server ignores the case of a method's name too."""
    found = (getattr(aiogram.methods, name) for name in aiogram.methods.__all__)
    return {
        cls.__api_method__.lower(): cls for cls in found if cls is not TelegramMethod and hasattr(cls, "__api_method__")
    }


def check(method: str, form: Form) -> Fields:
    """The request's fields with their values in Python types; files are `Upload`, file ids and links stay texts.

    :raises MistakeError: 404 if there is no such method; 400 if a field is unknown, deprecated, missing or of a wrong
        type, or a file belongs to none.
    """
    cls = methods().get(method.lower())
    if cls is None:
        raise MistakeError(404, "Not Found: method not found")
    used: set[str] = set()
    fields: Fields = {}
    known = _fields(cls)
    for name, value in {**form.values, **form.files}.items():
        if name.removeprefix(_ATTACH) in form.files and name not in known:
            continue
        info = _known(known, name, cls.__api_method__)
        if isinstance(value, Upload):
            if not _takes_file(info.annotation):
                raise wrong(f"{name} of {cls.__api_method__} takes no file")
            used.add(name)
            fields[name] = value
        else:
            parsed = value if form.typed else _read(info.annotation, value, name)
            fields[name] = _checked(info.annotation, parsed, name, _Attached(form.files, used))
    for name, info in known.items():
        if info.is_required() and name not in fields:
            raise wrong(f"{cls.__api_method__} without {name}")
    if left := sorted(set(form.files) - used):
        raise wrong(f"{cls.__api_method__} brings files that nothing names: {', '.join(left)}")
    return fields


def check_object(cls: type[BaseModel], value: Json) -> None:
    """Hold that *value* is an object of the Bot API as the server sends it. Where the server's own answers are tested.

    :raises MistakeError: if it is not.
    """
    _object(cls, value, cls.__name__, _Attached({}, set()), strict=False)


@dataclass(frozen=True, slots=True)
class _Attached:
    """The files of a request, and which of them something names."""

    files: Mapping[str, Upload]
    used: set[str]

    def resolve(self, value: str, where: str) -> str | Upload:
        if not value.startswith(_ATTACH):
            return value
        name = value.removeprefix(_ATTACH)
        if name not in self.files:
            raise wrong(f"{where} names the file {name!r}, which is not attached")
        self.used.add(name)
        return self.files[name]


@cache
def _fields(cls: type[BaseModel]) -> Mapping[str, FieldInfo]:
    """The fields by the name they have on the wire."""
    return {info.alias or name: info for name, info in cls.model_fields.items()}


def _known(fields: Mapping[str, FieldInfo], name: str, where: str) -> FieldInfo:
    info = fields.get(name)
    if info is None:
        raise wrong(f"{where} has no field {name!r}")
    extra = info.json_schema_extra
    if isinstance(extra, dict) and extra.get("deprecated"):
        raise wrong(f"{name} of {where} is deprecated")
    return info


def _origin(annotation: Type) -> object:
    return get_origin(annotation)


@cache
def _branches(annotation: Type) -> tuple[Any, ...]:
    """The alternatives of a type, without None and aiogram's markers."""
    origin = _origin(annotation)
    if origin is Annotated:
        return _branches(get_args(annotation)[0])
    if origin in (Union, types.UnionType):
        return tuple(branch for part in get_args(annotation) for branch in _branches(part))
    return () if annotation in (Default, type(None)) else (annotation,)


def _takes_file(annotation: Type) -> bool:
    return any(isinstance(branch, type) and issubclass(branch, InputFile) for branch in _branches(annotation))


def _read(annotation: Type, text: str, where: str) -> Json:
    """A form's text as the JSON value it stands for."""
    branches = _branches(annotation)
    if int in branches and _NUMBER.fullmatch(text):
        return int(text)
    if str in branches:
        return text
    try:
        return json.loads(text)
    except ValueError:
        if branches in ((int,), (bool,)):
            raise wrong(f"{where}: {text!r} is no {branches[0].__name__}") from None
        raise wrong(f"can't parse {where} JSON object") from None


def _checked(annotation: Type, value: Json, where: str, attached: _Attached, *, strict: bool = True) -> Json:
    """*value* if it is of one of the types, with the files that it names in place.

    :raises MistakeError: if it is of none; the reason is that of the alternative that fits best.
    """
    branches = _branches(annotation)
    if isinstance(value, str) and _takes_file(annotation):
        return attached.resolve(value, where)
    if isinstance(value, Mapping):
        branches = _for_object(branches, value)
    reason: MistakeError | None = None
    for branch in branches:
        try:
            return _as_branch(branch, value, where, attached, strict=strict)
        except MistakeError as error:
            reason = reason or error
    raise reason or wrong(f"{where} takes no {type(value).__name__}")


def _for_object(branches: tuple[Any, ...], value: Mapping[str, Json]) -> tuple[Any, ...]:
    """The classes among which the value's `type`, `source` or `status` decides; else those that know all its fields."""
    models: list[type[BaseModel]] = [
        branch for branch in branches if isinstance(branch, type) and issubclass(branch, BaseModel)
    ]
    if len(models) < 2:
        return branches
    for mark in ("type", "source", "status"):
        named = [model for model in models if value.get(mark) in _words(model, mark)]
        if named:
            return tuple(named)
    return tuple(sorted(models, key=lambda model: len(set(value) - set(_fields(model)))))


def _words(model: type[BaseModel], mark: str) -> tuple[str, ...]:
    info = _fields(model).get(mark)
    return () if info is None else _literals(info)


def _literals(info: FieldInfo) -> tuple[str, ...]:
    """The words that a field may hold, if it may hold nothing else."""
    annotation: Type = info.annotation
    found = [get_args(branch) for branch in _branches(annotation) if _origin(branch) is Literal]
    return tuple(str(_plain(one)) for literal in found for one in literal)


def _plain(value: Json) -> Json:
    return value.value if isinstance(value, Enum) else value


def _as_branch(branch: Type, value: Json, where: str, attached: _Attached, *, strict: bool) -> Json:
    origin = _origin(branch)
    if origin is list:
        if not isinstance(value, list):
            raise wrong(f"{where} is no array")
        (of,) = get_args(branch)
        return [_checked(of, one, f"{where}[{at}]", attached, strict=strict) for at, one in enumerate(value)]
    if origin is Literal:
        if value not in [_plain(one) for one in get_args(branch)]:
            raise wrong(f"{where}: {value!r} is none of its words")
        return value
    if isinstance(branch, type) and issubclass(branch, BaseModel):
        return _object(branch, value, where, attached, strict=strict)
    test = _TESTS.get(branch)
    if test is None:
        raise wrong(f"{where} takes no {type(value).__name__}")
    if not test(value):
        raise wrong(f"{where}: {value!r} is no {branch.__name__}")
    return value


def _is_integer(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_TESTS: Final[Mapping[Any, Callable[[Json], bool]]] = {
    int: _is_integer,
    datetime: _is_integer,
    timedelta: _is_integer,
    float: lambda value: _is_integer(value) or isinstance(value, float),
    bool: lambda value: isinstance(value, bool),
    str: lambda value: isinstance(value, str),
}


def _object(cls: type[BaseModel], value: Json, where: str, attached: _Attached, *, strict: bool) -> Fields:
    if not isinstance(value, Mapping):
        raise wrong(f"{where} is no object")
    known = _fields(cls)
    found: Fields = {}
    for name, one in value.items():
        info = _known(known, name, where) if strict or name not in known else known[name]
        found[name] = _checked(info.annotation, one, f"{where}.{name}", attached, strict=strict)
    for name, info in known.items():
        # A word that names the kind has a default in the classes; on the wire it is required.
        if (info.is_required() or _literals(info)) and name not in found:
            raise wrong(f"{where} without {name}")
    return found


def chat_key(value: int | str) -> int | str:
    """A chat's id, or its @name in lower case.

    :raises MistakeError: if it is neither.
    """
    if isinstance(value, int):
        return value
    if not _USERNAME.fullmatch(value):
        raise wrong(f"chat_id {value!r} is neither a number nor a @name")
    return value.lower()
