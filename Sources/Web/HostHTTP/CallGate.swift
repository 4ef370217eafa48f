import Web

/// Refuses calls before anything is opened.
struct CallGate: Sendable {
  private let cleartextHosts: Set<String>
  private let configured: @Sendable (WebURL.Origin) -> Bool

  /// - Parameters:
  ///   - cleartextHosts: names or addresses, in any case; IPv6 with or without brackets.
  ///   - configured: whether the configuration names an origin. Any other origin came from an
  ///     answer.
  init(cleartextHosts: Set<String>, configured: @escaping @Sendable (WebURL.Origin) -> Bool) {
    self.configured = configured
    self.cleartextHosts = Set(cleartextHosts.map { host in host.lowercased().filter { $0 != "[" && $0 != "]" } })
  }

  /// Why a call may not be made; nil when it may.
  func refusal(of call: WebRequest) -> WebFailure? {
    let host = call.url.host
    guard isConfigured(call.url) || call.url.hasPublicName else {
      return WebFailure(
        .refused,
        "\(host) is no public name and not configured: an answer does not lead to this machine or its network; "
          + "if it is the provider's, name it in the configuration")
    }
    guard call.url.scheme == .https || isCleartextAllowed(call.url) else {
      return WebFailure(
        .refused,
        "\(host) is not called in clear; give it an https URL, or allow cleartext for it in the configuration")
    }
    guard call.fields.allSatisfy({ $0.hasValidName && $0.hasValidValue && !$0.isOfConnection }) else {
      return WebFailure(
        .refused,
        "a field of the call to \(host) cannot be sent: its name is the connection's own or none of RFC 9110, or its "
          + "value holds a control character; check the client id, secrets and headers that are configured for it")
    }
    return nil
  }

  /// Whether the configuration names the origin of a URL. Other origins are only called over https
  /// and at public addresses.
  func isConfigured(_ url: WebURL) -> Bool { configured(url.origin) }

  private func isCleartextAllowed(_ url: WebURL) -> Bool {
    isConfigured(url) && (url.isOnThisMachine || cleartextHosts.contains(url.host))
  }
}

extension WebURL {
  /// Whether the host's name (RFC 6761, 6.3) or address is this machine's own.
  var isOnThisMachine: Bool { host == "localhost" || address?.isLoopback == true }
}

extension WebRequest {
  /// The request's headers, and the type of its body if they do not hold one.
  var fields: [WebHeader] {
    guard let type = body?.contentType, !headers.contains(where: { $0.name.lowercased() == "content-type" }) else {
      return headers
    }
    return headers + [WebHeader(name: "Content-Type", value: type)]
  }

  /// For Content-Length: a method that allows a body must announce an empty one (RFC 9110, 8.6).
  var bodyBytes: Int? {
    switch method {
    case .post, .patch, .put: body?.bytes.count ?? 0
    case .get, .delete: body?.bytes.count
    }
  }
}
