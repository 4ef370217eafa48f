"""What can go wrong. Every exception of the client is a ModemdError."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

if TYPE_CHECKING:
    from ._outcomes import OutcomeRecord

T = TypeVar("T")


class ModemdError(Exception):
    """Something went wrong between this program and modemd."""


class Disconnected(ModemdError, ConnectionError):
    """modemd cannot be reached, or closed the connection before it answered."""


class BadReply(ModemdError):
    """modemd's answer cannot be read; both may be of different versions."""


class CallTimeout(ModemdError, TimeoutError):
    """The call did not end within its time limit. The flow behind it has ended."""


class QuestionUnanswered(ModemdError):
    """A flow asked for something, and nothing was there to answer it. The flow has ended."""

    def __init__(self, question: str, needed: str | None) -> None:
        self.question = question
        """The wire's word for what was asked for."""
        what = f"give a function as {needed}" if needed else "this client does not know it"
        super().__init__(f"modemd asks for “{question}”, which nothing answered: {what}")


class OutcomeError(ModemdError):
    """A flow ended without what it was for; `unwrap` raises it."""

    def __init__(self, outcome: OutcomeRecord) -> None:
        self.outcome = outcome
        """The outcome as it came."""
        text = getattr(outcome, "text", None)
        failure = getattr(outcome, "failure", None)
        sentence = text or getattr(failure, "text", None)
        result = str(getattr(outcome, "result", "failed"))
        super().__init__(f"{result}: {sentence}" if sentence else result)


class ServiceError(ModemdError):
    """An error that modemd answered. Each error of an interface is a class of its own.

    An error that this client does not know is a plain ServiceError with `name` and `parameters`.
    """

    NAME: ClassVar[str] = ""
    _classes: ClassVar[dict[str, type[ServiceError]]] = {}
    # Fields that are sentences for people.
    _sentences = ("argument", "option", "parameter", "expected", "text", "hint", "reason", "cause")

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        ServiceError._classes[cls.NAME] = cls

    def __init__(self, name: str, parameters: Mapping[str, Any]) -> None:
        self.name = name
        """The error's qualified name, as in org.modemd.Modem.NoModem."""
        self.parameters = parameters
        """Its fields, as they came."""
        said = [str(parameters[key]) for key in self._sentences if isinstance(parameters.get(key), str)]
        super().__init__(f"{name}: {', '.join(said)}" if said else name)

    @staticmethod
    def named(name: str, parameters: Mapping[str, Any]) -> ServiceError:
        """The error of this name, of its own class if there is one."""
        return ServiceError._classes.get(name, ServiceError)(name, parameters)

    def field(self, name: str, kind: type[T]) -> T | None:
        """A field, if it has a value of this kind; None otherwise."""
        from ._records import Misfit, reader_of

        value = self.parameters.get(name)
        if value is None:
            return None
        try:
            return typing.cast(T, reader_of(kind)(value))
        except Misfit:
            return None

    def texts(self, name: str) -> tuple[str, ...] | None:
        """A field with a list of texts; None if it has none."""
        value = self.parameters.get(name)
        if not isinstance(value, list):
            return None
        return tuple(each for each in value if isinstance(each, str))


class InterfaceNotFound(ServiceError):
    """modemd does not have the interface; it may be older than this client."""

    NAME = "org.varlink.service.InterfaceNotFound"


class MethodNotFound(ServiceError):
    """modemd does not have the method; it may be older than this client."""

    NAME = "org.varlink.service.MethodNotFound"


class MethodNotImplemented(ServiceError):
    """modemd knows the method, and does not have it."""

    NAME = "org.varlink.service.MethodNotImplemented"


class InvalidParameter(ServiceError):
    """A parameter is of the wrong kind, or modemd does not know it."""

    NAME = "org.varlink.service.InvalidParameter"

    @property
    def parameter(self) -> str | None:
        """The parameter's name on the wire."""
        return self.field("parameter", str)


class PermissionDenied(ServiceError):
    """This user may not call the method: see modemd's access table."""

    NAME = "org.varlink.service.PermissionDenied"


class ExpectedMore(ServiceError):
    """The method answers only callers who take more than one reply."""

    NAME = "org.varlink.service.ExpectedMore"
