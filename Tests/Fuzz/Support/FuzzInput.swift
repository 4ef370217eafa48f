/// The bytes of one execution, taken from the front.
public struct FuzzInput {
  private var rest: ArraySlice<UInt8>

  public init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
    rest = Array(UnsafeBufferPointer(start: start, count: count))[...]
  }

  /// What is left.
  public var bytes: [UInt8] { Array(rest) }

  /// What is left, as text; wrong UTF-8 is repaired, as a reader of headers does.
  public var text: String { String(decoding: rest, as: UTF8.self) }

  /// The next byte; 0 at the end.
  public mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// The bytes up to the next line feed, without it.
  public mutating func line() -> String {
    let line = rest.prefix { $0 != 10 }
    rest = rest.dropFirst(line.count + 1)
    return String(decoding: line, as: UTF8.self)
  }

  public var isEmpty: Bool { rest.isEmpty }
}

/// Ends the run with a finding when a promise does not hold.
public func promise(_ holds: Bool, _ text: @autoclosure () -> String) {
  guard holds else { fatalError("broken promise: \(text())") }
}
