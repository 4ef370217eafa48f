import GLibBridge
import ModemModel

/// The calls of a backend to its SIM, one at a time, and the callers that wait for them.
///
/// A caller may leave at any time. A call that has begun runs to its end all the same: the card is
/// not asked twice, and the channel to it is closed. A call whose caller has left does not begin.
package struct SIMCalls<Answer: Sendable> {
  /// How many calls may wait, with the one that runs.
  private static var limit: Int { 8 }

  /// The call that came last. It ends after all that came before.
  package private(set) var last: Task<Void, Never>?
  private var callers: [Int: GLibExpectation<Result<Answer, ModemError>>] = [:]
  /// How many calls there are, with the one that runs.
  package private(set) var waiting = 0
  private var lastNumber = 0

  package init() {}

  /// Takes a place for a call. Each place is given back by `ended`.
  ///
  /// - Parameter name: what is asked.
  /// - Throws: `busy` if too many calls wait.
  package mutating func enter(_ name: String) throws(ModemError) -> Int {
    guard waiting < Self.limit else { throw ModemError(.busy, "\(name): too many calls are waiting for the SIM") }
    waiting += 1
    lastNumber += 1
    return lastNumber
  }

  package mutating func follow(_ task: Task<Void, Never>) { last = task }

  package mutating func wait(_ number: Int, _ caller: GLibExpectation<Result<Answer, ModemError>>) {
    callers[number] = caller
  }

  package mutating func leave(_ number: Int) { callers[number] = nil }

  package func isWanted(_ number: Int) -> Bool { callers[number] != nil }

  /// Gives the result to the caller, if it still waits, and the place back.
  package mutating func ended(_ number: Int, _ result: Result<Answer, ModemError>?) {
    waiting -= 1
    guard let caller = callers.removeValue(forKey: number), let result else { return }
    caller.fulfil(result)
  }
}
