// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import AuthFlows
import JSONTree
import ModemModel
import NetworkAddress
import RedirectChain
import TokenSigning
import Web
import MobileConnectFlows

/// Mobile Connect: discovery, a login, a number's validation, the handset, the button, and what
/// follows a login.
extension RecordedFlow {
  private static let number = try! SubscriberNumber("+447700900123")
  private static let back = "https://app.example/back"
  private static let issuer = "https://op.example"
  private static let seconds: Int = 1_790_000_000
  private static let tools = OpenIDTools(random: { Array(repeating: 7, count: $0) }, sha256: { Digest.sha256($0) })
  /// 32 bytes of 7, and a UUID of them.
  private static let made = Base64.encodeURL(Array(repeating: 7, count: 32))
  private static let uuid = "07070707-0707-4707-8707-070707070707"

  private struct Signer: ClaimsSigner {
    func sign(_ claims: JSONValue) async throws(AuthError) -> Secret { Secret("signed.request.object") }
  }

  /// A token's third part tells whether its signature is good: a hostile operator can sign what it
  /// likes, somebody else cannot.
  private static let check: SignatureCheck = { token, keys in
    guard keys["keys"] != nil else { return .keyMissing }
    switch token.revealed.split(separator: ".").last {
    case "good": return .good
    case "unknown": return .keyMissing
    default: return .forged
    }
  }

  private static var endpoints: MobileConnectOperator {
    var found = MobileConnectOperator()
    for (relation, path) in [
      (MobileConnectOperator.Relation.authorization, "authorize"), (.token, "token"), (.userinfo, "userinfo"),
      (.premiuminfo, "premiuminfo"), (.revocation, "revoke"), (.keys, "jwks"), (.serverInitiated, "si-authorize"),
    ] {
      found.endpoints[relation] = try! WebURL("https://op.example/\(path)")
    }
    found.issuer = issuer
    return found
  }

  private static func settings(_ source: MobileConnectSettings.Source?) -> MobileConnectSettings {
    var settings = MobileConnectSettings(source, tools, isSigned: check)
    settings.client = MobileConnectClient(id: "app-1", secret: Secret("s3cret"))
    settings.redirect = try! MobileConnectRedirect(back)
    settings.version = .v2_3
    var mode = MobileConnectServerInitiated(signer: Signer())
    mode.endpoint = try! WebURL("https://op.example/si-authorize")
    settings.serverInitiated = mode
    return settings
  }

  private static func claims(nonce: String?) -> String {
    let hash = Base64.encodeURL(Array(Digest.sha256(Array("access-1".utf8)).prefix(16)))
    let hint = Digest.hex(Digest.sha256(Array("MSISDN:447700900123".utf8)))
    return
      #"{"iss":"\#(issuer)","aud":["app-1"],"azp":"app-1",\#(nonce.map { #""nonce":"\#($0)","# } ?? "")"sub":"pcr-1","exp":\#(seconds + 300),"iat":\#(seconds),"#
      + #""auth_time":\#(seconds),"at_hash":"\#(hash)","acr":"2","amr":["SEAM_OK"],"hashed_login_hint":"\#(hint)"}"#
  }

  private static func token(nonce: String? = made, _ signature: String = "good") -> String {
    [#"{"alg":"RS256","kid":"k1"}"#, claims(nonce: nonce)].map { Base64.encodeURL(Array($0.utf8)) }.joined(
      separator: ".") + ".\(signature)"
  }

  private static func tokens(_ nonce: String? = made, _ signature: String = "good") -> RecordedAnswer {
    RecordedAnswer(
      200,
      #"{"access_token":"access-1","token_type":"Bearer","expires_in":3600,"refresh_token":"refresh-1","correlation_id":"\#(uuid)","id_token":"\#(token(nonce: nonce, signature))"}"#
    )
  }

  private static let code = RecordedAnswer.redirected(["code": "the-code", "state": made, "correlation_id": uuid])
  private static let keys = RecordedAnswer(
    200, #"{"keys":[{"kid":"k1","kty":"RSA","use":"sig","alg":"RS256","n":"AQAB","e":"AQAB"}]}"#,
    ["Cache-Control": "max-age=60", "Expires": "Thu, 01 Jan 2099 00:00:00 GMT"])
  private static let userinfo = RecordedAnswer(
    200,
    #"{"sub":"pcr-1","name":"A B","phone_number":"+447700900123","email":"a@b.example","email_verified":"true","updated_at":1700000000,"address":{"formatted":"1 Road","country":"GB"}}"#
  )
  private static let found = RecordedAnswer(
    200,
    #"{"ttl":\#(seconds + 3600)000,"correlation_id":"\#(uuid)","subscriber_id":"ab12","response":{"serving_operator":"Example","country":"UK","currency":"GBP","#
      + #""client_id":"app-1","client_secret":"s3cret","client_name":"shop","apis":{"operatorid":{"link":["#
      + #"{"rel":"authorization","href":"https://op.example/authorize"},{"rel":"token","href":"https://op.example/token"},"#
      + #"{"rel":"jwks","href":"https://op.example/jwks"},{"rel":"issuer","href":"https://op.example"},{"rel":"scope","href":"openid mc_authn"},"#
      + #"{"rel":"openid-configuration","href":"https://op.example/.well-known/openid-configuration"}]}}}}"#,
    ["Set-Cookie": "MC=1; Path=/; Max-Age=3600"])
  private static let metadata = RecordedAnswer(
    200,
    #"{"issuer":"https://op.example","authorization_endpoint":"https://op.example/authorize","token_endpoint":"https://op.example/token","jwks_uri":"https://op.example/jwks","#
      + #""userinfo_endpoint":"https://op.example/userinfo","premiuminfo_endpoint":"https://op.example/premiuminfo","revocation_endpoint":"https://op.example/revoke","#
      + #""scopes_supported":["openid"],"acr_values_supported":["2"],"login_hint_methods_supported":["MSISDN"],"mc_version":["mc_v1.1","mc_di_r2_v2.3"],"response_types_supported":["code"]}"#,
    ["Cache-Control": "max-age=60"])

  private static func mobileConnect(
    _ name: String, _ result: FlowResult, _ answers: [String: [RecordedAnswer]],
    source: @escaping @Sendable () -> MobileConnectSettings.Source? = { .endpoints(endpoints) },
    _ change: @escaping @Sendable (inout MobileConnectSettings) -> Void = { _ in },
    _ ask: @escaping @Sendable (MobileConnectFlow) async throws -> FlowEnd<MobileConnectAnswer>
  ) -> RecordedFlow {
    let subscriber = Subscriber(modem: "m0", home: PLMN("23410"), serving: PLMN("20801"), number: number)
    var recording = RecordedFlow("Mobile Connect, \(name)", result, answers) { run in
      // Settings keep documents: each run has its own.
      var settings = settings(source())
      change(&settings)
      return try await ask(MobileConnectFlow(settings, of: subscriber, run)).outcome
    }
    recording.redirect = back
    recording.secrets = ["447700900", "s3cret", "the-code", "access-1", "refresh-1", "pcr-1", made]
    return recording
  }

  /// Whether the tokens of a step are signed, for this login and this client.
  private static func vouches(_ given: Given, _ step: String, nonce: String?) -> Bool {
    guard case .string(let text)? = given.member(step, "id_token") else { return false }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2] == "good", let claims = Base64.decode(parts[1]).flatMap({ JSONValue(parsing: $0) })
    else { return false }
    let audience = [claims["aud"]?.string].compactMap(\.self) + (claims["aud"]?.items.compactMap(\.string) ?? [])
    return claims["iss"]?.string == issuer && audience.contains("app-1") && claims["nonce"]?.string == nonce
      && (claims["exp"]?.integer ?? 0) > seconds - 60
  }

  private static let logins: [RecordedFlow] = ["good", "forged"].flatMap { signature -> [RecordedFlow] in
    let isGood = signature == "good"
    let word = isGood ? "signed" : "forged"
    var login = mobileConnect(
      "a login, \(word)", isGood ? .signedIn : .tokenRefused,
      ["authorize": [code], "exchangeCode": [tokens(made, signature)], "readKeys": [keys], "readUserInfo": [userinfo]]
    ) { try await $0.login(MobileConnectRequest(), OperatorQuery(), information: .userinfo) }
    login.allows = { vouches($0, "exchangeCode", nonce: made) }
    var validation = mobileConnect(
      "a validation, \(word)", isGood ? .verified : .tokenRefused,
      ["authorize": [code], "exchangeCode": [tokens(made, signature)], "readKeys": [keys], "readUserInfo": [userinfo]]
    ) { try await $0.validate(number) }
    validation.allows = { given in
      let told = given.member("readUserInfo", "phone_number")?.string ?? ""
      let hashes = [number.revealed, number.digits].map { Digest.hex(Digest.sha256(Array($0.utf8))) }
      return vouches(given, "exchangeCode", nonce: made)
        && ((try? SubscriberNumber(told)) == number || hashes.contains(told.lowercased()))
    }
    var handset = mobileConnect(
      "the handset, \(word)", isGood ? .signedIn : .tokenRefused,
      [
        "askOperator": [
          RecordedAnswer(200, #"{"auth_req_id":"req-1","expires_in":60,"interval":2,"correlation_id":"\#(uuid)"}"#)
        ],
        "askForAnswer": [
          RecordedAnswer(400, #"{"error":"authorization_pending","error_description":"x"}"#),
          RecordedAnswer(400, #"{"error":"slow_down"}"#), tokens(made, signature),
        ], "readKeys": [keys],
      ], { $0.version = .v2_0 }
    ) { try await $0.askAtHandset(MobileConnectRequest(), OperatorQuery()) }
    handset.allows = { vouches($0, "askForAnswer", nonce: made) }
    return [login, validation, handset]
  }

  package static let mobileConnect: [RecordedFlow] =
    logins + [
      mobileConnect(
        "discovery", .covered, ["discoverByNetwork": [found], "readMetadata": [metadata]],
        source: { discovery }, { $0.client = nil }
      ) { try await $0.discover(OperatorQuery()) },
      mobileConnect(
        "discovery and a login", .signedIn,
        [
          "discoverByNetwork": [found], "readMetadata": [metadata], "authorize": [code], "exchangeCode": [tokens()],
          "readKeys": [keys],
        ],
        source: { discovery }, { $0.client = nil }
      ) { try await $0.login(MobileConnectRequest(), OperatorQuery()) },
      mobileConnect(
        "discovery by address", .covered, ["discoverByAddress": [found], "readMetadata": [metadata]],
        source: { discovery }, { $0.client = nil }
      ) { try await $0.discover(OperatorQuery(way: .address)) },
      mobileConnect(
        "metadata of an issuer", .covered, ["readMetadata": [metadata]], source: { .issuer(try! Endpoint(issuer)) }
      ) {
        try await $0.discover(OperatorQuery())
      },
      mobileConnect("a code for somebody else", .authorized, ["authorize": [code]]) {
        try await $0.authorize(MobileConnectRequest(), OperatorQuery())
      },
      mobileConnect("a refresh", .authorized, ["refreshTokens": [tokens(nil)], "readKeys": [keys]]) {
        try await $0.refresh(Secret("refresh-1"), OperatorQuery())
      },
      mobileConnect("a revocation", .authorized, ["revokeToken": [RecordedAnswer(200, "{}")]]) {
        try await $0.revoke(Secret("access-1"), .access, OperatorQuery())
      },
      mobileConnect(
        "signed information", .authorized,
        [
          "readPremiumInfo": [RecordedAnswer(200, token(nonce: nil), ["Content-Type": "application/jwt"])],
          "readKeys": [keys],
        ]
      ) { try await $0.information(.premiuminfo, Secret("access-1"), subject: Secret("pcr-1"), OperatorQuery()) },
      mobileConnect(
        "the button", .signedIn,
        [
          "performRedirects": [
            RecordedAnswer(
              200, "<html>", ["Content-Type": "text/html"],
              trail: [
                "https://op.example/authorize?state=s",
                "https://shop.example/mobile-connect/server_side_api/discovery_callback?code=the-code&state=s",
              ])
          ]
        ]
      ) { flow in
        try await flow.press(
          MobileConnectAppServer(
            root: try! Endpoint("https://shop.example/mobile-connect/server_side_api"), clientVersion: "modemd-1"),
          OperatorQuery())
      },
    ]

  private static var discovery: MobileConnectSettings.Source {
    .discovery(
      MobileConnectDiscovery(
        url: try! WebURL("https://exchange.example/v2/discovery"),
        client: MobileConnectClient(id: "disco", secret: Secret("d1sco")), redirectURL: "https://app.example/found"))
  }
}
