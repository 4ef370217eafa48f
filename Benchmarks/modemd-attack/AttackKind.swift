import ArgumentParser

/// A way to attack a Varlink socket.
enum AttackKind: String, CaseIterable, ExpressibleByArgument {
  /// Connections on which nothing is sent.
  case idle
  /// Calls that are begun and not ended.
  case half
  /// Calls that come byte by byte.
  case drip
  /// Arrays inside arrays.
  case deep
  /// An array of very many objects.
  case wide
  /// As many objects as a call may have, in a call that is wrong besides.
  case full
  /// Numbers that nothing can hold.
  case numbers
  /// Calls without end, whose replies are not read.
  case deaf
  /// Calls without end, whose replies are read.
  case flood
  /// Streams that nobody needs.
  case streams
  /// The same, by clients that say that they have said all.
  case halfOpen = "half-open"
  /// Connections that are made and left.
  case churn

  /// What is sent first on each connection.
  func beginning(_ method: String, bytes: Int) -> [UInt8] {
    switch self {
    case .half:
      Array(#"{"method":"\#(method)","parameters":{"text":""#.utf8)
        + [UInt8](repeating: UInt8(ascii: "x"), count: bytes)
    case .drip: Array(#"{"method":"\#(method)","parameters":{"text":""#.utf8)
    case .streams, .halfOpen: Array(#"{"method":"\#(method)","more":true}"#.utf8) + [0]
    case .idle, .deep, .wide, .full, .numbers, .deaf, .flood, .churn: []
    }
  }

  /// What is sent again and again behind that; nothing for attacks that wait.
  func repeated(_ method: String, bytes: Int) -> [UInt8] {
    let call = { (parameters: String) in Array(#"{"method":"\#(method)","parameters":\#(parameters)}"#.utf8) + [0] }
    switch self {
    case .idle, .half, .streams, .halfOpen, .churn: return []
    case .drip: return [UInt8(ascii: "x")]
    case .deep: return call(#"{"url":"https://a.example/","json":"# + String(repeating: "[", count: bytes))
    case .wide: return call(objects(bytes / 3))
    // With the call's own, and a comma between two, they are just below the limit of 16,384.
    case .full: return call(objects(8_000))
    case .numbers: return call(#"{"limit":\#(String(repeating: "9", count: min(bytes, 3000))),"wrong":1e99999}"#)
    case .deaf, .flood: return Array(#"{"method":"\#(method)"}"#.utf8) + [0]
    }
  }

  private func objects(_ count: Int) -> String {
    #"{"url":"https://a.example/","wrong":-1e99999,"json":["# + String(repeating: "{},", count: max(count, 1) - 1)
      + "{}]}"
  }

  /// Whether replies are read.
  var reads: Bool { self != .deaf }
}
