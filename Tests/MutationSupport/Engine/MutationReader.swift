import Dispatch
import Synchronization

/// Makes choices of a fuzzer's bytes. Behind their end every choice is the first one.
package struct MutationReader {
  private var rest: ArraySlice<UInt8>

  package init(_ bytes: [UInt8]) { rest = bytes[...] }

  package var isEmpty: Bool { rest.isEmpty }

  package mutating func byte() -> Int { Int(rest.popFirst() ?? 0) }

  /// Below a limit, which is at least 1.
  package mutating func choice(_ limit: Int) -> Int { limit < 2 ? 0 : (byte() << 8 | byte()) % limit }

  /// All that is left, as text: of the fuzzer's own making.
  package var text: String { String(decoding: rest, as: UTF8.self) }

  /// All extremes, and two of the fuzzer's own.
  package mutating func extremes() -> [Extreme] {
    Extreme.all + [Extreme(text: text), Extreme(json: text.isEmpty ? "null" : text)]
  }
}

/// Runs what is asynchronous to its end, for a fuzzer's function, which is not.
package func waiting<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) -> Result {
  let (done, result) = (DispatchSemaphore(value: 0), Box<Result>())
  Task.detached {
    let value = await body()
    result.value.withLock { $0 = value }
    done.signal()
  }
  done.wait()
  guard let value = result.value.withLock({ $0 }) else { preconditionFailure("it was signalled after it was set") }
  return value
}

private final class Box<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
}
