"""Mobile Connect: the SIM's operator, and that operator's statements about who its user is.
Authorizations go over the bearer, without a browser. Errors about modems (NoModem,
MoreThanOneModem, NoSuchModem, PortUnavailable) are those of org.modemd.Modem, and TooManyFlows
is that of org.modemd.Check, and those about arguments and providers (InvalidArgument,
NoProvider, MoreThanOneProvider) are those of org.modemd.Verify. Every method is a stream:
`ready`, then a `step` for each action with a `hop` for each request over the bearer, then the
`outcome`. Without `more`, only the outcome. The types Step, Hop and Outcome are the same in
every interface of a provider. Later versions may add fields, and new words to the enums of
replies and errors. Replies and errors always have all their fields; a field without a value is
null.
"""
# Written by varlink-generate from org.modemd.MobileConnect.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from . import _wire
from .verify import Hop, Outcome, Step

__all__ = [
    "Address",
    "AskAtHandsetReply",
    "AskAtHandsetResult",
    "Authorization",
    "AuthorizeReply",
    "AuthorizeResult",
    "DiscoverReply",
    "DiscoverResult",
    "Discovery",
    "Event",
    "ExchangeParametersInformation",
    "ExchangeReply",
    "ExchangeResult",
    "Hop",
    "IdentityReply",
    "IdentityResult",
    "Information",
    "LoginParametersInformation",
    "LoginReply",
    "LoginResult",
    "Operator",
    "Outcome",
    "Prompt",
    "RefreshReply",
    "RefreshResult",
    "Request",
    "RequestDisplay",
    "RevokeParametersKind",
    "RevokeReply",
    "RevokeResult",
    "Step",
    "Tokens",
    "UserInfoReply",
    "UserInfoResult",
    "ValidateParametersForm",
    "ValidateReply",
    "ValidateResult",
    "Way",
    "Whose",
]


class Event(_wire.Word):
    """The kind of a stream's reply."""

    READY = _wire.Known("ready")
    STEP = _wire.Known("step")
    HOP = _wire.Known("hop")
    OUTCOME = _wire.Known("outcome")


class Way(_wire.Word):
    """How a discovery service identifies the operator: by the network's codes, by a number, by the
    address of the request, or on a page where a person selects it.
    """

    NETWORK = _wire.Known("network")
    NUMBER = _wire.Known("number")
    ADDRESS = _wire.Known("address")
    PAGE = _wire.Known("page")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Whose(_wire.Record):
    """Selects the operator. Null fields use the SIM's values."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["number", "callback"])

    way: Way | None = None
    """Null for the configured ways, in their order, or for the way by number if `number` is given
    and neither `network` nor `callback`.
    """

    number: str | None = None
    """In international form."""

    network: str | None = None
    """MCC and MNC in digits, as in 26201."""

    callback: str | None = None
    """The complete URL to which the browser returned from the page where the operator is selected.
    It replaces all ways.
    """


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Operator(_wire.Record):
    """An operator, as a discovery service, its own metadata or the configuration describes it."""

    NAMES: ClassVar[Mapping[str, str]] = {"client_id": "clientID"}

    name: str | None = None

    country: str | None = None
    """As in UK."""

    currency: str | None = None
    """As in GBP."""

    client_id: str | None = None
    """The client that the operator knows. Its secret is never returned."""

    client_name: str | None = None
    """The application's registered name."""

    application_short_name: str | None = None

    scope: str | None = None
    """What the link `scope` says."""

    issuer: str | None = None
    """The issuer of its ID tokens."""

    endpoints: Mapping[str, str]
    """URLs by their relation: authorization, token, userinfo, premiuminfo, tokenrevoke,
    tokenrefresh, jwks, openid-configuration, si-authorize.
    """

    versions: tuple[str, ...]
    """mc_version of its metadata."""

    scopes: tuple[str, ...]

    acr_values: tuple[str, ...]

    login_hint_methods: tuple[str, ...]
    """As in MSISDN, ENCR_MSISDN, PCR; empty if the operator lists none."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Discovery(_wire.Record):
    """What discovery found."""

    NAMES: ClassVar[Mapping[str, str]] = {
        "subscriber_id": "subscriberID",
        "subscriber_id_token": "subscriberIDToken",
    }
    HIDDEN: ClassVar[frozenset[str]] = frozenset(["subscriber_id", "subscriber_id_token"])

    found: Operator

    way: Way | None = None
    """The way that led to it; null for a configured operator."""

    subscriber_id: str | None = None
    """The number, encrypted for the operator: for `hintEncrypted` of a request."""

    subscriber_id_token: str | None = None

    kept: bool
    """Whether it was kept from an earlier call."""

    stale: bool
    """Whether it is out of date, and was used because the service could not be reached."""


Prompt = Literal["none", "login", "consent", "select_account", "no_seam"]
"""Whether a person is asked (OpenID Connect Core, 3.1.2.1). With no_seam, a person is asked
although the bearer is recognised.
"""


RequestDisplay = Literal["page", "popup", "touch", "wap"]
"""One of the values of `display`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Request(_wire.Record):
    """The request to the operator. Null fields use the configuration, or are omitted."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset([
        "hint_number",
        "hint_encrypted",
        "hint_customer",
        "login_hint_token",
        "state",
        "nonce",
        "id_token_hint",
        "dtbs",
        "claims",
        "kyc",
        "context",
        "binding_message",
    ])

    scope: Sequence[str] | None = None
    """Words; openid is added in front of them."""

    acr: Sequence[str] | None = None
    """Levels of assurance in order of preference: 2 one factor, 3 two."""

    hint_number: str | None = None
    """The subject, in one of three forms: a number in international form, the subscriberID of a
    discovery, or the `sub` of an earlier ID token.
    """

    hint_encrypted: str | None = None

    hint_customer: str | None = None

    login_hint_token: str | None = None
    """Issued by the operator, from version 3.0 on. It is not another form of a login hint."""

    state: str | None = None
    """Null for random ones."""

    nonce: str | None = None

    display: RequestDisplay | None = None

    prompt: Sequence[Prompt] | None = None
    """Null or empty for none. Version 3.0 supports none, login and no_seam; others are omitted
    there. An authorisation always has login.
    """

    maximum_age_seconds: int | None = None
    """0 to 31536000."""

    ui_locales: Sequence[str] | None = None
    """Language tags."""

    claims_locales: Sequence[str] | None = None

    id_token_hint: str | None = None
    """An earlier ID token."""

    dtbs: str | None = None
    """Data for the handset to sign."""

    claims: Any | None = None
    """OpenID Connect Core, 5.5."""

    kyc: Mapping[str, str] | None = None
    """Values for KYC Match and Attribute Match by their names, those with _hashed for hashes: name,
    or given_name and family_name; address, or houseno_or_housename, postal_code, town and
    country; birthdate; is_lost_stolen, billing_segment, account_state.
    """

    client_name: str | None = None
    """For an authorisation: the scope mc_authz alone, or a context without mc_authn. The first two
    are required in versions 1.2 to 2.3.
    """

    context: str | None = None

    binding_message: str | None = None

    version: str | None = None
    """As in mc_di_r2_v2.3; null for the configured one, else the newest common one."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Authorization(_wire.Record):
    """What an application's own backend exchanges for tokens (RFC 6749, 4.1.3). It works once, and
    soon expires.
    """

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["code", "state", "nonce", "redirect"])

    code: str

    state: str
    """As it was sent and came back."""

    nonce: str
    """For the ID token to repeat."""

    redirect: str
    """The complete redirect URI with its parameters."""

    version: str
    """As it was sent."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Tokens(_wire.Record):
    """The answer of the operator's token endpoint."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset([
        "access_token",
        "refresh_token",
        "id_token",
        "claims",
        "subject",
    ])

    access_token: str

    token_type: str | None = None
    """As in Bearer."""

    expires_in: int | None = None
    """Seconds from when it came."""

    refresh_token: str | None = None

    id_token: str | None = None
    """Unchanged. It was validated: signature, issuer, audience, nonce, times, at_hash, acr, amr and
    hashed_login_hint.
    """

    claims: Any | None = None
    """What the ID token says."""

    subject: str | None = None
    """The pseudonymous customer reference: this client's identifier of the user."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Address(_wire.Record):
    """A postal address."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset([
        "formatted",
        "street",
        "city",
        "state",
        "postal_code",
    ])

    formatted: str | None = None

    street: str | None = None

    city: str | None = None

    state: str | None = None

    postal_code: str | None = None

    country: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Information(_wire.Record):
    """The operator's data about the subscriber, depending on the requested scope."""

    NAMES: ClassVar[Mapping[str, str]] = {"correlation_id": "correlationID"}
    HIDDEN: ClassVar[frozenset[str]] = frozenset([
        "subject",
        "name",
        "given_name",
        "middle_name",
        "family_name",
        "nickname",
        "preferred_username",
        "title",
        "phone_number",
        "phone_number_alternate",
        "email",
        "birthdate",
        "national_identifier",
        "id_token",
        "access_token",
        "all",
    ])

    subject: str | None = None

    name: str | None = None

    given_name: str | None = None

    middle_name: str | None = None

    family_name: str | None = None

    nickname: str | None = None

    preferred_username: str | None = None

    title: str | None = None

    phone_number: str | None = None
    """Unchanged: in international form, or hashed."""

    phone_number_alternate: str | None = None

    email: str | None = None

    email_verified: bool | None = None

    address: Address | None = None

    birthdate: str | None = None

    national_identifier: str | None = None

    client_name: str | None = None

    id_token: str | None = None

    access_token: str | None = None

    updated_at: str | None = None
    """Unchanged: seconds since 1970, or text."""

    correlation_id: str | None = None

    all: Any
    """All its fields, including those not named above."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DiscoverReply(_wire.Record):
    """A reply of `Discover`."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["page"])

    event: Event

    step: Step | None = None

    hop: Hop | None = None

    outcome: Outcome | None = None

    discovery: Discovery | None = None
    """With the result `covered`."""

    page: str | None = None
    """With the result `interactionRequired`: the page where a person must answer. It may hold
    secrets.
    """


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DiscoverResult(_wire.FlowResult, DiscoverReply):
    """The last reply of `Discover`, which has its outcome."""

    outcome: Outcome


DISCOVER = _wire.Method("org.modemd.MobileConnect.Discover", DiscoverReply)
DISCOVER_FLOW = _wire.Flow(DISCOVER, DiscoverResult, {})


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AuthorizeReply(_wire.Record):
    """A reply of `Authorize`."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["page"])

    event: Event

    step: Step | None = None

    hop: Hop | None = None

    outcome: Outcome | None = None

    authorization: Authorization | None = None
    """With the result `authorized`."""

    page: str | None = None
    """With the result `interactionRequired`: the page where a person must answer. It may hold
    secrets.
    """


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AuthorizeResult(_wire.FlowResult, AuthorizeReply):
    """The last reply of `Authorize`, which has its outcome."""

    outcome: Outcome


AUTHORIZE = _wire.Method("org.modemd.MobileConnect.Authorize", AuthorizeReply)
AUTHORIZE_FLOW = _wire.Flow(AUTHORIZE, AuthorizeResult, {})


LoginParametersInformation = Literal["userinfo", "premiuminfo"]
"""One of the values of `information`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LoginReply(_wire.Record):
    """A reply of `Login`."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["page", "server_answer"])

    event: Event

    step: Step | None = None

    hop: Hop | None = None

    outcome: Outcome | None = None

    tokens: Tokens | None = None
    """With the result `signedIn`, if this machine did it."""

    information: Information | None = None

    page: str | None = None
    """With the result `interactionRequired`: the page where a person must answer. It may hold
    secrets.
    """

    server_answer: Any | None = None
    """With the result `signedIn`, if an app's server did it: its last answer, such as its session,
    if that is a JSON object.
    """


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LoginResult(_wire.FlowResult, LoginReply):
    """The last reply of `Login`, which has its outcome."""

    outcome: Outcome


LOGIN = _wire.Method("org.modemd.MobileConnect.Login", LoginReply)
LOGIN_FLOW = _wire.Flow(LOGIN, LoginResult, {})


ExchangeParametersInformation = Literal["userinfo", "premiuminfo"]
"""One of the values of `information`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ExchangeReply(_wire.Record):
    """A reply of `Exchange`."""

    event: Event

    step: Step | None = None

    hop: Hop | None = None

    outcome: Outcome | None = None

    tokens: Tokens | None = None
    """With the result `signedIn`."""

    information: Information | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ExchangeResult(_wire.FlowResult, ExchangeReply):
    """The last reply of `Exchange`, which has its outcome."""

    outcome: Outcome


EXCHANGE = _wire.Method("org.modemd.MobileConnect.Exchange", ExchangeReply)
EXCHANGE_FLOW = _wire.Flow(EXCHANGE, ExchangeResult, {})


ValidateParametersForm = Literal["plain", "plus"]
"""One of the values of `form`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ValidateReply(_wire.Record):
    """A reply of `Validate`."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["page"])

    event: Event

    step: Step | None = None

    hop: Hop | None = None

    outcome: Outcome | None = None

    page: str | None = None
    """With the result `interactionRequired`: the page where a person must answer. It may hold
    secrets.
    """


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ValidateResult(_wire.FlowResult, ValidateReply):
    """The last reply of `Validate`, which has its outcome."""

    outcome: Outcome


VALIDATE = _wire.Method("org.modemd.MobileConnect.Validate", ValidateReply)
VALIDATE_FLOW = _wire.Flow(VALIDATE, ValidateResult, {})


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AskAtHandsetReply(_wire.Record):
    """A reply of `AskAtHandset`."""

    event: Event

    step: Step | None = None

    hop: Hop | None = None

    outcome: Outcome | None = None

    tokens: Tokens | None = None
    """With the result `signedIn`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AskAtHandsetResult(_wire.FlowResult, AskAtHandsetReply):
    """The last reply of `AskAtHandset`, which has its outcome."""

    outcome: Outcome


ASK_AT_HANDSET = _wire.Method("org.modemd.MobileConnect.AskAtHandset", AskAtHandsetReply)
ASK_AT_HANDSET_FLOW = _wire.Flow(ASK_AT_HANDSET, AskAtHandsetResult, {})


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RefreshReply(_wire.Record):
    """A reply of `Refresh`."""

    event: Event

    step: Step | None = None

    hop: Hop | None = None

    outcome: Outcome | None = None

    tokens: Tokens | None = None
    """With the result `authorized`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RefreshResult(_wire.FlowResult, RefreshReply):
    """The last reply of `Refresh`, which has its outcome."""

    outcome: Outcome


REFRESH = _wire.Method("org.modemd.MobileConnect.Refresh", RefreshReply)
REFRESH_FLOW = _wire.Flow(REFRESH, RefreshResult, {})


RevokeParametersKind = Literal["access", "refresh"]
"""One of the values of `kind`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RevokeReply(_wire.Record):
    """A reply of `Revoke`."""

    event: Event

    step: Step | None = None

    hop: Hop | None = None

    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RevokeResult(_wire.FlowResult, RevokeReply):
    """The last reply of `Revoke`, which has its outcome."""

    outcome: Outcome


REVOKE = _wire.Method("org.modemd.MobileConnect.Revoke", RevokeReply)
REVOKE_FLOW = _wire.Flow(REVOKE, RevokeResult, {})


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class UserInfoReply(_wire.Record):
    """A reply of `UserInfo`."""

    event: Event

    step: Step | None = None

    hop: Hop | None = None

    outcome: Outcome | None = None

    information: Information | None = None
    """With the result `authorized`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class UserInfoResult(_wire.FlowResult, UserInfoReply):
    """The last reply of `UserInfo`, which has its outcome."""

    outcome: Outcome


USER_INFO = _wire.Method("org.modemd.MobileConnect.UserInfo", UserInfoReply)
USER_INFO_FLOW = _wire.Flow(USER_INFO, UserInfoResult, {})


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class IdentityReply(_wire.Record):
    """A reply of `Identity`."""

    event: Event

    step: Step | None = None

    hop: Hop | None = None

    outcome: Outcome | None = None

    information: Information | None = None
    """With the result `authorized`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class IdentityResult(_wire.FlowResult, IdentityReply):
    """The last reply of `Identity`, which has its outcome."""

    outcome: Outcome


IDENTITY = _wire.Method("org.modemd.MobileConnect.Identity", IdentityReply)
IDENTITY_FLOW = _wire.Flow(IDENTITY, IdentityResult, {})
