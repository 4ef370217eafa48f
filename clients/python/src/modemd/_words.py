"""Words of enums in replies. A later version of modemd may have words that this client lacks."""

from __future__ import annotations

from typing import ClassVar, TypeVar

W = TypeVar("W", bound="Word")


class Known:
    """A word that the interface declares, as a constant of its class."""

    __slots__ = ("word",)

    def __init__(self, word: str) -> None:
        self.word = word

    def __get__(self, instance: object, owner: type[W]) -> W:
        return owner(self.word)


class Word(str):
    """Text that is usually one of a few known words, and equal to its text."""

    __slots__ = ()
    _known: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._known = frozenset(each.word for each in vars(cls).values() if isinstance(each, Known))

    @property
    def is_known(self) -> bool:
        """Whether the interface, as this client knows it, declares the word."""
        return str(self) in self._known

    @classmethod
    def known(cls) -> frozenset[str]:
        """The words that the interface declares, as this client knows it."""
        return cls._known
