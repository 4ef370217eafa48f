// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import ModemModel
import Web

@testable import TS43Flows

extension LoginTests {
  private static let document = Reaction.xml(Document.afterLogin)

  /// How logins end that end before the SIM has answered, or because of how it did.
  static let table: [OutcomeCase] = [
    // A login, and what may come before it ends.
    OutcomeCase(
      name: "a challenge and the document", reactions: [.relay(), .answered(.response), document],
      result: .authorized, requests: 2),
    OutcomeCase(
      name: "a JSON document",
      reactions: [.relay(), .answered(.response), .json(#"{"Token":{"token":"token-1"}}"#)], result: .authorized,
      requests: 2),
    OutcomeCase(
      name: "the SIM is ahead of the server, which sends one more challenge",
      reactions: [.relay(), .answered(.synchronisation), .relay(), .answered(.response), document],
      result: .authorized, requests: 3),
    OutcomeCase(
      name: "an identity round",
      reactions: [.relay(), .answered(.identity), .relay(), .answered(.response), document], result: .authorized,
      requests: 3),
    OutcomeCase(
      name: "fast re-authentication", reactions: [.relay(), .answered(.reauthentication), document],
      result: .authorized, requests: 2),
    OutcomeCase(
      name: "a notification of success",
      reactions: [.relay(), .answered(.response), .relay(), .answered(.notification, 32768), document],
      result: .authorized, requests: 3),
    OutcomeCase(
      name: "a word of the port that is not known",
      reactions: [.relay(), .answered(.unknown), .relay(), .answered(.response), document], result: .authorized,
      requests: 3),
    OutcomeCase(
      name: "a relay that calls itself plain JSON",
      reactions: [
        .json(#"{"eap-relay-packet":"AQIACBcBAAA="}"#), .answered(.response), document,
      ], result: .authorized, requests: 2),
    OutcomeCase(
      name: "base64 with \\/ and without padding",
      reactions: [.json(#"{"eap-relay-packet":"AQIACBcB\/\/8"}"#), .answered(.response), document],
      result: .authorized, requests: 2),

    // EAP ends the login.
    OutcomeCase(
      name: "EAP-Failure at once", reactions: [.relay(), .answered(.failure)], result: .operatorError,
      code: "eapFailure", requests: 1),
    OutcomeCase(
      name: "EAP-Failure after the SIM's answer",
      reactions: [.relay(), .answered(.response), .relay(), .answered(.failure)], result: .operatorError,
      code: "eapFailure", requests: 2, says: "ask the operator"),
    OutcomeCase(
      name: "the SIM does not accept the challenge, and the server hears of it",
      reactions: [.relay(), .answered(.rejected, text: "the AUTN is not of its network"), .relay()],
      result: .noSIMAnswer, code: "rejected", requests: 2, says: "(the AUTN is not of its network)"),
    OutcomeCase(
      name: "the same, and the server fails", reactions: [.relay(), .answered(.rejected), .text(500)],
      result: .noSIMAnswer, code: "rejected", requests: 2),
    OutcomeCase(
      name: "the same, and the server cannot be reached",
      reactions: [.relay(), .answered(.rejected), .failure(.connect)], result: .noSIMAnswer, code: "rejected",
      requests: 2),
    OutcomeCase(
      name: "the same, and the server gives a document all the same",
      reactions: [.relay(), .answered(.rejected), document], result: .noSIMAnswer, code: "rejected", requests: 2),
    OutcomeCase(
      name: "the same, and the server redirects",
      reactions: [.relay(), .answered(.rejected), .redirect("https://b.example/")], result: .noSIMAnswer,
      code: "rejected", requests: 2),
    OutcomeCase(
      name: "a challenge against the protocol", reactions: [.relay(), .answered(.refused), .relay()],
      result: .operatorError, code: "refused", requests: 2),
    OutcomeCase(
      name: "not subscribed",
      reactions: [
        .relay(), .answered(.response), .relay(), .answered(.notification, 1031), .relay(),
      ], result: .subscriberUnknown, code: "1031", requests: 3),
    OutcomeCase(
      name: "temporarily denied",
      reactions: [.relay(), .answered(.notification, 1026), .text(403)], result: .operatorError, code: "1026",
      requests: 2),
    OutcomeCase(
      name: "general failure", reactions: [.relay(), .answered(.notification, 16384), document],
      result: .operatorError, code: "16384", requests: 2),
    OutcomeCase(
      name: "EAP-Success in place of the document",
      reactions: [.relay(), .answered(.response), .relay(), .answered(.success)], result: .operatorError,
      code: "eapSuccess", requests: 2),
    OutcomeCase(
      name: "a packet without an answer",
      reactions: [.relay(), .sim(EAPReply(.unknown))], result: .badAnswer, code: "eap", requests: 1),
    OutcomeCase(
      name: "challenges without an end",
      reactions: (0..<9).flatMap { _ in [.relay(), .answered(.identity)] }, result: .operatorError,
      code: "tooManyMessages", requests: 9),

    // The SIM does not answer.
    OutcomeCase(
      name: "no SIM", reactions: [.simFails(.simAbsent)], result: .noSIMAnswer, code: "simAbsent", requests: 0),
    OutcomeCase(
      name: "a locked SIM", reactions: [.simFails(.simLocked)], result: .noSIMAnswer, code: "simLocked", requests: 0),
    OutcomeCase(
      name: "a modem that cannot ask", reactions: [.simFails(.notSupported)], result: .noSIMAnswer,
      code: "notSupported", requests: 0),
    OutcomeCase(
      name: "asked too often", reactions: [.simFails(.tooMany, retryAfter: 42)], result: .rateLimited,
      code: "tooMany", retryAfter: 42, requests: 0),
    OutcomeCase(
      name: "asked too often, within the login", reactions: [.relay(), .simFails(.tooMany, retryAfter: 7)],
      result: .rateLimited, code: "tooMany", retryAfter: 7, requests: 1),
    OutcomeCase(
      name: "the modem fails at the challenge", reactions: [.relay(), .simFails(.modemFailed)], result: .noSIMAnswer,
      code: "modemFailed", requests: 1),

    // The document does not follow from the login.
    OutcomeCase(
      name: "a document without a challenge", reactions: [document], result: .badAnswer, code: "noChallenge",
      requests: 1),
    OutcomeCase(
      name: "a document after an identity round alone", reactions: [.relay(), .answered(.identity), document],
      result: .badAnswer, code: "noChallenge", requests: 2),
    OutcomeCase(
      name: "a document without a token",
      reactions: [.relay(), .answered(.response), .xml(Document.xml("", token: nil))], result: .badAnswer,
      code: "noToken", requests: 2),
    OutcomeCase(
      name: "a page in place of the document",
      reactions: [
        .relay(), .answered(.response),
        .reply(200, "<html></html>", [WebHeader(name: "content-type", value: "text/html")]),
      ], result: .interactionRequired, status: 200, requests: 2),
    OutcomeCase(
      name: "a document that is cut off",
      reactions: [.relay(), .answered(.response), .xml(String(Document.afterLogin.dropLast(10)))],
      result: .badAnswer, code: "incomplete", status: 200, requests: 2),
    OutcomeCase(
      name: "an empty answer", reactions: [.relay(), .answered(.response), .xml("")], result: .badAnswer,
      code: "empty", status: 200, requests: 2),
    OutcomeCase(
      name: "a relay that cannot be read", reactions: [.json(#"{"eap-relay-packet":"%%%%"}"#)], result: .badAnswer,
      status: 200, requests: 1),
    OutcomeCase(
      name: "a relay that is too large",
      reactions: [.relay([UInt8](repeating: 1, count: 5000))], result: .badAnswer, status: 200, requests: 1),
    OutcomeCase(
      name: "a relay without its packet",
      reactions: [
        .reply(
          200, "{}", [WebHeader(name: "content-type", value: "application/vnd.gsma.eap-relay.v1.0+json")])
      ], result: .badAnswer, status: 200, requests: 1),

    // The statuses of TS.43, 2.10, at the first request.
    OutcomeCase(
      name: "400", reactions: [.text(400, "Missing parameter app")], result: .badRequest, status: 400, requests: 1,
      says: "\"Missing parameter app\""),
    OutcomeCase(name: "401", reactions: [.text(401)], result: .clientRefused, status: 401, requests: 1),
    OutcomeCase(
      name: "403 of a subscriber", reactions: [.text(403, "Unknown subscriber")], result: .subscriberUnknown,
      status: 403, requests: 1, says: "\"Unknown subscriber\""),
    OutcomeCase(
      name: "403 without words", reactions: [.text(403)], result: .subscriberUnknown, status: 403, requests: 1),
    OutcomeCase(
      name: "403 of a list of clients",
      reactions: [.text(403, "Not match Client Authentication Config.")], result: .clientRefused, status: 403,
      requests: 1, says: "userAgent"),
    OutcomeCase(
      name: "403 of a device", reactions: [.text(403, "device blocked")], result: .clientRefused, status: 403,
      requests: 1),
    OutcomeCase(
      name: "403 with an identity in its words",
      reactions: [.text(403, "Subscriber 001010123456063 unknown at 0001010123456063@nai.epc")],
      result: .subscriberUnknown, status: 403, requests: 1, says: "\"Subscriber … unknown at …\""),
    OutcomeCase(name: "404", reactions: [.text(404)], result: .operatorUnsupported, status: 404, requests: 1),
    OutcomeCase(
      name: "405, then the other method",
      reactions: [.text(405), .relay(), .answered(.response), document], result: .authorized, requests: 3),
    OutcomeCase(
      name: "501, then the other method",
      reactions: [.text(501), .relay(), .answered(.response), document], result: .authorized, requests: 3),
    OutcomeCase(
      name: "405 for both methods", reactions: [.text(405), .text(405)], result: .operatorUnsupported, status: 405,
      requests: 2),
    OutcomeCase(
      name: "406, then the next version",
      reactions: [.text(406), .text(406), .relay(), .answered(.response), document], result: .authorized,
      requests: 4),
    OutcomeCase(
      name: "406 for each version", reactions: [.text(406), .text(406), .text(406), .text(406)],
      result: .operatorUnsupported, code: "version", status: 406, requests: 4, says: "`versions`"),
    OutcomeCase(
      name: "406 and 405 one after the other",
      reactions: [.text(406), .text(405), .text(406), .relay(), .answered(.response), document],
      result: .authorized, requests: 5),
    OutcomeCase(
      name: "429", reactions: [.text(429, "", ["Retry-After": "30"])], result: .rateLimited, status: 429,
      retryAfter: 30, requests: 1, says: "in 30 s"),
    OutcomeCase(name: "500", reactions: [.text(500)], result: .operatorError, status: 500, requests: 1),
    OutcomeCase(
      name: "503 with a time", reactions: [.text(503, "", ["Retry-After": "120"])], result: .operatorError,
      status: 503, retryAfter: 120, requests: 1, says: "in 120 s"),
    OutcomeCase(name: "503 without a time", reactions: [.text(503)], result: .operatorError, status: 503, requests: 1),
    OutcomeCase(
      name: "511 at the first request", reactions: [.text(511)], result: .operatorUnsupported, status: 511,
      requests: 1),
    OutcomeCase(
      name: "511 after the SIM's answer", reactions: [.relay(), .answered(.response), .text(511)],
      result: .operatorUnsupported, status: 511, requests: 2),
    OutcomeCase(
      name: "405 for the SIM's answer", reactions: [.relay(), .answered(.response), .text(405)],
      result: .operatorUnsupported, status: 405, requests: 2),
    OutcomeCase(
      name: "406 for the SIM's answer", reactions: [.relay(), .answered(.response), .text(406)],
      result: .operatorUnsupported, code: "version", status: 406, requests: 2),
    OutcomeCase(name: "a status of nobody's", reactions: [.text(418)], result: .badAnswer, status: 418, requests: 1),

    // Redirects.
    OutcomeCase(
      name: "to another server that speaks the same, and back",
      reactions: [
        .redirect("https://auth.operator.example/eap?session=1"), .relay(), .answered(.response),
        .redirect("https://aes.mnc001.mcc001.pub.3gppnetwork.org/?code=2"), document,
      ], result: .authorized, requests: 4),
    OutcomeCase(
      name: "to a login by OpenID",
      reactions: [.redirect("https://login.operator.example/authorize?scope=openid&response_type=code&client_id=a")],
      result: .interactionRequired, status: 302, requests: 1),
    OutcomeCase(
      name: "to a page",
      reactions: [
        .redirect("https://login.operator.example/"),
        .reply(200, "<html>", [WebHeader(name: "Content-Type", value: "text/html")]),
      ], result: .interactionRequired, status: 200, requests: 2),
    OutcomeCase(
      name: "to cleartext", reactions: [.redirect("http://auth.operator.example/")], result: .redirectError,
      status: 302, requests: 1, says: "in clear"),
    OutcomeCase(
      name: "to another scheme", reactions: [.redirect("app://callback")], result: .redirectError, status: 302,
      requests: 1),
    OutcomeCase(name: "to nowhere", reactions: [.text(302)], result: .redirectError, status: 302, requests: 1),
    OutcomeCase(
      name: "to two places",
      reactions: [.text(302, "", ["Location": "https://a.example/", "location": "https://b.example/"])],
      result: .redirectError, status: 302, requests: 1),
    OutcomeCase(
      name: "in circles", reactions: (0..<6).map { _ in .redirect("/again") }, result: .redirectError, status: 302,
      requests: 6, says: "more than 5 times"),

    // No answer.
    OutcomeCase(
      name: "the operator's name has no address", reactions: [.failure(.dns)], result: .operatorUnsupported,
      code: "dns", requests: 1, says: "`server`"),
    OutcomeCase(
      name: "a configured name has no address", reactions: [.failure(.dns)], result: .dnsError, requests: 1,
      change: { $0.server = try! Endpoint("https://ecs.operator.example") }),
    OutcomeCase(name: "nobody listens", reactions: [.failure(.connect)], result: .providerUnavailable, requests: 1),
    OutcomeCase(name: "a certificate of nobody's", reactions: [.failure(.tls)], result: .tlsError, requests: 1),
    OutcomeCase(name: "no answer in time", reactions: [.failure(.timeout)], result: .timeout, requests: 1),
    OutcomeCase(name: "too large an answer", reactions: [.failure(.tooLarge)], result: .badAnswer, requests: 1),
    OutcomeCase(
      name: "no bearer, where the way leads over it", reactions: [.failure(.noDataPath)], result: .noDataPath,
      requests: 1, change: { $0.route = .bearer }),
    OutcomeCase(
      name: "the connection is lost at the SIM's answer",
      reactions: [.relay(), .answered(.response), .failure(.closed)], result: .providerUnavailable, requests: 2),
  ]
}
