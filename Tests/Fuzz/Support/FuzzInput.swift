/// The bytes of one execution, taken from the front.
package struct FuzzInput {
  private var rest: ArraySlice<UInt8>

  package init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
    rest = Array(UnsafeBufferPointer(start: start, count: count))[...]
  }

  /// What is left.
  package var bytes: [UInt8] { Array(rest) }

  /// What is left, as text; wrong UTF-8 is repaired, as a reader of headers does.
  package var text: String { String(decoding: rest, as: UTF8.self) }

  /// The next byte; 0 at the end.
  package mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// The bytes up to the next line feed, without it.
  package mutating func line() -> String {
    let line = rest.prefix { $0 != 10 }
    rest = rest.dropFirst(line.count + 1)
    return String(decoding: line, as: UTF8.self)
  }

  package var isEmpty: Bool { rest.isEmpty }
}

/// Ends the run with a finding when a promise does not hold.
package func promise(_ holds: Bool, _ text: @autoclosure () -> String) {
  guard holds else { fatalError("broken promise: \(text())") }
}
