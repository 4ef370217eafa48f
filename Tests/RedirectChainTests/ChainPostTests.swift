import RedirectChain
import Testing
import Web

@Suite("A chain that begins with a POST")
struct PostTests {
  private static func machine(_ start: String = "https://a.example/", policy: ChainPolicy = ChainPolicy()) throws
    -> ChainMachine
  {
    ChainMachine(
      ChainRequest(
        url: try WebURL(start), method: .post(.json("{}")), headers: [.init(name: "X-Key", value: "k")], policy: policy)
    )
  }

  @Test(
    "Only the first request carries the body, whatever the redirect's status", arguments: [301, 302, 303, 307, 308])
  func once(status: Int) throws {
    var machine = try Self.machine()
    guard case .fetch(let first) = machine.start(now: 0) else { return }
    #expect(first.method == .post(.json("{}")))
    #expect(first.headers.map(\.name) == ["X-Key", "Content-Type"])
    // The same URL by GET is another request, and no loop.
    let answer = ChainMachineTests.response(MachineCase.to("/", status))
    guard case .fetch(let second) = machine.received(answer, now: 0) else {
      Issue.record("the chain did not go on")
      return
    }
    #expect(second.method == .get && second.headers.isEmpty)
    guard case .finish(.failed(let failure)) = machine.received(answer, now: 0) else { return }
    #expect(failure.cause == .redirectLoop)
  }

  @Test("In clear it is refused")
  func clear() throws {
    var policy = ChainPolicy()
    policy.requiresSecureStart = false
    var machine = try Self.machine("http://a.example/", policy: policy)
    guard case .finish(.failed(let failure)) = machine.start(now: 0) else {
      Issue.record("the request was made")
      return
    }
    #expect(failure.cause == .refusedByPolicy)
  }
}
