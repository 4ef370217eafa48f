#!/usr/bin/env python3
"""app_server.py --configuration FILE [--listen PLACE] [--secret-file NAME=PATH]...

A small server of an app: what a provider's SDK makes an app's own server do. It creates tru.ID's checks with the paths
of tru.ID's dev server, changes the codes of IPification, CAMARA Number Verification and Mobile Connect for tokens, gives
modemd-web its tickets, and keeps its users' sessions. Python 3.9 or later and its standard library are all that it
needs. README.md of this folder lists paths, settings and secrets.

Secrets are files: in the folder that systemd names in CREDENTIALS_DIRECTORY, or given with --secret-file. They come
neither from the command line nor from the environment, and no secret, number, code or token is ever logged.

Exit status: 0 after SIGTERM or SIGINT; 2 if the call or the configuration is wrong.
"""

import argparse
import base64
import hashlib
import hmac
import http.client
import http.server
import ipaddress
import json
import os
import re
import secrets
import signal
import socket
import socketserver
import ssl
import stat
import sys
import threading
import time
from urllib.parse import parse_qs, quote, urlencode, urlsplit

BODY_LIMIT = 16 * 1024  # of a request, in bytes
ANSWER_LIMIT = 256 * 1024  # of a provider, in bytes
CONNECTION_LIMIT = 64  # at once
CONNECTION_SECONDS = 30  # for a whole request and its answer
CALL_SECONDS = 10  # for each step of a provider's answer
FLOW_SECONDS = 120  # between the start of a flow and its code
SESSION_SECONDS = 3600
TABLE_LIMIT = 10_000  # entries of each table


class Refusal(Exception):
    """An answer other than success. Its text may be shown to the caller: it has no secret."""

    def __init__(self, status, error, description, headers=()):
        super().__init__(error)
        self.status, self.headers = status, list(headers)
        self.body = {"error": error, "error_description": description}


class Passed(Exception):
    """A provider's own refusal, which an app gets as it came."""

    def __init__(self, status, body, headers=()):
        super().__init__(str(status))
        self.status, self.body, self.headers = status, body, list(headers)


class WrongConfiguration(Exception):
    """The file, an option or a secret is wrong: one sentence for the administrator."""


def now():
    """Seconds by a clock that nobody sets."""
    return time.monotonic()


def digest(text):
    """What tables keep in place of a secret, so that looking one up says nothing about it by its time."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).digest()


def isEqual(one, other):
    """Takes as long for texts that begin alike as for others."""
    return hmac.compare_digest(digest(one), digest(other))


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


# --- memory --------------------------------------------------------------------------------------


class Table:
    """Values by a secret key, each for some seconds. It never grows above its limit."""

    def __init__(self, seconds):
        self.seconds, self.lock, self.entries = seconds, threading.Lock(), {}

    def put(self, key, value):
        with self.lock:
            self.add(key, value)

    def add(self, key, value):
        time_now = now()
        if len(self.entries) >= TABLE_LIMIT:
            self.entries = {k: e for k, e in self.entries.items() if e[0] > time_now}
        if len(self.entries) >= TABLE_LIMIT:
            raise Refusal(503, "busy", "too many are under way; try again later", [("Retry-After", "60")])
        self.entries[digest(key)] = (time_now + self.seconds, value)

    def get(self, key):
        with self.lock:
            end, value = self.entries.get(digest(key), (0, None))
            return value if end > now() else None

    def take(self, key):
        """The value, which is then gone: what is good once is good for one caller."""
        with self.lock:
            end, value = self.entries.pop(digest(key), (0, None))
            return value if end > now() else None

    def put_once(self, key):
        """False if the key was there before."""
        with self.lock:
            if self.entries.get(digest(key), (0, None))[0] > now():
                return False
            self.add(key, True)
            return True


class Allowance:
    """So many a minute, from all callers together: it limits what anybody can make this server spend."""

    def __init__(self, each_minute):
        self.rate, self.left, self.then = each_minute / 60, float(each_minute), now()
        self.most, self.lock = float(each_minute), threading.Lock()

    def take(self):
        with self.lock:
            time_now = now()
            self.left = min(self.most, self.left + (time_now - self.then) * self.rate)
            self.then = time_now
            if self.left < 1:
                seconds = str(int((1 - self.left) / self.rate) + 1)
                raise Refusal(429, "too_many_requests", "this server's limit is reached", [("Retry-After", seconds)])
            self.left -= 1


# --- calls to providers --------------------------------------------------------------------------


class Caller:
    """Calls providers: https only, no redirect, no proxy, and never twice."""

    def __init__(self, authorities):
        self.context = ssl.create_default_context()
        self.context.minimum_version = ssl.TLSVersion.TLSv1_2
        if authorities:
            self.context.load_verify_locations(authorities)

    def ask(self, method, url, headers=None, form=None, value=None, content_type="application/json"):
        """Returns status, JSON (None if it is none) and headers of an answer."""
        place = urlsplit(url)
        if place.scheme != "https" or not place.hostname or place.username is not None:
            raise Refusal(502, "bad_answer", "the provider named a URL that is not https")
        sent = {"Accept": "application/json", "Connection": "close", **(headers or {})}
        body = None
        if form is not None:
            body, sent["Content-Type"] = urlencode(form).encode(), "application/x-www-form-urlencoded"
        elif value is not None:
            body, sent["Content-Type"] = json.dumps(value).encode(), content_type
        connection = http.client.HTTPSConnection(
            place.hostname, place.port or 443, timeout=CALL_SECONDS, context=self.context
        )
        try:
            target = (place.path or "/") + ("?" + place.query if place.query else "")
            connection.request(method, target, body, sent)
            answer = connection.getresponse()
            data = answer.read(ANSWER_LIMIT + 1)
        except (OSError, http.client.HTTPException):
            raise Refusal(502, "provider_unavailable", f"{place.hostname} does not answer") from None
        finally:
            connection.close()
        if len(data) > ANSWER_LIMIT:
            raise Refusal(502, "bad_answer", f"{place.hostname} answered with more than {ANSWER_LIMIT} bytes")
        try:
            read = json.loads(data)
        except ValueError:
            read = None
        return answer.status, read, answer.headers


def basic(name, password, isEncoded=True):
    # RFC 6749, 2.3.1: both are form-encoded first, but not where a service says nothing of it.
    both = f"{quote(name, safe='')}:{quote(password, safe='')}" if isEncoded else f"{name}:{password}"
    return {"Authorization": "Basic " + base64.b64encode(both.encode()).decode()}


def tokens_of(status, answer, host):
    """The answer of a token endpoint (RFC 6749, 5)."""
    if status == 200 and isinstance(answer, dict) and isinstance(answer.get("access_token"), str):
        return answer
    word = answer.get("error") if isinstance(answer, dict) else None
    if word == "invalid_grant":
        raise Refusal(400, "invalid_grant", "the provider does not take the code: it is used, too old or another's")
    shown = word if isinstance(word, str) and re.fullmatch(r"[a-z_]{1,40}", word) else "no word"
    raise Refusal(502, "provider_refused", f"{host} refused the exchange with {status} and {shown}")


def claims_of(token):
    """The claims of an ID token. It came over TLS from the token endpoint itself, which proves who made it (OpenID
    Connect Core, 3.1.3.7); a token from anywhere else would need its signature checked."""
    try:
        part = token.split(".")[1]
        read = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (AttributeError, IndexError, ValueError):
        raise Refusal(502, "bad_answer", "the provider's ID token has no claims") from None
    if not isinstance(read, dict):
        raise Refusal(502, "bad_answer", "the provider's ID token has no claims")
    return read


def check_claims(claims, client, nonce, issuer=None):
    """Whether an ID token is for this client, this request and this moment."""
    audience = claims.get("aud")
    audience = audience if isinstance(audience, list) else [audience]
    end = claims.get("exp")
    # A request without a nonce has a token without one.
    told = claims.get("nonce")
    isSame = told is nonce if nonce is None or not isinstance(told, str) else isEqual(told, nonce)
    wrong = (
        "nonce" if not isSame
        else "aud" if client not in audience
        else "azp" if len(audience) > 1 and claims.get("azp") != client
        else "iss" if issuer is not None and claims.get("iss") != issuer
        else "exp" if not isinstance(end, (int, float)) or end <= time.time() - 60
        else None
    )
    if wrong:
        raise Refusal(403, "token_refused", f"the ID token is not valid: {wrong}")


def digits_of(number):
    if not isinstance(number, str) or not re.fullmatch(r"\+?[1-9][0-9]{6,14}", number):
        raise Refusal(400, "bad_request", "phone_number is not a number in international form, as in +447700900123")
    return number.lstrip("+")


# --- tru.ID --------------------------------------------------------------------------------------


class TruID:
    """tru.ID's checks, with the paths and answers of tru.ID's dev server. Whoever asks must know the password: a
    check that is completed costs money."""

    PRODUCTS = {"phone-check": "phone_check", "subscriber-check": "subscriber_check"}
    KEYS = {"api": str, "clientID": str, "periodMinutes": int}

    def __init__(self, settings, secret, caller, checks_each_minute):
        self.api = settings.get("api", "https://eu.api.tru.id").rstrip("/")
        self.client, self.period = settings["clientID"], settings.get("periodMinutes")
        self.secret, self.caller = secret, caller
        self.allowance = Allowance(checks_each_minute)
        self.checks = Table(600)  # those that this server created: nobody reads another's by guessing
        self.matched = Table(600)  # those that have begun a session
        self.lock, self.token, self.end = threading.Lock(), None, 0

    def access_token(self, scope=None):
        if scope is None:
            with self.lock:
                if self.token and self.end > now():
                    return self.token
        form = {"grant_type": "client_credentials", "scope": scope or "phone_check subscriber_check sim_check coverage"}
        status, answer, _ = self.caller.ask(
            "POST", self.api + "/oauth2/v1/token", basic(self.client, self.secret, False), form
        )
        token = tokens_of(status, answer, urlsplit(self.api).hostname)
        if scope is None:
            life = token.get("expires_in")
            with self.lock:
                self.token = token["access_token"]
                self.end = now() + (life if isinstance(life, (int, float)) else 0) - 60
        return token["access_token"]

    def ask(self, method, path, value=None, content_type="application/json"):
        authorization = {"Authorization": "Bearer " + self.access_token()}
        status, answer, headers = self.caller.ask(
            method, self.api + path, authorization, value=value, content_type=content_type
        )
        if status == 401:
            with self.lock:
                self.token = None
        if not 200 <= status <= 299 or not isinstance(answer, dict):
            passed = [("Retry-After", headers["Retry-After"])] if (headers["Retry-After"] or "").isdigit() else []
            raise Passed(status if status >= 400 else 502, answer if isinstance(answer, dict) else {}, passed)
        return answer

    def create(self, product, version, fields, sessions):
        number = digits_of(required(fields, "phone_number"))
        self.allowance.take()
        body = {"phone_number": number}
        if product == "subscriber_check" and self.period:
            body["period"] = self.period
        if version == "v0.2" and "redirect_url" in fields:
            body["redirect_url"] = required(fields, "redirect_url")
        check = self.ask("POST", f"/{product}/{version}/checks", body)
        url = (((check.get("_links") or {}).get("check_url")) or {}).get("href")
        if not isinstance(check.get("check_id"), str) or not isinstance(url, str):
            raise Refusal(502, "bad_answer", "tru.ID's answer has no check_id or no check_url")
        self.checks.put(check["check_id"], (product, version, number))
        return {"check_id": check["check_id"], "check_url": url}

    def known(self, product, version, check):
        found = self.checks.get(check) if re.fullmatch(r"[A-Za-z0-9-]{8,64}", check) else None
        if found is None or found[:2] != (product, version):
            raise Refusal(404, "check_not_found", "this server created no such check in the last ten minutes")
        return found[2]

    def result(self, product, version, check, sessions):
        number = self.known(product, version, check)
        return self.shown(product, self.ask("GET", f"/{product}/{version}/checks/{check}"), number, sessions)

    def exchange(self, product, fields, sessions):
        code, check = required(fields, "code"), required(fields, "check_id")
        number = self.known(product, "v0.2", check)
        if not sessions.codes.put_once(code):
            raise Refusal(400, "invalid_grant", "this code was used before")
        patch = [{"op": "add", "path": "/code", "value": code}]
        answer = self.ask("PATCH", f"/{product}/v0.2/checks/{check}", patch, "application/json-patch+json")
        return self.shown(product, answer, number, sessions)

    def shown(self, product, answer, number, sessions):
        """What an app learns. A match begins a session, but not if the SIM was changed lately."""
        names = ["check_id", "match"]
        names += ["no_sim_change", "last_sim_change_at"] if product == "subscriber_check" else []
        shown = {name: answer[name] for name in names if name in answer}
        isUnchanged = product == "phone_check" or answer.get("no_sim_change") is True
        if answer.get("match") is True and isUnchanged and answer.get("status", "COMPLETED") == "COMPLETED":
            # One check is one session, however often its result is read.
            if self.matched.put_once(str(answer.get("check_id"))):
                shown["session"] = sessions.begin("truID", phone_number="+" + number)
        return shown

    def sim_check(self, fields):
        body = {"phone_number": digits_of(required(fields, "phone_number"))}
        self.allowance.take()
        if self.period:
            body["period"] = self.period
        answer = self.ask("POST", "/sim_check/v0.1/checks", body)
        # An answer without no_sim_change is one that tells neither.
        return {name: answer[name] for name in ("no_sim_change", "last_sim_change_at") if name in answer}

    def coverage_token(self):
        self.allowance.take()
        return {"token": self.access_token("coverage"), "url": self.api + "/coverage/v0.1/device_ip"}

    def country(self, fields):
        code = required(fields, "country_code")
        if not re.fullmatch(r"[A-Za-z0-9]{1,4}", code):
            raise Refusal(400, "bad_request", "country_code is no country, as in GB or 44")
        return self.ask("GET", "/coverage/v0.1/countries/" + code)

    def device(self, fields):
        try:
            # The name is the dev server's own.
            address = ipaddress.ip_address(required(fields, "id_address"))
        except ValueError:
            raise Refusal(400, "bad_request", "id_address is no IP address") from None
        return self.ask("GET", "/coverage/v0.1/device_ips/" + quote(str(address), safe=""))


# --- flows that end with a code ------------------------------------------------------------------


class Flow:
    """One authorization under way: what the code must come back with."""

    def __init__(self, number=None, endpoints=None):
        self.state, self.nonce = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        self.verifier = secrets.token_urlsafe(48)
        self.number, self.endpoints = number, endpoints

    @property
    def challenge(self):
        """RFC 7636, 4.2, S256."""
        return base64url(hashlib.sha256(self.verifier.encode()).digest())


def code_of(flow, parameters):
    """The code of a redirect that belongs to a flow; each parameter must stand there once."""
    for name in ("code", "state", "error", "iss"):
        if len(parameters.get(name, [])) > 1:
            raise Refusal(400, "bad_request", f"{name} stands twice in the redirect")
    state = parameters.get("state", [""])[0]
    if not isEqual(state, flow.state):
        raise Refusal(403, "state_mismatch", "the redirect does not belong to this session")
    if "error" in parameters:
        word = parameters["error"][0]
        shown = word if re.fullmatch(r"[A-Za-z_]{1,60}", word) else "a word that is no error of OAuth"
        raise Refusal(403, "refused", f"the provider refused: {shown}")
    code = parameters.get("code", [""])[0]
    if not code:
        raise Refusal(400, "bad_request", "code parameter is required")
    return code


class IPification:
    KEYS = {"host": str, "realm": str, "clientID": str, "redirectURI": str, "scope": str, "consentID": str}

    def __init__(self, settings, secret, caller):
        host = settings.get("host", "https://api.ipification.com").rstrip("/")
        self.root = f"{host}/auth/realms/{settings.get('realm', 'ipification')}"
        self.client, self.redirect = settings["clientID"], settings["redirectURI"]
        self.scope, self.consent = settings.get("scope", "openid ip:phone_verify"), settings.get("consentID")
        self.secret, self.caller = secret, caller

    def start(self, fields):
        flow = Flow(digits_of(required(fields, "phone_number")))
        query = {
            "response_type": "code", "client_id": self.client, "redirect_uri": self.redirect, "scope": self.scope,
            "login_hint": flow.number, "state": flow.state, "nonce": flow.nonce,
        }
        if self.consent:
            query.update(consent_id=self.consent, consent_timestamp=str(int(time.time())))
        return flow, f"{self.root}/protocol/openid-connect/auth?{urlencode(query)}"

    def claims(self, code, number, nonce):
        """Exchanges a code, and reads whose number it is. The answer must be about the number that was asked about,
        and about this request."""
        form = {
            "grant_type": "authorization_code", "code": code, "redirect_uri": self.redirect, "client_id": self.client,
            "client_secret": self.secret,
        }
        place = f"{self.root}/protocol/openid-connect"
        status, answer, _ = self.caller.ask("POST", place + "/token", form=form)
        tokens = tokens_of(status, answer, urlsplit(self.root).hostname)
        own = claims_of(tokens.get("id_token"))
        check_claims(own, self.client, nonce)
        status, claims, _ = self.caller.ask("POST", place + "/userinfo", form={"access_token": tokens["access_token"]})
        if status != 200 or not isinstance(claims, dict):
            raise Refusal(502, "provider_refused", f"the provider's user information is refused with {status}")
        if claims.get("sub") != own.get("sub") or claims.get("login_hint", number) != number:
            raise Refusal(403, "token_refused", "the answer is about somebody else")
        return claims

    def finish(self, flow, code):
        claims = self.claims(code, flow.number, flow.nonce)
        # The provider writes a text where others have a boolean.
        isVerified = claims.get("phone_number_verified") in (True, "true") and claims.get("sub") != "anonymous"
        if isVerified and claims.get("login_hint") != flow.number:
            raise Refusal(403, "token_refused", "the answer does not say which number it is about")
        return isVerified, {"phone_number": "+" + flow.number} if isVerified else {}

    def complete(self, fields, sessions):
        """For modemd's key `backend`: modemd made the request itself, and passes on its code. If the request had a
        nonce, only who made it can use the code, and not somebody who saw the code go by."""
        code = required(fields, "code")
        nonce = required(fields, "nonce") if "nonce" in fields else None
        number = digits_of(required(fields, "login_hint"))
        if required(fields, "redirect_uri") != self.redirect:
            raise Refusal(400, "bad_request", "redirect_uri is not the registered one")
        if not sessions.codes.put_once(code):
            raise Refusal(400, "invalid_grant", "this code was used before")
        claims = self.claims(code, number, nonce)
        names = ("sub", "login_hint", "phone_number_verified", "mobile_id")
        return {name: claims[name] for name in names if name in claims}


class NumberVerification:
    """CAMARA's Number Verification, with the code flow of its security profile."""

    KEYS = {
        "root": str, "authorizationEndpoint": str, "tokenEndpoint": str, "clientID": str, "redirectURI": str,
        "scope": str, "version": str,
    }

    def __init__(self, settings, secret, caller):
        self.api = f"{settings['root'].rstrip('/')}/number-verification/{settings.get('version', 'v2')}/verify"
        self.authorization, self.token = settings["authorizationEndpoint"], settings["tokenEndpoint"]
        self.client, self.redirect = settings["clientID"], settings["redirectURI"]
        self.scope = settings.get("scope", "openid dpv:FraudPreventionAndDetection number-verification:verify")
        self.secret, self.caller = secret, caller

    def start(self, fields):
        flow = Flow("+" + digits_of(required(fields, "phone_number")))
        query = {
            "response_type": "code", "client_id": self.client, "redirect_uri": self.redirect, "scope": self.scope,
            "state": flow.state, "nonce": flow.nonce, "prompt": "none", "code_challenge": flow.challenge,
            "code_challenge_method": "S256",
        }
        return flow, with_query(self.authorization, query)

    def finish(self, flow, code):
        form = {
            "grant_type": "authorization_code", "code": code, "redirect_uri": self.redirect,
            "code_verifier": flow.verifier,
        }
        status, answer, _ = self.caller.ask("POST", self.token, basic(self.client, self.secret), form)
        tokens = tokens_of(status, answer, urlsplit(self.token).hostname)
        if "id_token" in tokens or "openid" in self.scope.split():
            check_claims(claims_of(tokens.get("id_token")), self.client, flow.nonce)
        authorization = {"Authorization": "Bearer " + tokens["access_token"]}
        status, answer, _ = self.caller.ask("POST", self.api, authorization, value={"phoneNumber": flow.number})
        if status != 200 or not isinstance(answer, dict) or not isinstance(
            answer.get("devicePhoneNumberVerified"), bool
        ):
            word = answer.get("code") if isinstance(answer, dict) else None
            shown = word if isinstance(word, str) and re.fullmatch(r"[A-Z_.]{1,80}", word) else "no word"
            raise Refusal(502, "provider_refused", f"the API refused with {status} and {shown}")
        isVerified = answer["devicePhoneNumberVerified"]
        return isVerified, {"phone_number": flow.number} if isVerified else {}


class MobileConnect:
    """Mobile Connect: the operator comes from its issuer, or from a discovery service that knows this app."""

    KEYS = {
        "issuer": str, "clientID": str, "discovery": str, "discoveryClientID": str, "redirectURI": str, "scope": str,
        "version": str,
    }

    def __init__(self, settings, secret, discovery_secret, caller):
        self.issuer, self.client, self.secret = settings.get("issuer"), settings.get("clientID"), secret
        self.discovery, self.discovery_client = settings.get("discovery"), settings.get("discoveryClientID")
        self.discovery_secret, self.caller = discovery_secret, caller
        self.redirect, self.scope = settings["redirectURI"], settings.get("scope", "openid mc_authn")
        self.version = settings.get("version", "mc_v1.1")

    def start(self, fields):
        number = fields.get("phone_number")
        return self.request(digits_of(number) if number is not None else None, {})

    def request(self, number, device):
        """The flow and where it leads: the operator, or (without a flow) the page on which a person selects it."""
        if self.issuer:
            metadata = self.metadata(self.issuer + "/.well-known/openid-configuration")
            endpoints, encrypted = self.endpoints({}, metadata, self.client, self.secret, self.issuer), None
        else:
            endpoints, encrypted = self.discover(number, device)
        if isinstance(endpoints, str):
            return None, endpoints
        flow = Flow(number, endpoints)
        query = {
            "response_type": "code", "client_id": endpoints["client"], "redirect_uri": self.redirect,
            "scope": self.scope, "version": self.version, "acr_values": "2", "state": flow.state, "nonce": flow.nonce,
        }
        encrypted = encrypted or device.get("subscriberId")
        if encrypted:
            query["login_hint"] = "ENCR_MSISDN:" + encrypted
        elif number:
            query["login_hint"] = "MSISDN:" + number
        return flow, with_query(endpoints["authorization"], query)

    def metadata(self, url):
        status, answer, _ = self.caller.ask("GET", url)
        return answer if status == 200 and isinstance(answer, dict) else {}

    def endpoints(self, links, metadata, client, secret, issuer=None):
        """The operator's own metadata comes before the links of a discovery service."""
        found = {"client": client, "secret": secret, "issuer": metadata.get("issuer") or links.get("issuer")}
        for name in ("authorization", "token", "userinfo"):
            found[name] = metadata.get(name + "_endpoint") or links.get(name)
        if issuer is not None and found["issuer"] != issuer:
            raise Refusal(502, "bad_answer", "the operator's metadata is of another issuer")
        wrong = [name for name in ("authorization", "token", "userinfo", "issuer", "client", "secret")
                 if not isinstance(found[name], str) or not found[name]]
        wrong += [name for name in ("authorization", "token", "userinfo")
                  if name not in wrong and not found[name].startswith("https://")]
        if wrong:
            raise Refusal(502, "bad_answer", f"the operator is not fully known: {wrong[0]} is missing or not https")
        return found

    def discover(self, number, device):
        parameters = {"Redirect_URL": self.redirect}
        if number:
            parameters["MSISDN"] = number
        elif "selected" in device:
            parameters["Selected-MCC"], parameters["Selected-MNC"] = device["selected"]
        elif "mcc" in device:
            parameters["Identified-MCC"], parameters["Identified-MNC"] = device["mcc"], device["mnc"]
        headers = basic(self.discovery_client, self.discovery_secret, False)
        if "sourceIp" in device:
            headers["X-Source-IP"] = device["sourceIp"]
        if number:
            status, answer, _ = self.caller.ask("POST", self.discovery, headers, parameters)
        else:
            status, answer, _ = self.caller.ask("GET", with_query(self.discovery, parameters), headers)
        if status == 202 and isinstance(answer, dict):
            for link in answer.get("links") or []:
                if isinstance(link, dict) and link.get("rel") == "operatorSelection" and is_https(link.get("href")):
                    return link["href"], None
        if status != 200 or not isinstance(answer, dict) or not isinstance(answer.get("response"), dict):
            raise Refusal(502, "operator_unknown", f"the discovery service found no operator ({status})")
        found = answer["response"]
        apis = found.get("apis") if isinstance(found.get("apis"), dict) else {}
        operator = apis.get("operatorid") if isinstance(apis.get("operatorid"), dict) else {}
        links = {
            link["rel"]: link["href"] for link in operator.get("link") or []
            if isinstance(link, dict) and isinstance(link.get("rel"), str) and isinstance(link.get("href"), str)
        }
        metadata = self.metadata(links["openid-configuration"]) if is_https(links.get("openid-configuration")) else {}
        encrypted = answer.get("subscriber_id")
        isHex = isinstance(encrypted, str) and re.fullmatch(r"[0-9A-Fa-f]{1,2048}", encrypted)
        places = self.endpoints(links, metadata, found.get("client_id"), found.get("client_secret"))
        return places, encrypted if isHex else None

    def finish(self, flow, code):
        places = flow.endpoints
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": self.redirect}
        status, answer, _ = self.caller.ask("POST", places["token"], basic(places["client"], places["secret"]), form)
        tokens = tokens_of(status, answer, urlsplit(places["token"]).hostname)
        claims = claims_of(tokens.get("id_token"))
        check_claims(claims, places["client"], flow.nonce, places["issuer"])
        authorization = {"Authorization": "Bearer " + tokens["access_token"]}
        status, user, _ = self.caller.ask("GET", places["userinfo"], authorization)
        subject = claims.get("sub")
        if status != 200 or not isinstance(user, dict) or not isinstance(subject, str) or user.get("sub") != subject:
            raise Refusal(403, "token_refused", "the operator's user information is about somebody else")
        # The app's own id of the user: the operator's pseudonym stays on this server.
        return True, {"id": hashlib.sha256(f"{places['issuer']}\n{subject}".encode()).hexdigest()[:32]}


def is_https(url):
    return isinstance(url, str) and url.startswith("https://")


def with_query(url, parameters):
    return url + ("&" if "?" in url else "?") + urlencode(parameters)


def required(fields, name):
    value = fields.get(name)
    if not isinstance(value, str) or not value:
        # The dev server's word, and OAuth's beside it.
        refusal = Refusal(400, "bad_request", f"{name} parameter is required")
        refusal.body["error_message"] = f"{name} parameter is required"
        raise refusal
    return value


class Sessions:
    """Who is signed in, and what may be used only once."""

    def __init__(self):
        self.signed_in, self.flows = Table(SESSION_SECONDS), Table(FLOW_SECONDS)
        # Providers' codes are good for a minute or two. With the allowance of starts this never fills the table.
        self.codes = Table(2 * FLOW_SECONDS)

    def begin(self, provider, **facts):
        """A new secret for a new right: what somebody knew before the sign-in is worth nothing after it."""
        token = secrets.token_urlsafe(32)
        self.signed_in.put(token, {"provider": provider, **facts, "end": now() + SESSION_SECONDS})
        return token


# --- tickets for modemd-web ----------------------------------------------------------------------


class Tickets:
    """Questions for modemd-web on the machine of whoever has the page open. Each is claimed once. Its verdict counts
    for the browser that began, and only when it comes back with the code that modemd-web gave the device's browser:
    somebody who sends the link to another person gets nothing."""

    KEYS = {"bridge": str}
    COOKIE = "__Host-ticket"

    def __init__(self, settings, secret, origin):
        self.bridge, self.secret, self.origin = settings.get("bridge", "http://127.0.0.1:61977"), secret, origin
        self.tickets, self.lock = Table(FLOW_SECONDS), threading.Lock()

    def start(self, fields):
        """A new ticket: its link, and the cookie of the browser that it is for."""
        number = "+" + digits_of(required(fields, "phone_number"))
        ticket, browser = secrets.token_urlsafe(24), secrets.token_urlsafe(32)
        entry = {"id": ticket, "ask": "verify", "number": number, "browser": browser, "end": now() + FLOW_SECONDS}
        self.tickets.put(ticket, entry)
        link = f"{self.bridge}/start?" + urlencode({"ticket": f"{self.origin}/modem/tickets/{ticket}"})
        cookie = f"{self.COOKIE}={browser}; Max-Age={FLOW_SECONDS}; Path=/; Secure; HttpOnly; SameSite=Lax"
        return link, cookie

    def known(self, request, ticket):
        """The ticket, for the one service that has the secret."""
        if not isEqual(request.bearer() or "", self.secret):
            raise Refusal(401, "unauthenticated", "modemd-web's secret is expected", [("WWW-Authenticate", "Bearer")])
        entry = self.tickets.get(ticket)
        if entry is None:
            raise Refusal(404, "ticket_not_found", "there is no such ticket, or it is too old")
        return entry

    def offer(self, entry):
        with self.lock:
            if "claimed" in entry:
                raise Refusal(410, "used", "this ticket was claimed before")
        seconds = max(1, int(entry["end"] - now()))
        return {"id": entry["id"], "ask": entry["ask"], "expiresInSeconds": seconds}

    def claim(self, entry):
        with self.lock:
            if "claimed" in entry:
                raise Refusal(409, "used", "this ticket was claimed before")
            entry["claimed"] = True
        return {"id": entry["id"], "ask": entry["ask"], "number": entry["number"]}

    def verdict(self, entry, fields):
        result, code = required(fields, "result"), required(fields, "returnCode")
        if fields.get("ticket") != entry["id"] or fields.get("ask") != entry["ask"]:
            raise Refusal(400, "bad_request", "the verdict is of another ticket")
        with self.lock:
            if "claimed" not in entry:
                raise Refusal(409, "not_claimed", "nobody has claimed this ticket")
            # modemd-web tells a verdict again if the first answer got lost.
            if entry.setdefault("verdict", (result, code)) != (result, code):
                raise Refusal(409, "used", "this ticket has another verdict")

    def back(self, request, sessions):
        """The browser is back: what its user gets."""
        fields = request.fields()
        ticket, code = required(fields, "ticket"), fields.get("code", "")
        entry = self.tickets.get(ticket)
        browser = request.cookie(self.COOKIE) or ""
        if entry is None or not isEqual(browser, entry["browser"]):
            raise Refusal(403, "expired", "this browser began nothing here in the last two minutes")
        with self.lock:
            result, told = entry.get("verdict", ("cancelled", None))
            isFirst = "ended" not in entry
            if told is not None and not (isinstance(code, str) and isEqual(code, told)):
                raise Refusal(403, "code_refused", "this browser does not come from modemd-web")
            entry["ended"] = True
        if result != "verified" or told is None or not isFirst:
            return {"result": result if isFirst else "used"}
        session = sessions.begin("modemd-web", phone_number=entry["number"])
        return {"result": result, "session": session, "phone_number": entry["number"]}

    PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Phone number</title></head><body><main><h1>Phone number</h1>
<form id="number" method="post" action="/modem/start"><label for="phone_number">Your phone number</label>
<input id="phone_number" name="phone_number" type="tel" autocomplete="tel" placeholder="+447700900123" required>
<button id="verify">Verify</button></form></main></body></html>
"""


# --- the server ----------------------------------------------------------------------------------


class App:
    """What each request leads to."""

    KINDS = {"ipification": "ipification", "number-verification": "camara", "mobile-connect": "mobileConnect"}
    LIBRARY = "/mobile-connect/server_side_api/"
    COOKIE = "__Host-flow"

    def __init__(self, settings, secret):
        caller = Caller(settings.get("authorities"))
        limit = settings.get("checksPerMinute", 30)
        self.origin = settings.get("publicURL", "").rstrip("/")
        self.user, self.password = settings.get("user", "app"), secret("app.password", "truID" in settings)
        self.sessions = Sessions()
        self.starts, self.wrong_passwords = Allowance(600), Allowance(30)
        self.truid = self.flows = self.tickets = None
        if "tickets" in settings:
            if not self.origin:
                raise WrongConfiguration("tickets need publicURL, where modemd-web asks for them")
            self.tickets = Tickets(settings["tickets"], secret("tickets.token", True), self.origin)
        if "truID" in settings:
            self.truid = TruID(settings["truID"], secret("truid.client-secret", True), caller, limit)
        self.flows = {}
        if "ipification" in settings:
            self.flows["ipification"] = IPification(
                settings["ipification"], secret("ipification.client-secret", True), caller)
        if "camara" in settings:
            self.flows["number-verification"] = NumberVerification(
                settings["camara"], secret("camara.client-secret", True), caller)
        if "mobileConnect" in settings:
            own = settings["mobileConnect"]
            self.flows["mobile-connect"] = MobileConnect(
                own, secret("mobile-connect.client-secret", "issuer" in own),
                secret("mobile-connect.discovery-secret", "discovery" in own), caller)

    def answer(self, request):
        """The name of what was asked, for the log, and a status, a value and headers."""
        parts = [part for part in request.path.split("/") if part]
        if parts == ["session"]:
            return "session", self.session(request)
        if request.path.startswith(self.LIBRARY) and "mobile-connect" in self.flows:
            return "mobile-connect-button", self.button(request, request.path[len(self.LIBRARY):])
        if len(parts) == 2 and parts[0] in self.flows:
            return "/".join([parts[0], parts[1] if parts[1] in ("start", "finish", "complete") else "…"]), (
                self.flow(request, *parts))
        if self.tickets and parts[:1] == ["modem"]:
            return "/".join(["modem", parts[1] if len(parts) > 1 else ""]), self.modem(request, parts[1:])
        version = parts.pop(0) if parts and parts[0] in ("v0.1", "v0.2") else None
        if self.truid and parts:
            return "truid", self.check(request, version, parts)
        raise Refusal(404, "not_found", "nothing is served here")

    # Sessions

    def session(self, request):
        token = request.bearer() or ""
        known = self.sessions.signed_in.get(token)
        if known is None:
            raise Refusal(401, "unauthenticated", "there is no such session", [("WWW-Authenticate", "Bearer")])
        if request.method == "DELETE":
            self.sessions.signed_in.take(token)
            return 204, None, []
        if request.method != "GET":
            raise Refusal(405, "method_not_allowed", "GET or DELETE is expected", [("Allow", "GET, DELETE")])
        facts = {name: value for name, value in known.items() if name != "end"}
        return 200, {**facts, "expires_in": int(known["end"] - now())}, []

    # Tickets for modemd-web

    def modem(self, request, parts):
        tickets, step = self.tickets, [request.method] + parts
        if step == ["GET"]:
            return 200, tickets.PAGE, []
        if step == ["POST", "start"]:
            self.starts.take()
            isForm = "form" in (request.headers.get("Content-Type") or "")
            link, cookie = tickets.start(request.fields())
            headers = [("Set-Cookie", cookie)]
            return (303, None, headers + [("Location", link)]) if isForm else (201, {"link": link}, headers)
        if step == ["GET", "back"]:
            return 200, tickets.back(request, self.sessions), []
        if len(parts) in (2, 3) and parts[0] == "tickets":
            entry = tickets.known(request, parts[1])
            if request.method == "GET" and len(parts) == 2:
                return 200, tickets.offer(entry), []
            if step[0] == "POST" and parts[2:] == ["claim"]:
                return 200, tickets.claim(entry), []
            if step[0] == "POST" and parts[2:] == ["verdict"]:
                tickets.verdict(entry, request.fields())
                return 204, None, []
        raise Refusal(404, "not_found", "nothing is served here")

    # tru.ID

    def authorize(self, request):
        name, password = request.basic()
        isOwn = isEqual(name, self.user)
        if not (isEqual(password, self.password) and isOwn):
            self.wrong_passwords.take()
            raise Refusal(401, "unauthenticated", "user and password are expected",
                          [("WWW-Authenticate", 'Basic realm="app", charset="UTF-8"')])

    def check(self, request, version, parts):
        self.authorize(request)
        truid, sessions, name = self.truid, self.sessions, parts[0]
        fields = request.fields()
        if request.method == "POST" and parts == ["sim-check"]:
            return 200, truid.sim_check(fields), []
        if request.method == "GET" and version is None and parts == ["coverage-access-token"]:
            return 200, truid.coverage_token(), []
        if request.method == "GET" and version is None and parts in (["country"], ["device"]):
            return 200, (truid.country if name == "country" else truid.device)(fields), []
        if parts in (["check"], ["check_status"]) and version is None:
            name = "phone-check"
        product = truid.PRODUCTS.get(name)
        if product is None or len(parts) > 2:
            raise Refusal(404, "not_found", "nothing is served here")
        if len(parts) == 2 and parts[1] == "exchange-code" and version == "v0.2":
            if request.method not in ("GET", "POST"):
                raise Refusal(405, "method_not_allowed", "GET or POST is expected", [("Allow", "GET, POST")])
            return 200, truid.exchange(product, fields, sessions), []
        version = version or "v0.1"
        if request.method == "POST" and len(parts) == 1:
            return 200, truid.create(product, version, fields, sessions), []
        if request.method == "GET":
            check = parts[1] if len(parts) == 2 else required(fields, "check_id")
            return 200, truid.result(product, version, check, sessions), []
        raise Refusal(405, "method_not_allowed", "GET or POST is expected", [("Allow", "GET, POST")])

    # Flows that the app's own program begins and ends

    def flow(self, request, kind, step):
        provider, sessions = self.flows[kind], self.sessions
        if request.method != "POST" or step not in ("start", "finish", "complete"):
            raise Refusal(404, "not_found", "POST to start or finish is expected")
        fields = request.fields()
        self.starts.take()
        if step == "complete":
            if kind != "ipification":
                raise Refusal(404, "not_found", "nothing is served here")
            return 200, provider.complete(fields, sessions), []
        if step == "start":
            flow, url = provider.start(fields)
            if flow is None:
                raise Refusal(409, "operator_unknown", "a person must select the operator; give phone_number")
            token = secrets.token_urlsafe(32)
            sessions.flows.put(kind + token, flow)
            return 201, {"session": token, "authorization_url": url, "redirect_uri": provider.redirect}, []
        token, redirect = required(fields, "session"), required(fields, "redirect")
        flow = sessions.flows.take(kind + token)
        if flow is None:
            raise Refusal(403, "expired", "there is no such session; it ends after one answer, or two minutes")
        # The registered URI as a whole, and not what only begins like it.
        if re.split(r"[?#]", redirect)[0] != provider.redirect:
            raise Refusal(400, "bad_request", "redirect is not the registered redirect URI with its parameters")
        text = redirect[len(provider.redirect):].replace("#", "&").lstrip("?&")
        return 200, self.end(kind, provider, flow, parse_qs(text, keep_blank_values=True)), []

    def end(self, kind, provider, flow, parameters):
        code = code_of(flow, parameters)
        if not self.sessions.codes.put_once(code):
            raise Refusal(400, "invalid_grant", "this code was used before")
        isVerified, facts = provider.finish(flow, code)
        if not isVerified:
            return {"result": "notVerified"}
        session = self.sessions.begin(self.KINDS[kind], **facts)
        return {"result": "signedIn" if "id" in facts else "verified", "session": session, **facts}

    # The Mobile Connect button: the device follows redirects from here to the operator and back

    def button(self, request, step):
        provider, sessions = self.flows["mobile-connect"], self.sessions
        if request.method != "GET":
            raise Refusal(405, "method_not_allowed", "GET is expected", [("Allow", "GET")])
        query = request.query()
        if any(len(values) > 1 for values in query.values()):
            raise Refusal(400, "bad_request", "a parameter stands twice")
        given = {name: values[0] for name, values in query.items()}
        self.starts.take()
        if step in ("start_discovery", "start_discovery_manually"):
            return self.lead(*provider.request(*device_of(given)))
        if step != "discovery_callback":
            raise Refusal(404, "not_found", "nothing is served here")
        cookie = request.cookie(self.COOKIE)
        flow = sessions.flows.take("button" + cookie) if cookie else None
        if flow is None:
            raise Refusal(403, "expired", "this device began no sign-in here in the last two minutes")
        if "mcc_mnc" in given and "code" not in given:
            halves = re.fullmatch(r"([0-9]{3})_([0-9]{2,3})", given["mcc_mnc"])
            if not halves or flow != "selecting":
                raise Refusal(400, "bad_request", "mcc_mnc is no network, or none was asked for")
            chosen = {"selected": halves.groups()}
            if re.fullmatch(r"[0-9A-Fa-f]{1,2048}", given.get("subscriber_id", "")):
                chosen["subscriberId"] = given["subscriber_id"]
            return self.lead(*provider.request(None, chosen))
        if flow == "selecting":
            raise Refusal(403, "expired", "no operator was selected")
        # The device that began gets the session, and nobody else does.
        gone = ("Set-Cookie", f"{self.COOKIE}=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax")
        return 200, self.end("mobile-connect", provider, flow, query), [gone]

    def lead(self, flow, url):
        token = secrets.token_urlsafe(32)
        self.sessions.flows.put("button" + token, flow or "selecting")
        cookie = f"{self.COOKIE}={token}; Max-Age={FLOW_SECONDS}; Path=/; Secure; HttpOnly; SameSite=Lax"
        return 302, None, [("Location", url), ("Set-Cookie", cookie)]


def device_of(given):
    """What a button says about its device: a number, and the rest."""
    forms = {
        "msisdn": r"[1-9][0-9]{6,14}", "mcc": r"[0-9]{3}", "mnc": r"[0-9]{2,3}", "subscriberId": r"[0-9A-Fa-f]{1,2048}",
        "ignoreIp": r"true|false", "sourceIp": r"[0-9A-Fa-f.:]{2,45}",
    }
    for name, value in given.items():
        if name not in forms or not re.fullmatch(forms[name], value):
            raise Refusal(400, "bad_request", f"{name if name in forms else 'a parameter'} is not as it should be")
    if ("mcc" in given) != ("mnc" in given):
        raise Refusal(400, "bad_request", "mcc and mnc go together")
    device = {name: value for name, value in given.items() if name not in ("msisdn", "ignoreIp")}
    if given.get("ignoreIp") == "true":
        device.pop("sourceIp", None)
    return given.get("msisdn"), device


class Handler(http.server.BaseHTTPRequestHandler):
    """One request and its answer; the connection then ends."""

    server_version, sys_version = "app-server", ""
    timeout = CALL_SECONDS

    def do_GET(self):
        self.serve()

    do_POST = do_DELETE = do_PUT = do_PATCH = do_HEAD = do_OPTIONS = do_GET

    def serve(self):
        begin, name = now(), "-"
        try:
            self.check_sender()
            self.method = self.command
            self.path, _, self.query_text = self.path.partition("?")
            self.body = self.read_body()
            name, (status, value, headers) = self.server.app.answer(self)
        except (Refusal, Passed) as refusal:
            status, value, headers = refusal.status, refusal.body, refusal.headers
        except OSError:
            # The caller is gone, or too slow.
            return
        except Exception as error:  # pylint: disable=broad-except
            # Its text may contain what came from outside.
            print(f"app-server: {type(error).__name__} while a request was answered", file=sys.stderr, flush=True)
            status, value, headers = 500, {"error": "server_error"}, []
        self.send(status, value, headers)
        method = self.command if self.command in ("GET", "POST", "DELETE") else "other"
        print(f"{method} {name} {status} {int((now() - begin) * 1000)} ms", file=sys.stderr, flush=True)

    def send(self, status, value, headers):
        isPage = isinstance(value, str)
        data = b"" if value is None else value.encode() if isPage else json.dumps(value).encode() + b"\n"
        try:
            self.send_response_only(status)
            for name, content in headers:
                self.send_header(name, content)
            if data:
                self.send_header("Content-Type", "text/html; charset=utf-8" if isPage else "application/json")
            self.send_header("Content-Length", str(len(data)))
            for name, content in (
                ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"), ("Connection", "close"),
            ):
                self.send_header(name, content)
            self.end_headers()
            self.wfile.write(data)
        except OSError:
            pass

    # What is asked

    def check_sender(self):
        """A web page that a browser shows on this machine may not ask here in its reader's name."""
        hosts = self.headers.get_all("Host") or []
        isName = len(hosts) == 1 and re.fullmatch(r"[A-Za-z0-9.-]+(:[0-9]+)?|\[::1\](:[0-9]+)?", hosts[0])
        host = re.sub(r":[0-9]+$", "", hosts[0]).strip("[]").lower() if isName else None
        own = urlsplit(self.server.app.origin).hostname
        if host not in {own, "localhost", "127.0.0.1", "::1"} - {None}:
            raise Refusal(421, "misdirected", "Host is not this server's name")
        origin = self.headers.get("Origin")
        if origin is not None and origin != self.server.app.origin:
            raise Refusal(403, "forbidden", "requests of other web pages are not answered")

    def read_body(self):
        lengths = self.headers.get_all("Content-Length") or []
        if self.headers.get("Transfer-Encoding") is not None or len(lengths) > 1:
            raise Refusal(411, "length_required", "a body is expected with one Content-Length")
        if not lengths:
            return b""
        if not re.fullmatch(r"[0-9]{1,9}", lengths[0]):
            raise Refusal(400, "bad_request", "Content-Length is no number")
        if int(lengths[0]) > BODY_LIMIT:
            raise Refusal(413, "too_large", f"a body has {BODY_LIMIT} bytes at most")
        body = self.rfile.read(int(lengths[0]))
        if len(body) != int(lengths[0]):
            raise Refusal(400, "bad_request", "the body ended early")
        return body

    def query(self):
        return self.parsed(self.query_text)

    @staticmethod
    def parsed(text):
        try:
            return parse_qs(text, keep_blank_values=True, max_num_fields=32)
        except ValueError:
            raise Refusal(400, "bad_request", "there are too many parameters") from None

    def fields(self):
        """The members of a JSON object, or the fields of a form; those of the query without a body."""
        kind = (self.headers.get("Content-Type") or "").split(";")[0].strip().lower()
        if not self.body:
            pairs = self.query()
        elif kind == "application/json":
            try:
                read = json.loads(self.body)
            except (ValueError, RecursionError):
                read = None
            if not isinstance(read, dict):
                raise Refusal(400, "bad_request", "the body is no JSON object")
            return read
        elif kind == "application/x-www-form-urlencoded":
            pairs = self.parsed(self.body.decode("latin-1"))
        else:
            raise Refusal(415, "unsupported_media_type", "JSON or a form is expected")
        if any(len(values) > 1 for values in pairs.values()):
            raise Refusal(400, "bad_request", "a parameter stands twice")
        return {name: values[0] for name, values in pairs.items()}

    def basic(self):
        """User and password of the request, empty without any."""
        scheme, _, text = (self.headers.get("Authorization") or "").partition(" ")
        if scheme.lower() != "basic":
            return "", ""
        try:
            name, _, password = base64.b64decode(text, validate=True).decode().partition(":")
        except ValueError:
            return "", ""
        return name, password

    def bearer(self):
        scheme, _, text = (self.headers.get("Authorization") or "").partition(" ")
        return text if scheme.lower() == "bearer" else None

    def cookie(self, name):
        lines = self.headers.get_all("Cookie") or []
        found = [pair.strip().partition("=") for line in lines for pair in line.split(";")]
        values = [value for key, _, value in found if key == name]
        return values[0] if len(values) == 1 else None

    def send_error(self, code, message=None, explain=None):
        """Python's own errors repeat the request line, which may have a number."""
        self.close_connection = True
        self.request_version = "HTTP/1.0"
        self.send(code, {"error": "bad_request"}, [])

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingMixIn, socketserver.TCPServer):
    """A thread for each connection, of which there is a limit; each connection has an end."""

    daemon_threads, allow_reuse_address, request_queue_size = True, True, 64

    def __init__(self, place, app, tls=None):
        self.app, self.tls = app, tls
        self.slots = threading.BoundedSemaphore(CONNECTION_LIMIT)
        self.address_family = place[0]
        super().__init__(place[1], Handler)

    def process_request(self, request, client_address):
        if not self.slots.acquire(timeout=CALL_SECONDS):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request, client_address):
        connection = request
        timer = threading.Timer(CONNECTION_SECONDS, lambda: hang_up(connection))
        timer.daemon = True
        timer.start()
        try:
            request.settimeout(CALL_SECONDS)
            if self.tls is not None:
                # In this thread: a handshake that hangs holds up nobody else.
                connection = self.tls.wrap_socket(request, server_side=True)
            self.finish_request(connection, client_address)
        except (OSError, ValueError):
            pass
        finally:
            timer.cancel()
            self.shutdown_request(connection)
            self.slots.release()


def hang_up(connection):
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass


# --- configuration -------------------------------------------------------------------------------

KEYS = {
    "listen": str, "publicURL": str, "tls": {"certificate": str, "key": str}, "authorities": str, "user": str,
    "checksPerMinute": int, "truID": TruID.KEYS, "ipification": IPification.KEYS, "camara": NumberVerification.KEYS,
    "mobileConnect": MobileConnect.KEYS, "tickets": Tickets.KEYS,
}
REQUIRED = {
    "tls": ["certificate", "key"], "truID": ["clientID"], "ipification": ["clientID", "redirectURI"],
    "camara": ["root", "authorizationEndpoint", "tokenEndpoint", "clientID", "redirectURI"],
    "mobileConnect": ["redirectURI"],
}
URLS = {"publicURL", "api", "host", "root", "authorizationEndpoint", "tokenEndpoint", "issuer", "discovery"}


def check(settings, keys, place=""):
    """Each key must be known and of its kind."""
    if not isinstance(settings, dict):
        raise WrongConfiguration(f"{place or 'the file'} is not an object")
    for key, value in settings.items():
        name = f"{place}.{key}" if place else key
        if key not in keys:
            raise WrongConfiguration(f"{name} is not known; known are {', '.join(sorted(keys))}")
        if isinstance(keys[key], dict):
            check(value, keys[key], name)
        elif not isinstance(value, keys[key]) or isinstance(value, bool):
            raise WrongConfiguration(f"{name} is not {'text' if keys[key] is str else 'a whole number'}")
        elif keys[key] is int and not 1 <= value <= 540_000:
            raise WrongConfiguration(f"{name} is not from 1 to 540000")
        elif key in URLS and not (is_https(value) and urlsplit(value).hostname and "@" not in urlsplit(value).netloc):
            raise WrongConfiguration(f"{name} is not an https URL")
    for key in REQUIRED.get(place, []):
        if key not in settings:
            raise WrongConfiguration(f"{place}.{key} is missing")
    if place == "mobileConnect":
        ways = [{"issuer", "clientID"}, {"discovery", "discoveryClientID"}]
        if sum(way <= settings.keys() for way in ways) != 1:
            raise WrongConfiguration(
                "mobileConnect is to have either issuer with clientID, or discovery with discoveryClientID")


class Secrets:
    """Secrets from files that nobody else can read."""

    NAMES = (
        "app.password", "truid.client-secret", "ipification.client-secret", "camara.client-secret",
        "mobile-connect.client-secret", "mobile-connect.discovery-secret", "tickets.token",
    )

    def __init__(self, options):
        self.paths = {}
        for option in options:
            name, mark, path = option.partition("=")
            if name not in self.NAMES or not mark:
                raise WrongConfiguration(f"--secret-file is not NAME=PATH with one of {', '.join(self.NAMES)}")
            self.paths[name] = path
        self.folder = os.environ.get("CREDENTIALS_DIRECTORY")

    def __call__(self, name, isRequired):
        path = self.paths.get(name) or (os.path.join(self.folder, name) if self.folder else None)
        if path is None or (name not in self.paths and not os.path.exists(path)):
            if isRequired:
                raise WrongConfiguration(
                    f"the secret {name} is missing; give --secret-file {name}=PATH, or the credential {name}")
            return None
        try:
            with open(path, "rb") as file:
                mode = os.fstat(file.fileno()).st_mode
                data = file.read(65_537)
        except OSError as error:
            raise WrongConfiguration(f"the secret {name} cannot be read: {error.strerror}") from None
        if mode & 0o007:
            raise WrongConfiguration(f"the file of the secret {name} is open to every user; chmod it to 600")
        try:
            text = data.decode().removesuffix("\n")
        except UnicodeDecodeError:
            text = ""
        if not text or len(data) > 65_536:
            raise WrongConfiguration(f"the secret {name} is empty, too long or no text")
        return text


def place_of(text, hasTLS):
    """The family and address of `HOST:PORT`, `[ADDRESS]:PORT` or `unix:PATH`."""
    if text.startswith("unix:") and len(text) > 5:
        return socket.AF_UNIX, text[5:]
    host, mark, port = text.rpartition(":")
    try:
        address = ipaddress.ip_address("127.0.0.1" if host == "localhost" else host.strip("[]"))
        if not mark or not re.fullmatch(r"[0-9]{1,5}", port) or int(port) > 65_535:
            raise ValueError
    except ValueError:
        raise WrongConfiguration("listen is not ADDRESS:PORT or unix:PATH, as in 127.0.0.1:8080") from None
    if not address.is_loopback and not hasTLS:
        raise WrongConfiguration(
            "listen is no loopback address, and there is no tls: give tls.certificate and tls.key, or have a proxy that"
            " ends TLS ask at 127.0.0.1 or unix:PATH")
    return (socket.AF_INET if address.version == 4 else socket.AF_INET6), (str(address), int(port))


def server_of(arguments):
    try:
        with open(arguments.configuration, encoding="utf-8") as file:
            settings = json.load(file)
    except OSError as error:
        raise WrongConfiguration(f"{arguments.configuration} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise WrongConfiguration(f"{arguments.configuration} is no JSON: {error}") from None
    check(settings, KEYS)
    place = place_of(arguments.listen or settings.get("listen", "127.0.0.1:8080"), "tls" in settings)
    tls = None
    try:
        app = App(settings, Secrets(arguments.secret_file))
        if "tls" in settings and place[0] != socket.AF_UNIX:
            tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            tls.minimum_version = ssl.TLSVersion.TLSv1_2
            tls.load_cert_chain(settings["tls"]["certificate"], settings["tls"]["key"])
    except (OSError, ssl.SSLError) as error:
        raise WrongConfiguration(f"certificates cannot be read: {error.strerror or 'their form is wrong'}") from None
    if not app.truid and not app.flows and not app.tickets:
        raise WrongConfiguration(
            "no provider is configured: truID, ipification, camara, mobileConnect or tickets is expected")
    try:
        if place[0] == socket.AF_UNIX:
            # A proxy of the same group may ask, others may not.
            os.umask(0o117)
            if os.path.lexists(place[1]) and stat.S_ISSOCK(os.lstat(place[1]).st_mode):
                # Left by one that was killed.
                os.unlink(place[1])
        return Server(place, app, tls)
    except OSError as error:
        raise WrongConfiguration(f"it cannot listen there: {error.strerror}") from None


def main():
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n\n", 1)[1], formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--configuration", required=True, metavar="FILE", help="the settings, a JSON object")
    parser.add_argument("--listen", metavar="PLACE", help="ADDRESS:PORT or unix:PATH, in place of the file's `listen`")
    parser.add_argument("--secret-file", action="append", default=[], metavar="NAME=PATH", help="a secret, in a file")
    arguments = parser.parse_args()
    try:
        server = server_of(arguments)
    except WrongConfiguration as error:
        print(f"app-server: {error}", file=sys.stderr)
        return 2

    def stop(*_):
        threading.Thread(target=server.shutdown).start()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    address = server.server_address
    shown = f"unix:{address}" if isinstance(address, str) else f"{address[0]}:{address[1]}"
    print(f"app-server: listens at {shown}", file=sys.stderr, flush=True)
    server.serve_forever(poll_interval=0.1)
    server.server_close()
    if isinstance(address, str):
        os.unlink(address)
    return 0


if __name__ == "__main__":
    sys.exit(main())
