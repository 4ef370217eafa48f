/// Times of modemd's for people, who need no fractions of a second. JSON has them whole.
package enum ShownTime {
  /// A time without its fraction; what is no RFC 3339 time in UTC stays as it is.
  package static func text(_ rfc3339: String) -> String {
    guard let point = rfc3339.lastIndex(of: "."), rfc3339.hasSuffix("Z"),
      rfc3339[point...].dropFirst().dropLast().allSatisfy({ ("0"..."9").contains($0) })
    else { return rfc3339 }
    return rfc3339[..<point] + "Z"
  }

  /// Milliseconds with one decimal.
  package static func milliseconds(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e12 else { return "-" }
    let tenths = Int64((value * 10).rounded())
    return "\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
  }
}
