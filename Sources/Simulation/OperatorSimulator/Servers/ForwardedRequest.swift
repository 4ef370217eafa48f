import NetworkAddress

/// What a process adds to a request that it forwards to another one in the same world: its sender,
/// and how it was sent.
enum ForwardedRequest {
  struct Sender: Hashable, Sendable {
    var address: IPAddress
    var isSecure: Bool
  }

  private static let address = "x-simulated-source"
  private static let scheme = "x-simulated-scheme"

  static func headers(_ request: SimulatedRequest) -> [(String, String)] {
    [(address, request.source.description), (scheme, request.isSecure ? "https" : "http")]
  }

  /// Reads the sender and removes it from the headers, which are then the original ones.
  static func takeSender(from headers: inout [String: String]) -> Sender? {
    let scheme = headers.removeValue(forKey: scheme)
    return headers.removeValue(forKey: address).flatMap { IPAddress($0) }
      .map { Sender(address: $0, isSecure: scheme == "https") }
  }
}
