"""What both forms of the client do with a flow's replies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ._errors import QuestionUnanswered
from ._methods import Question
from ._records import Record

Listener = Callable[[Any], object] | None


def told(
    reply: Record, listeners: Mapping[str, Listener], on_reply: Listener
) -> Iterator[tuple[Callable[[Any], object], Any]]:
    """The app's functions that a reply is for, each with what it is given."""
    if on_reply is not None:
        yield on_reply, reply
    for field, listener in listeners.items():
        value = getattr(reply, field, None)
        if listener is not None and value is not None:
            yield listener, value


def unanswered(question: Question) -> QuestionUnanswered:
    """The error of a question that nothing answered."""
    needed = None if question.answer is None else f"on_{question.answer}"
    return QuestionUnanswered(question.word, needed)
