import AuthCore
import RedirectChain

/// What is refused before anything is opened.
struct CallGate: Sendable {
  private let cleartextHosts: Set<String>

  /// - Parameter cleartextHosts: names or addresses, in any case; IPv6 with or without brackets.
  init(cleartextHosts: Set<String>) {
    self.cleartextHosts = Set(cleartextHosts.map { host in host.lowercased().filter { $0 != "[" && $0 != "]" } })
  }

  /// Why a call may not be made; nil when it may.
  func refusal(of call: BackendCall) -> BackendFailure? {
    let host = call.url.host
    guard call.route == .host else {
      return BackendFailure(
        .refused, "\(host) is configured to be called over the bearer, and is not called over the machine's network")
    }
    guard call.url.scheme == .https || isCleartextAllowed(call.url) else {
      return BackendFailure(
        .refused,
        "\(host) is not called in clear; give it an https URL, or allow cleartext for it in the configuration")
    }
    guard call.fields.allSatisfy({ $0.hasValidName && $0.hasValidValue && !$0.isOfConnection }) else {
      return BackendFailure(
        .refused,
        "a field of the call to \(host) cannot be sent: its name is the connection's own or none of RFC 9110, or its "
          + "value holds a control character; check the client id, secrets and headers that are configured for it")
    }
    return nil
  }

  private func isCleartextAllowed(_ url: WebURL) -> Bool {
    url.isOnThisMachine || cleartextHosts.contains(url.host)
  }
}

extension WebURL {
  /// Whether the host is this machine by its very name (RFC 6761, 6.3) or address.
  var isOnThisMachine: Bool { host == "localhost" || address?.isLoopback == true }
}

extension BackendCall {
  /// Its headers, and the type of its body where they do not have one.
  var fields: [ChainRequest.Header] {
    guard let type = body?.contentType, !headers.contains(where: { $0.name.lowercased() == "content-type" }) else {
      return headers
    }
    return headers + [ChainRequest.Header(name: "Content-Type", value: type)]
  }

  /// For Content-Length: a method that means a body says so where there is none (RFC 9110, 8.6).
  var bodyBytes: Int? {
    switch method {
    case .post, .patch, .put: body?.bytes.count ?? 0
    case .get, .delete: body?.bytes.count
    }
  }
}
