import DNSWire
import Glibc
import HTTPExchange
import NIOCore

/// Asks whether a bearer carries traffic. Any answer of one of its DNS servers, even a refusal,
/// shows that it does.
package struct DNSProbe: Sendable {
  private let group: any EventLoopGroup
  private let timing: DNSTiming
  private let randomID: @Sendable () -> UInt16
  private let memory: ServerMemory?

  /// - Parameters:
  ///   - group: its loops carry the sockets; it must outlive the probe.
  ///   - timing: the time limits for asking the servers.
  ///   - randomID: makes query ids: random, unless a test needs otherwise.
  package init(
    group: any EventLoopGroup, timing: DNSTiming = DNSTiming(),
    randomID: @escaping @Sendable () -> UInt16 = { .random(in: .min ... .max) }
  ) {
    self.init(group: group, timing: timing, randomID: randomID, memory: nil)
  }

  init(
    group: any EventLoopGroup, timing: DNSTiming, randomID: @escaping @Sendable () -> UInt16, memory: ServerMemory?
  ) {
    self.group = group
    self.timing = timing
    self.randomID = randomID
    self.memory = memory
  }

  /// Asks the interface's servers for a name that every server can answer (RFC 6303, 4.2: the
  /// reverse of the loopback address).
  ///
  /// - Parameter onBytes: hears of the bytes of the questions and answers.
  /// - Returns: whether one of them answered; nil where there is none, the interface cannot be
  ///   used, or the task was cancelled.
  package func isAnswered(over interface: BoundInterface, onBytes: ByteReport? = nil) async -> Bool? {
    let usable = interface.dnsServers.contains { $0.isIPv4 ? interface.hasIPv4 : interface.hasIPv6 }
    guard usable, (try? interface.verify()) != nil, let name = try? DomainName("1.0.0.127.in-addr.arpa") else {
      return nil
    }
    let scope = ChainScope(loop: group.next(), interface: interface, memory: memory, onBytes: onBytes)
    let timing = timing
    let query = DNSQuery(DNSQuestion(name, .a), scope, timing, randomID: randomID)
    let answer = scope.loop.flatSubmit {
      let deadline = scope.loop.scheduleTask(in: TimeAmount(timing.total)) { query.cancel() }
      return query.start().always { _ in deadline.cancel() }
    }
    defer { scope.loop.execute { scope.closeAll() } }
    do {
      // After the start, which is on the loop already.
      _ = try await withTaskCancellationHandler {
        try await answer.get()
      } onCancel: {
        scope.loop.execute { query.cancel() }
      }
      return true
    } catch {
      if Task.isCancelled { return nil }
      // That nobody listens on a port is an answer, too.
      if SocketFailure.code(error) == ECONNREFUSED { return true }
      return SocketFailure.isBearerLost(error) ? nil : false
    }
  }
}
