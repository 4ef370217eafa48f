"""What the generated modules build on."""

from ._errors import ServiceError
from ._methods import Asked, AsyncAsked, Flow, Method
from ._outcomes import FlowResult, OutcomeRecord
from ._records import Record
from ._words import Known, Word

__all__ = [
    "Asked",
    "AsyncAsked",
    "Flow",
    "FlowResult",
    "Known",
    "Method",
    "OutcomeRecord",
    "Record",
    "ServiceError",
    "Word",
]
