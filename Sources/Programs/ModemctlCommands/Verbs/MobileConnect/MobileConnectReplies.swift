import JSONTree
import MobileConnectAPI
import ModemAPI

// What people see of Mobile Connect's answers, and what of it is hidden.

extension MobileConnectInterface.Discover.Reply: FlowReply {
  var findings: [(String, String?)] {
    guard let discovery else { return [] }
    let found = discovery.found
    let age = discovery.stale ? "too old; the service could not be asked" : discovery.kept ? "of an earlier call" : nil
    return [
      ("operator", found.name.map { MessageRendering.visible($0) }), ("country", found.country),
      ("found by", discovery.way?.rawValue), ("answer", age), ("client", found.clientID), ("issuer", found.issuer),
      ("versions", Self.words(found.versions)), ("subscriber id", discovery.subscriberID),
    ] + found.endpoints.sorted { $0.key < $1.key }.map { ($0.key, MessageRendering.visible($0.value)) }
  }

  private static func words(_ words: [String]) -> String? { words.isEmpty ? nil : words.joined(separator: ", ") }

  func masked() -> Self {
    var reply = self
    reply.discovery?.subscriberID = discovery?.subscriberID.map { _ in Mask.hidden }
    reply.discovery?.subscriberIDToken = discovery?.subscriberIDToken.map { _ in Mask.hidden }
    return reply
  }
}

extension MobileConnectInterface.Authorize.Reply: FlowReply {
  var findings: [(String, String?)] {
    [
      ("code", authorization?.code), ("state", authorization?.state), ("nonce", authorization?.nonce),
      ("redirect", authorization?.redirect), ("version", authorization?.version),
    ]
  }

  func masked() -> Self {
    var reply = self
    reply.authorization = authorization.map { authorization in
      .init(
        code: Mask.hidden, state: Mask.hidden, nonce: Mask.hidden,
        redirect: CheckInterface.Redirect(uri: authorization.redirect, parameters: [:]).masked().uri,
        version: authorization.version)
    }
    return reply
  }
}

extension MobileConnectInterface.Login.Reply: FlowReply {
  var findings: [(String, String?)] { (tokens?.findings ?? []) + (information?.findings ?? []) }

  func masked() -> Self {
    var reply = self
    reply.tokens = tokens?.masked()
    reply.information = information?.masked()
    return reply
  }
}

extension MobileConnectInterface.Validate.Reply: FlowReply {}

extension MobileConnectInterface.AskAtHandset.Reply: FlowReply {
  var findings: [(String, String?)] { tokens?.findings ?? [] }

  func masked() -> Self {
    var reply = self
    reply.tokens = tokens?.masked()
    return reply
  }
}

extension MobileConnectInterface.Refresh.Reply: FlowReply {
  var findings: [(String, String?)] { tokens?.findings ?? [] }

  func masked() -> Self {
    var reply = self
    reply.tokens = tokens?.masked()
    return reply
  }
}

extension MobileConnectInterface.Revoke.Reply: FlowReply {}

extension MobileConnectInterface.UserInfo.Reply: FlowReply {
  var findings: [(String, String?)] { information?.findings ?? [] }

  func masked() -> Self {
    var reply = self
    reply.information = information?.masked()
    return reply
  }
}

extension MobileConnectInterface.Identity.Reply: FlowReply {
  var findings: [(String, String?)] { information?.findings ?? [] }

  func masked() -> Self {
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

  /// How a user was authenticated says nothing of who it is.
  fileprivate func masked() -> Self {
    var shown = self
    shown.accessToken = Mask.hidden
    shown.refreshToken = refreshToken.map { _ in Mask.hidden }
    shown.idToken = idToken.map { _ in Mask.hidden }
    shown.subject = subject.map { _ in Mask.hidden }
    guard case .object(let members)? = claims else { return shown }
    let open: Set<String> = ["iss", "aud", "azp", "exp", "iat", "auth_time", "acr", "amr", "dts_time"]
    shown.claims = .object(
      Dictionary(uniqueKeysWithValues: members.map { ($0, open.contains($0) ? $1 : .string(Mask.hidden)) }))
    return shown
  }
}
