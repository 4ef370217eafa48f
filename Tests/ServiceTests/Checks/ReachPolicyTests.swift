import ModemModel
import NetworkAddress
import RedirectChain
import Synchronization
import Testing
import Web

@testable import ModemService

/// What chains may reach is the word of whoever runs the machine.
@Suite(.timeLimit(.minutes(1))) struct `What a chain may reach` {
  private static let here = IPAddress("127.0.0.1")!
  private static let there = IPAddress("169.254.1.1")!

  /// A modem whose bearer comes up at once.
  private struct Link: ModemLink {
    let name = "cdc-wdm0"
    let messages: (any MessageLink)? = nil

    static let status = BearerStatus(
      state: .up(InstalledBearer(settings: BearerSettings(), interface: "wwan0", interfaceIndex: 7, table: 7307)),
      since: Timestamp(milliseconds: 1))

    func connect(_ request: BearerRequest) async throws -> BearerStatus { Self.status }
    func disconnect() async throws -> BearerStatus { Self.status }
    func verifyBearer() async throws -> BearerStatus { Self.status }
    func unlock(with pin: PIN, mayBeLast: Bool) async throws -> ModemState { throw ModemError(.failed, name) }
  }

  /// The policy that a chain was walked with.
  private func walked(_ reach: ReachPolicy, _ asked: (inout ChainPolicy) -> Void = { _ in }) async throws -> ChainPolicy
  {
    let registry = ModemRegistry()
    registry.update(
      ModemState(
        id: "modem-1", device: "/dev/cdc-wdm0", kind: .mbim, interface: "wwan0",
        bearer: BearerStatus(since: Timestamp(milliseconds: 0))),
      from: Link())
    let walked = Mutex<ChainPolicy?>(nil)
    let checks = CheckService(
      registry: registry, bearers: BearerService(registry: registry), reach: reach,
      now: { Timestamp(milliseconds: 0) }
    ) { request, _, _ in
      walked.withLock { $0 = request.policy }
      return .failed(ChainFailure(.timeout, "there is no network"))
    }
    var policy = ChainPolicy()
    asked(&policy)
    let request = ChainRequest(url: try WebURL("https://a.example/"), policy: policy)
    _ = try await checks.open(request, modem: nil, caller: Caller(userID: 1000)) { _ in }
    let last = walked.withLock { $0 }
    return try #require(last)
  }

  @Test func `is nothing of this machine, whatever is asked for`() async throws {
    let policy = try await walked(ReachPolicy()) { $0.allowedAddresses = [Self.here] }
    #expect(policy.allowedAddresses.isEmpty)
    #expect(policy.refusal(of: Self.here) != nil && policy.refusal(of: Self.there) != nil)
  }

  @Test func `is an address of this machine where the configuration names it, and only that one`() async throws {
    let policy = try await walked(ReachPolicy(allowedAddresses: [Self.here])) { $0.allowedAddresses = [Self.there] }
    #expect(policy.refusal(of: Self.here) == nil && policy.refusal(of: Self.there) != nil)
  }

  @Test(
    arguments: [
      (nil, nil, nil), (["a.example"], nil, ["a.example"]), (nil, ["a.example"], ["a.example"]),
      (["a.example"], ["he.a.example", "b.example"], ["he.a.example"]), (["a.example"], ["b.example"], []),
    ] as [(Set<String>?, Set<String>?, Set<String>?)])
  func `in clear is what configuration and caller both allow`(
    configured: Set<String>?, asked: Set<String>?, both: Set<String>?
  ) async throws {
    let policy = try await walked(ReachPolicy(cleartextDomains: configured)) { $0.cleartextDomains = asked }
    #expect(policy.cleartextDomains == both)
  }

  @Test func `and shows the fields that the configuration names, in place of the usual ones`() async throws {
    #expect(try await walked(ReachPolicy()).traceHeaders == ReachPolicy.usualTraceHeaders)
    #expect(try await walked(ReachPolicy(traceHeaders: ["x-own"])).traceHeaders == ["x-own"])
    #expect(ReachPolicy.usualTraceHeaders.isSuperset(of: ChainPolicy().traceHeaders))
  }
}
