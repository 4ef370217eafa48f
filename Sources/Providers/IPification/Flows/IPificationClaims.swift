import AuthCore
import JSONTree
import ModemModel

/// The data about a subscriber: the answer of userinfo, an ID token's claims, or a backend's
/// version of them.
struct IPificationClaims: Hashable, Sendable {
  private let json: JSONValue

  init(_ json: JSONValue) { self.json = json }

  /// The claims of an ID token. It came over TLS from the token's own host, so its signature need
  /// not be checked (OpenID Connect Core, 3.1.3.7).
  init?(idToken: String) {
    let parts = idToken.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Base64.decode(parts[1]), case .object(let members)? = JSONValue(parsing: bytes)
    else { return nil }
    json = .object(members)
  }

  var subject: String? { json["sub"]?.string }
  var loginHint: String? { json["login_hint"]?.string ?? json["login_hint"]?.integer.map(String.init) }
  /// It comes as text, too.
  var isVerified: Bool? { json["phone_number_verified"]?.looseBoolean }
  var number: SubscriberNumber? {
    (json["phone_number"]?.string ?? json["phone_number"]?.integer.map(String.init))
      .flatMap { try? SubscriberNumber($0) }
  }
  var mobileID: Secret? { json["mobile_id"]?.string.map { Secret($0) } }

  /// Whether an ID token is for this client, answers this request and has not expired (OpenID
  /// Connect Core, 3.1.3.7).
  ///
  /// - Returns: the problem with it; nil if there is none.
  func problem(clientID: String, nonce: Secret?, at now: Timestamp) -> FlowOutcome? {
    let audience = json["aud"]?.items.compactMap(\.string) ?? []
    guard json["aud"]?.string == clientID || audience.contains(clientID) else {
      return FlowOutcome(.stateMismatch, "the ID token is for another client; check client id and host")
    }
    if let nonce, json["nonce"]?.string != nonce.revealed {
      return FlowOutcome(.stateMismatch, "the ID token answers another request; begin anew")
    }
    if let expiry = json["exp"]?.seconds, Timestamp(expiry) <= now {
      return FlowOutcome(.expired, "the ID token is too old; check this machine's clock, then begin anew")
    }
    return nil
  }

  /// Their meaning for a question.
  ///
  /// - Parameters:
  ///   - asked: the number that was sent; nil if there was none.
  ///   - scope: the requested scope; nil if it is inside an encrypted request.
  ///   - repeatsNumber: whether a verifying answer must repeat the number, as the provider's own
  ///     does.
  func outcome(
    asked: SubscriberNumber?, scope: [String]?, earlierMobileID: Secret?, repeatsNumber: Bool = true, status: Int
  ) -> FlowOutcome {
    let change = earlierMobileID.map { earlier -> SIMChange in
      mobileID.map { $0 == earlier ? .unchanged : .changed } ?? .unknown
    }
    if let mismatch = mismatch(asked, repeatsNumber, status) { return mismatch }
    let isAnonymous = subject == "anonymous"
    if let isVerified {
      // A failed verification's subject has no name. Both must agree before anything counts as
      // verified.
      return FlowOutcome.check(
        matches: isVerified && !isAnonymous, change: change, code: isAnonymous ? "anonymous" : nil, status: status)
    }
    if isAnonymous {
      return FlowOutcome(
        .notVerified, sim: change, code: "anonymous", status: status,
        "the provider could not verify the subscriber and does not say why")
    }
    // An unknown scope counts as requested: an absent field must not pass for an answer.
    if scope?.contains("ip:phone_verify") ?? (number == nil) {
      return FlowOutcome.check(matches: nil, change: change, status: status)
    }
    if number != nil {
      return FlowOutcome(.numberRead, sim: change, status: status, "the provider told the number of this SIM")
    }
    return FlowOutcome(.authorized, sim: change, status: status, "the provider knows the subscriber of this SIM")
  }

  /// Whether the answer is about another number than the requested one.
  private func mismatch(_ asked: SubscriberNumber?, _ repeatsNumber: Bool, _ status: Int) -> FlowOutcome? {
    guard let asked else { return nil }
    if let loginHint, (try? SubscriberNumber(loginHint)) != asked {
      return FlowOutcome(
        .stateMismatch, status: status,
        "the answer is about another number than was asked; begin anew, and tell the provider")
    }
    if repeatsNumber, loginHint == nil, isVerified == true {
      return FlowOutcome(
        .badAnswer, status: status, "the answer does not repeat the number that was asked; ask the provider")
    }
    guard let number, number != asked else { return nil }
    return FlowOutcome(
      .notVerified, number: .differs, status: status, "the number is not that of this SIM")
  }
}
