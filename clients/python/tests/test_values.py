"""Values: words, records, what is read and written, and what is not printed."""

from __future__ import annotations

import dataclasses
import unittest
from typing import Any

from modemd import OutcomeError, ServiceError, mobile_connect, modem, truid, verify
from modemd._records import Misfit, read_record, to_json

from .served import outcome

NUMBER = "+447700900123"


class Words(unittest.TestCase):
    def test_a_word_is_its_text_and_says_whether_it_is_known(self) -> None:
        known, later = verify.OutcomeResult("verified"), verify.OutcomeResult("verifiedTwice")
        self.assertEqual(known, "verified")
        self.assertEqual(known, verify.OutcomeResult.VERIFIED)
        self.assertTrue(known.is_known and not later.is_known)
        self.assertIn("simSwapped", verify.OutcomeResult.known())

    def test_constants_of_capitals_and_words_with_underscores(self) -> None:
        self.assertEqual(verify.OutcomeResult.NOT_MOBILE_IP, "notMobileIP")
        self.assertEqual(modem.RegistrationTechnology.NR_NON_STANDALONE, "nrNonStandalone")


class Records(unittest.TestCase):
    def test_a_shared_type_is_one_class(self) -> None:
        self.assertIs(truid.Outcome, verify.Outcome)
        self.assertIs(mobile_connect.Step, verify.Step)

    def test_a_record_is_frozen(self) -> None:
        network = modem.Network(mcc="262", mnc="01")
        with self.assertRaises(dataclasses.FrozenInstanceError):
            network.mcc = "001"  # type: ignore[misc]
        self.assertIsNone(network.name)

    def test_what_is_written_is_what_is_read(self) -> None:
        request = mobile_connect.Request(scope=["openid"], hint_number=NUMBER, kyc={"name": "A"})
        written = {"scope": ["openid"], "hintNumber": NUMBER, "kyc": {"name": "A"}}
        self.assertEqual(to_json(request), written)
        read = read_record(mobile_connect.Request, written)
        self.assertEqual((read.scope, read.hint_number), (("openid",), NUMBER))

    def test_irregular_names(self) -> None:
        written = {"id": "c1", "lastSIMChange": "2026", "simChangeWithinMinutes": 5}
        check = read_record(truid.Check, written)
        self.assertEqual((check.last_sim_change, check.sim_change_within_minutes), ("2026", 5))
        self.assertEqual(to_json(check), written)

    def test_a_value_that_does_not_fit_is_named_and_not_shown(self) -> None:
        wrong: list[Any] = [7, None, [NUMBER], {}, True]
        for value in wrong:
            with self.assertRaises(Misfit) as caught:
                read_record(
                    modem.PhoneNumber, {"number": value, "normalised": True, "source": "dms"}
                )
            self.assertIn("PhoneNumber.number", str(caught.exception))
            self.assertNotIn(NUMBER, str(caught.exception))

    def test_integers_and_fractions(self) -> None:
        for number, good in [(5, True), (5.0, True), (5.5, False), (2**63, False), (True, False)]:
            try:
                cause = read_record(modem.Cause, {"code": number, "text": "t"})
                self.assertTrue(good and cause.code == 5 and isinstance(cause.code, int), number)
            except Misfit:
                self.assertFalse(good, number)


class Hidden(unittest.TestCase):
    def test_no_number_identity_or_token_is_in_a_repr(self) -> None:
        secret = "4711-secret"
        values = [
            modem.PhoneNumber(
                number=secret, normalised=True, source=modem.PhoneNumberSource("dms")
            ),
            mobile_connect.Tokens(access_token=secret, refresh_token=secret, claims={"a": secret}),
            mobile_connect.Request(hint_number=secret, state=secret, id_token_hint=secret),
            mobile_connect.Information(name=secret, email=secret, all={"x": secret}),
            verify.Credential(key="client-secret", value=secret),
        ]
        for value in values:
            self.assertNotIn(secret, repr(value))
            self.assertNotIn(secret, str([value]))
            self.assertIn("<hidden>", repr(value))

    def test_sims_hide_what_is_inside(self) -> None:
        sim = modem.SIM(state=modem.SIMState.READY, imsi="262011234567890", iccid="8949", numbers=())
        self.assertNotIn("262011234567890", repr(sim))
        self.assertIn("state='ready'", repr(sim))
        self.assertNotIn("retries_left", repr(sim))


class Outcomes(unittest.TestCase):
    def test_a_good_outcome_is_unwrapped_and_another_raised(self) -> None:
        good = read_record(verify.Outcome, outcome()["outcome"])
        self.assertIs(good.unwrap(), good)
        for word in ["notVerified", "timeout", "verifiedTwice"]:
            bad = read_record(verify.Outcome, outcome(word)["outcome"])
            with self.assertRaises(OutcomeError) as caught:
                bad.unwrap()
            self.assertIs(caught.exception.outcome, bad)
            self.assertEqual(str(caught.exception), f"{word}: so it is")


class Errors(unittest.TestCase):
    def test_an_error_is_of_its_own_class_with_its_fields(self) -> None:
        error = ServiceError.named("org.modemd.Modem.WrongPIN", {"retriesLeft": 2})
        assert isinstance(error, modem.WrongPIN)
        self.assertEqual(error.retries_left, 2)
        several = ServiceError.named("org.modemd.Modem.MoreThanOneModem", {"modems": ["a", "b"]})
        assert isinstance(several, modem.MoreThanOneModem)
        self.assertEqual(several.modems, ("a", "b"))

    def test_fields_that_are_missing_or_of_another_kind_are_none(self) -> None:
        several: list[dict[str, Any]] = [{}, {"retriesLeft": "two"}, {"retriesLeft": None}]
        for parameters in several:
            error = ServiceError.named("org.modemd.Modem.WrongPIN", parameters)
            assert isinstance(error, modem.WrongPIN)
            self.assertIsNone(error.retries_left)

    def test_unknown_errors_keep_their_name(self) -> None:
        error = ServiceError.named("org.modemd.Modem.Melted", {"degrees": 451})
        self.assertIs(type(error), ServiceError)
        self.assertEqual((error.name, error.parameters["degrees"]), ("org.modemd.Modem.Melted", 451))

    def test_sentences_are_in_the_message(self) -> None:
        error = ServiceError.named("org.modemd.Modem.NoModem", {"hint": "plug one in"})
        self.assertEqual(str(error), "org.modemd.Modem.NoModem: plug one in")
