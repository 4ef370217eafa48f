import JSONTree
import MobileConnectAPI
import ModemAPI
import ModemctlCore

// How Mobile Connect's answers are shown, and what is masked in them.

extension MobileConnectInterface.Discover.Reply: FlowReply {
  package var findings: [(String, String?)] {
    guard let discovery else { return [] }
    let found = discovery.found
    let age =
      discovery.stale ? "out of date; the service could not be reached" : discovery.kept ? "from an earlier call" : nil
    return [
      ("operator", found.name.map { ForeignText.visible($0) }), ("country", found.country),
      ("found by", discovery.way?.rawValue), ("answer", age), ("client", found.clientID), ("issuer", found.issuer),
      ("versions", Self.words(found.versions)), ("subscriber id", discovery.subscriberID),
    ] + found.endpoints.sorted { $0.key < $1.key }.map { ($0.key, ForeignText.visible($0.value)) }
  }

  private static func words(_ words: [String]) -> String? { words.isEmpty ? nil : words.joined(separator: ", ") }

  package func masked() -> Self {
    var reply = self
    reply.discovery?.subscriberID = Mask.hide(discovery?.subscriberID)
    reply.discovery?.subscriberIDToken = Mask.hide(discovery?.subscriberIDToken)
    return reply
  }
}

extension MobileConnectInterface.Authorize.Reply: FlowReply {
  package var findings: [(String, String?)] {
    [
      ("code", authorization?.code), ("state", authorization?.state), ("nonce", authorization?.nonce),
      ("redirect", authorization?.redirect), ("version", authorization?.version),
    ]
  }

  /// The code works once, and was asked for: hidden, it would be lost.
  package func masked() -> Self { self }
}

extension MobileConnectInterface.Login.Reply: ServerAnswerReply {
  package var findings: [(String, String?)] {
    (tokens?.findings ?? []) + (information?.findings ?? [])
      + [serverFinding]
  }

  package func masked() -> Self {
    var reply = withMaskedAnswer()
    reply.tokens = tokens?.masked()
    reply.information = information?.masked()
    return reply
  }
}

extension MobileConnectInterface.Exchange.Reply: FlowReply {
  package var findings: [(String, String?)] { (tokens?.findings ?? []) + (information?.findings ?? []) }

  package func masked() -> Self {
    var reply = self
    reply.tokens = tokens?.masked()
    reply.information = information?.masked()
    return reply
  }
}

extension MobileConnectInterface.Validate.Reply: FlowReply {}
extension MobileConnectInterface.Revoke.Reply: FlowReply {}
extension MobileConnectInterface.AskAtHandset.Reply: MobileConnectTokenReply {}
extension MobileConnectInterface.Refresh.Reply: MobileConnectTokenReply {}
extension MobileConnectInterface.UserInfo.Reply: MobileConnectInformationReply {}
extension MobileConnectInterface.Identity.Reply: MobileConnectInformationReply {}

/// A reply that may contain tokens.
protocol MobileConnectTokenReply: FlowReply {
  var tokens: MobileConnectInterface.Tokens? { get set }
}

extension MobileConnectTokenReply {
  package var findings: [(String, String?)] { tokens?.findings ?? [] }

  package func masked() -> Self {
    var reply = self
    reply.tokens = tokens?.masked()
    return reply
  }
}

/// A reply that may reveal somebody's identity.
protocol MobileConnectInformationReply: FlowReply {
  var information: MobileConnectInterface.Information? { get set }
}

extension MobileConnectInformationReply {
  package var findings: [(String, String?)] { information?.findings ?? [] }

  package func masked() -> Self {
    var reply = self
    reply.information = information?.masked()
    return reply
  }
}

extension MobileConnectInterface.Tokens {
  fileprivate var findings: [(String, String?)] {
    let claim = { (name: String) in self.claims?[name] }
    let amr = claim("amr")
    return [
      ("user", subject), ("access token", accessToken), ("refresh token", refreshToken), ("ID token", idToken),
      ("good for", expiresIn.map { "\($0) s" }), ("issuer", claim("iss")?.string),
      ("assurance", claim("acr").flatMap { $0.string ?? $0.integer.map { "\($0)" } }),
      ("means", amr?.string ?? amr?.items.compactMap(\.string).joined(separator: ", ")),
    ]
  }

  /// The way in which a user was authenticated does not identify the user.
  fileprivate func masked() -> Self {
    var shown = self
    shown.accessToken = Mask.hidden
    shown.refreshToken = Mask.hide(refreshToken)
    shown.idToken = Mask.hide(idToken)
    shown.subject = Mask.hide(subject)
    guard case .object(let members)? = claims else { return shown }
    let open: Set<String> = ["iss", "aud", "azp", "exp", "iat", "auth_time", "acr", "amr", "dts_time"]
    shown.claims = .object(
      Dictionary(uniqueKeysWithValues: members.map { ($0, open.contains($0) ? $1 : .string(Mask.hidden)) }))
    return shown
  }
}
