import ModemAPI
import ModemService
@_spi(Exchange) import RedirectChain
import Varlink

/// The part of a chain's rehearsal that its caller's connection has: the call is read and the
/// replies are written as JSON.
package enum CheckRehearsal {
  private static let call = #"""
    {"method":"org.modemd.Check.Open","parameters":{"url":"https://rehearsal.invalid/"},"more":true}
    """#

  /// - Parameter hops: what the rehearsal passed.
  /// - Returns: bytes of the replies, which nobody gets; 0 if the call was not understood.
  @discardableResult
  package static func run(_ hops: [ChainHop]) -> Int {
    let answer = ChainAnswer(status: 200, contentType: "application/json", body: Array(#"{"a":[1,true,"b"]}"#.utf8))
    let outcome = CheckService.Outcome(result: .answer(answer), modem: nil, source: nil)
    let replies =
      [CheckInterface.Open.Reply(event: .ready)]
      + hops.map { CheckInterface.Open.Reply(event: .hop, hop: CheckInterface.Hop($0, reveals: false)) }
      + [CheckInterface.Open.Reply(event: .outcome, outcome: CheckInterface.Outcome(outcome, after: .zero))]
    return (try? CallRehearsal.run(CheckInterface.Open.self, call: call, replies: replies)) ?? 0
  }
}
