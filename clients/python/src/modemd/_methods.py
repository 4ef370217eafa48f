"""Descriptions of methods, which the generated modules declare."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ._errors import BadReply
from ._outcomes import FlowResult
from ._records import Misfit, Record, fields_of, read_record

Reply = TypeVar("Reply", bound=Record)
Result = TypeVar("Result", bound=FlowResult)
Q = TypeVar("Q")

# What answers a flow's question: None is no answer, and ends the call.
Asked = Callable[[Q], str | None]
AsyncAsked = Callable[[Q], Awaitable[str | None] | str | None]


@dataclass(frozen=True, slots=True)
class Method(Generic[Reply]):
    """A method with the type of its replies."""

    name: str
    reply: type[Reply]

    def read(self, parameters: Mapping[str, Any]) -> Reply:
        """The typed reply.

        Raises:
          BadReply: the service's answer does not fit the method.
        """
        try:
            return read_record(self.reply, parameters)
        except Misfit as misfit:
            raise BadReply(f"the answer to {self.name} cannot be read: {misfit}") from None


@dataclass(frozen=True, slots=True)
class Flow(Generic[Reply, Result]):
    """A method that streams what happens until its outcome, and may ask for something."""

    method: Method[Reply]
    result: type[Result]
    # The methods that answer its questions, by the word with which a question begins.
    answers: Mapping[str, str]

    @property
    def only_result(self) -> Method[Result]:
        """The method for callers who want no other reply than the last."""
        return Method(self.method.name, self.result)

    def result_of(self, last: Reply) -> Result:
        """The last reply as the result, which has an outcome.

        Raises:
          BadReply: it has none.
        """
        if getattr(last, "outcome", None) is None:
            raise BadReply(f"the last answer to {self.method.name} has no outcome")
        return self.result(**{name: getattr(last, name) for name, _, _, _ in fields_of(type(last))})

    def question(self, reply: Reply) -> Question | None:
        """What the reply asks for; None if it asks for nothing."""
        asked = getattr(reply, "question", None)
        word = str(getattr(reply, "event", "") if asked is None else asked.what)
        if asked is None and not word.endswith("Wanted"):
            return None
        answer = next((each for each in self.answers if word.startswith(each)), None)
        name = self.answers[answer] if answer is not None else ""
        flow = getattr(reply, "flow", None) or ""
        return Question(word, answer, Method(name, Empty), flow, reply if asked is None else asked)


@dataclass(frozen=True, slots=True, repr=False)
class Empty(Record):
    """The reply of a method that takes an answer."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something that a flow waits for."""

    # The wire's word for it.
    word: str
    # The parameter of the method that answers it; None for a question that is unknown.
    answer: str | None
    method: Method[Empty]
    # The flow's id, which goes with the answer.
    flow: str
    # What the app's function is given.
    shown: Any

    def parameters(self, answer: str) -> dict[str, Any]:
        """What goes to `method`."""
        return {"flow": self.flow, self.answer or "": answer}
