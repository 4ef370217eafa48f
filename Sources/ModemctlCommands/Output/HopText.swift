import ModemAPI

/// The hop table, which grows a line with each hop: so its widths are fixed, not measured.
enum HopText {
  private static let widths = [3, 36, 22, 6, 8, 9, 8, 11]
  private static let alignments: [Table.Alignment] = [.right, .left, .left, .right, .right, .right, .right, .right]

  static let header = Table.line(
    ["HOP", "HOST", "ADDRESS", "STATUS", "DNS ms", "CONN ms", "TLS ms", "1ST BYTE ms"], widths: widths, alignments)

  static func line(_ hop: CheckInterface.Hop) -> String {
    let usual = hop.scheme == .https ? 443 : 80
    let host = "\(hop.scheme.rawValue)://\(hop.host)" + (hop.port == usual ? "" : ":\(hop.port)")
    let cells = [
      String(hop.index), host, (hop.address ?? "-") + (hop.reused ? " (kept)" : ""), hop.status.map(String.init) ?? "-",
      milliseconds(hop.times.dns), milliseconds(hop.times.connect), milliseconds(hop.times.tls),
      milliseconds(hop.times.firstByte),
    ]
    return Table.line(cells, widths: widths, alignments)
  }

  /// The end of the chain, in lines.
  static func outcome(_ outcome: CheckInterface.Outcome) -> [String] {
    let time = "\(milliseconds(outcome.milliseconds)) ms" + (outcome.source.map { " from \($0)" } ?? "")
    switch outcome.result {
    case .answer:
      guard let answer = outcome.answer else { return [] }
      let type = answer.contentType.map { " (\($0))" } ?? ""
      let body = answer.json.map { JSONOutput.line($0) } ?? answer.text ?? answer.base64
      return ["Answer \(answer.status)\(type) after \(time)"] + (body.map { [$0] } ?? [])
    case .redirectReached:
      guard let redirect = outcome.redirect else { return [] }
      return ["Redirect URI reached after \(time)", redirect.uri]
    case .failed:
      return []
    }
  }

  /// One digit behind the point; a dash for what did not happen.
  static func milliseconds(_ value: Double?) -> String {
    guard let value else { return "-" }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
