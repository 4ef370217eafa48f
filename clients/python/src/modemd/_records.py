"""Structs of the interfaces, and how they are read from JSON and written to it."""

from __future__ import annotations

import dataclasses
import functools
import math
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, TypeVar

from ._words import Word

R = TypeVar("R", bound="Record")
Reader = Callable[[Any], Any]


class Field(NamedTuple):
    """A field of a struct."""

    # Python's name, and the wire's.
    name: str
    wire: str
    reader: Reader
    is_optional: bool


# What `fields_of` found.
FIELDS: dict[type, list[Field]] = {}


class Record:
    """A struct of an interface; its fields have the types that the interface declares."""

    __slots__ = ()

    # The wire's names of fields, where they do not follow from Python's.
    NAMES: ClassVar[Mapping[str, str]] = {}
    # Fields whose values are personal or secret: nothing prints them.
    HIDDEN: ClassVar[frozenset[str]] = frozenset()

    def __repr__(self) -> str:
        shown = []
        for name, _, _, _ in fields_of(type(self)):
            value = getattr(self, name)
            if value is None:
                continue
            shown.append(f"{name}=<hidden>" if name in self.HIDDEN else f"{name}={value!r}")
        return f"{type(self).__name__}({', '.join(shown)})"


class Misfit(ValueError):
    """A value that does not fit its field. It names the field, and never the value."""


def read_record(kind: type[R], value: Any) -> R:
    """Makes a struct of a JSON object; unknown fields are ignored, missing ones are None.

    Raises:
      Misfit: a field that must have a value has none, or a value is of another kind.
    """
    if not isinstance(value, dict):
        raise Misfit(f"{kind.__name__} is no object")
    values: dict[str, Any] = {}
    for name, wire, reader, optional in fields_of(kind):
        given = value.get(wire)
        if given is None and not optional:
            raise Misfit(f"{kind.__name__}.{wire} is missing")
        if given is None:
            values[name] = None
            continue
        try:
            values[name] = reader(given)
        except Misfit as misfit:
            raise Misfit(f"{kind.__name__}.{wire}: {misfit}") from None
    return kind(**values)


def fields_of(kind: type[Record]) -> list[Field]:
    """The fields of a struct."""
    known = FIELDS.get(kind)
    if known is not None:
        return known
    hints = typing.get_type_hints(kind)
    found: list[Field] = []
    for field in dataclasses.fields(kind):
        hint = hints[field.name]
        wire = wire_name(kind, field.name)
        found.append(Field(field.name, wire, reader_of(hint), is_optional(hint)))
    FIELDS[kind] = found
    return found


def wire_name(kind: type[Record], name: str) -> str:
    """The wire's name of a field."""
    first, *rest = name.split("_")
    return kind.NAMES.get(name) or first + "".join(part[:1].upper() + part[1:] for part in rest)


def is_optional(hint: Any) -> bool:
    # Two classes for one thing: `X | None` is one or the other, as X is.
    is_union = typing.get_origin(hint) in (types.UnionType, typing.Union)
    return is_union and types.NoneType in typing.get_args(hint)


def reader_of(hint: Any) -> Reader:
    """What reads a JSON value as this type."""
    if is_optional(hint):
        (inner,) = (each for each in typing.get_args(hint) if each is not types.NoneType)
        return reader_of(inner)
    if hint is Any:
        return lambda value: value
    origin = typing.get_origin(hint)
    if origin is typing.Literal:
        return read_text
    if origin in (tuple, Sequence):
        return read_list(reader_of(typing.get_args(hint)[0]))
    if origin is Mapping:
        return read_map(reader_of(typing.get_args(hint)[1]))
    if origin is None and isinstance(hint, type):
        if issubclass(hint, Record):
            return functools.partial(read_record, hint)
        if issubclass(hint, Word):
            return lambda value: hint(read_text(value))
        if hint in PLAIN:
            return PLAIN[hint]
    raise TypeError(f"fields of the type {hint} cannot be read")


def read_text(value: Any) -> str:
    if not isinstance(value, str):
        raise Misfit("it is no text")
    return value


def read_boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Misfit("it is no boolean")
    return value


def read_integer(value: Any) -> int:
    # JSON does not tell 5 from 5.0.
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not -(2**63) <= value < 2**63:
        raise Misfit("it is no integer of 64 bits")
    return value


def read_fraction(value: Any) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise Misfit("it is no number")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise Misfit("it is no number of 64 bits")
    return number


def read_list(reader: Reader) -> Reader:
    def read(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise Misfit("it is no list")
        return tuple(reader(each) for each in value)

    return read


def read_map(reader: Reader) -> Reader:
    def read(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise Misfit("it is no object")
        return {key: reader(each) for key, each in value.items()}

    return read


PLAIN: dict[type, Reader] = {
    str: read_text,
    bool: read_boolean,
    int: read_integer,
    float: read_fraction,
}


def to_json(value: Any) -> Any:
    """The JSON value of a parameter; fields that are None are left out."""
    if isinstance(value, Record):
        kind = type(value)
        fields = {wire: getattr(value, name) for name, wire, _, _ in fields_of(kind)}
        return {wire: to_json(each) for wire, each in fields.items() if each is not None}
    if isinstance(value, Mapping):
        return {str(key): to_json(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_json(each) for each in value]
    return value
