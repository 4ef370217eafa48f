/// Bytes from hexadecimal digits; blanks, line ends and what follows `//` on a line are left out.
func hex(_ text: String) -> [UInt8] {
  let digits = text.split(separator: "\n")
    .flatMap { line in line.prefix(upTo: line.firstRange(of: "//")?.lowerBound ?? line.endIndex) }
    .filter { !$0.isWhitespace }
  return stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0..<$0 + 2]), radix: 16)! }
}
