import ModemAPI
import ModemctlCore

/// The hops of a chain, one line for each when it comes.
struct HopTable: Sendable {
  private var layout = TableLayout([
    .init("HOP", isNumber: true), .init("SCHEME AND HOST", width: 36), .init("ADDRESS", width: 15),
    .init("CONNECTION"), .init("STATUS", isNumber: true), .init("DNS ms", isNumber: true, width: 7),
    .init("CONNECT ms", isNumber: true), .init("TLS ms", isNumber: true, width: 7),
    .init("FIRST BYTE ms", isNumber: true),
  ])

  func header(_ paint: Paint) -> String { layout.header(paint) }

  mutating func line(_ hop: CheckInterface.Hop, _ paint: Paint) -> String {
    let row = [
      Cell(String(hop.index)), Cell(Self.origin(hop)), Cell(hop.address),
      Cell(hop.address == nil ? nil : hop.reused ? "reused" : hop.openedAhead == true ? "ahead" : "new"),
      Cell(hop.status.map(String.init), Self.colour(hop.status)), Cell(hop.times.dns.map(ShownTime.milliseconds)),
      Cell(hop.times.connect.map(ShownTime.milliseconds)), Cell(hop.times.tls.map(ShownTime.milliseconds)),
      Cell(hop.times.firstByte.map(ShownTime.milliseconds)),
    ]
    layout.fit(row)
    return layout.line(row, paint)
  }

  /// Scheme and host, and the port if it is not the scheme's default.
  static func origin(_ hop: CheckInterface.Hop) -> String {
    let host = hop.host.contains(":") && !hop.host.hasPrefix("[") ? "[\(hop.host)]" : hop.host
    let own = hop.scheme == .https ? 443 : 80
    return "\(hop.scheme.rawValue)://\(host)" + (hop.port == own ? "" : ":\(hop.port)")
  }

  private static func colour(_ status: Int?) -> Paint.Colour {
    switch status {
    case nil: .bad
    case .some(400...): .bad
    case .some(300..<400): .plain
    case .some: .good
    }
  }
}
