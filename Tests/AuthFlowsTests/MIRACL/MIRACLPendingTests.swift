import AuthCore
import AuthFlows
import ClockTestSupport
import LimitClock
import MIRACLTestSupport
import ModemModel
import RedirectChain
import Synchronization
import Testing

@testable import MIRACLFlows

@Suite("MIRACL: registrations that are not finished", .timeLimit(.minutes(1)))
struct MIRACLPendingTests {
  private static func key(_ user: String, of owner: UInt32?) throws -> MIRACLPendingRegistrations.Key {
    .init(
      owner: owner.map { .init(userID: $0) },
      name: MIRACLIdentity.Name(service: "https://api.example", project: "p", user: try MIRACLUser(text: user)))
  }

  private static func isMailed(_ progress: MIRACLPendingRegistrations.Progress?) -> Bool {
    if case .mailed? = progress { true } else { false }
  }

  @Test("Nobody goes on with another user's, and a few are kept")
  func owners() throws {
    let pending = MIRACLPendingRegistrations(clock: .stopped)
    pending.keep(.mailed(.code), of: try Self.key("u@x.example", of: 0))
    #expect(Self.isMailed(pending.progress(of: try Self.key("u@x.example", of: 0))))
    for other in [
      try Self.key("u@x.example", of: 1000), try Self.key("v@x.example", of: 0), try Self.key("u@x.example", of: nil),
    ] {
      #expect(pending.progress(of: other) == nil)
    }
    for index in 0..<MIRACLPendingRegistrations.limit {
      pending.keep(.mailed(.link), of: try Self.key("u\(index)@x.example", of: 0))
    }
    #expect(pending.progress(of: try Self.key("u@x.example", of: 0)) == nil)
    #expect(Self.isMailed(pending.progress(of: try Self.key("u0@x.example", of: 0))))
  }

  @Test("What was kept is gone after its time, and what replaced it is not")
  func time() async throws {
    let waits = Mutex<[(time: Duration, end: CheckedContinuation<Void, Never>)]>([])
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    let clock = LimitClock(sleep: { time in
      await withCheckedContinuation { end in
        waits.withLock { $0.append((time, end)) }
        beginning.yield()
      }
    })
    let pending = MIRACLPendingRegistrations(clock: clock)
    var begins = begun.makeAsyncIterator()
    let key = try Self.key("u@x.example", of: 0)
    pending.keep(.mailed(.code), of: key)
    await begins.next()
    pending.keep(.verified(MIRACLActivation(token: Secret("t"), isTyped: false)), of: key)
    await begins.next()
    #expect(waits.withLock { $0.map(\.time) } == [.seconds(3600), .seconds(600)])
    waits.withLock { $0.removeFirst() }.end.resume()
    // The first one's end leaves the second: its own end is what removes it.
    #expect(pending.progress(of: key) != nil)
    waits.withLock { $0.removeFirst() }.end.resume()
    while pending.progress(of: key) != nil { await Task.yield() }
  }
}
