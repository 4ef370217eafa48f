import NetworkAddress

/// What a process adds to a request that it forwards to another of the same world: who sent it, and
/// how.
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

  /// Reads the sender, and takes it out of the headers, which are then as they were sent.
  static func takeSender(from headers: inout [String: String]) -> Sender? {
    let scheme = headers.removeValue(forKey: scheme)
    return headers.removeValue(forKey: address).flatMap { IPAddress($0) }
      .map { Sender(address: $0, isSecure: scheme == "https") }
  }
}
