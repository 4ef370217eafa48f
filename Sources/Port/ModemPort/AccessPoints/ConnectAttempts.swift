import ModemModel

/// What to request from the network, one request after the other, until one is accepted or further
/// requests are useless.
struct ConnectAttempts: Sendable {
  /// The limit for refused requests: networks bar those that try too many names.
  static let limit = 6

  private var waiting: [AccessPoint]
  private var current: BearerRequest
  private let asked: BearerRequest
  private var left = ConnectAttempts.limit

  /// - Parameters:
  ///   - request: the original request. If it names an access point, no other is tried.
  ///   - provisioned: the modem's access points; the network's default if there are none.
  init(_ request: BearerRequest, provisioned: [AccessPoint]) {
    asked = request
    if request.apn != nil || request.user != nil {
      waiting = []
      current = request
    } else {
      let first = provisioned.isEmpty ? [.networkDefault] : provisioned
      waiting = Array(first.dropFirst())
      current = request.with(first[0])
    }
  }

  /// The request to make now.
  var request: BearerRequest { current }

  /// Whether other access points may be added if these are refused.
  var mayChoose: Bool { asked.apn == nil && asked.user == nil }

  /// Moves to the next request after the network has refused one.
  ///
  /// - Parameters:
  ///   - cause: the network's.
  ///   - others: gives more access points, after all others were refused for their name.
  /// - Returns: false if further requests are useless.
  mutating func next(after cause: NetworkCause?, others: () -> [AccessPoint]) -> Bool {
    left -= 1
    guard left > 0 else { return false }
    if let type = Self.singleFamily(after: cause), current.ipType == .ipv4v6 {
      current.ipType = type
      return true
    }
    guard mayChoose, cause?.isAboutAccessPoint ?? true else { return false }
    if waiting.isEmpty, !hasTakenOthers {
      hasTakenOthers = true
      waiting = others().filter { !$0.isSame(as: current.accessPoint) }
      // The network's own default is worth one attempt even if the modem had a name.
      if tried.allSatisfy({ $0.name != nil }), current.apn != nil { waiting.insert(.networkDefault, at: 0) }
    }
    tried.append(current.accessPoint)
    waiting.removeAll { candidate in tried.contains { candidate.isSame(as: $0) } }
    guard !waiting.isEmpty else { return false }
    current = asked.with(waiting.removeFirst())
    return true
  }

  private var hasTakenOthers = false
  private var tried: [AccessPoint] = []

  /// The single family to request if the network does not allow both at once (3GPP TS 24.301,
  /// 6.5.1.4.3). Some networks answer 33 in that case.
  private static func singleFamily(after cause: NetworkCause?) -> BearerRequest.IPType? {
    switch cause?.code {
    case 50, 52, 28, 33: .ipv4
    case 51: .ipv6
    default: nil
    }
  }
}

extension AccessPoint {
  /// Whether the network sees no difference between the two.
  fileprivate func isSame(as other: AccessPoint) -> Bool {
    name?.lowercased() == other.name?.lowercased() && user == other.user && password == other.password
  }
}
