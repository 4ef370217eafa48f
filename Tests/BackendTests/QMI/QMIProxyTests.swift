import Glibc
import ModemModel
import Testing

@testable import QMIBackend

@Suite(
  .timeLimit(.minutes(1)),
  .enabled(
    if: PrivateNetwork.isPossible(with: "qmi-proxy"),
    "needs root, a network namespace and qmi-proxy, which serves root only"))
struct `A QMI port shared through qmi-proxy` {
  @Test func `answers, reports, gives its client ids back and sees the modem go`() async throws {
    let modem = await ScriptedQMIModem { $0.message == 0x22 && $0.service == 2 ? [.reply([1: [0x45]])] : [.usual] }
    let backend = QMIBackend(QMIConfiguration(path: modem.path, usesProxy: true))
    let second = QMIBackend(QMIConfiguration(path: modem.path, usesProxy: true))
    try #require(await backend.enterPrivateNetwork(of: nil))
    do {
      try await backend.open()
      let model = try await backend.identity().model
      #expect(model == "E")
      var events = backend.events.makeAsyncIterator()
      await modem.indicate(service: 3, message: 0x51)
      #expect(await events.next() == .signalChanged)
      // Another program of this network.
      try #require(await second.enterPrivateNetwork(of: await backend.thread()))
      try await second.open()
      #expect(await modem.clients.count == 6)
      await second.close()
      #expect(await modem.clients.count == 3)
      await modem.hangUp()
      #expect(await events.next() == .removed)
      #expect(await events.next() == nil)
    } catch {
      Issue.record(error)
    }
    let proxy = try #require(await backend.proxy())
    await backend.close()
    await second.close()
    kill(proxy, SIGTERM)
    // Not our child: it is gone when it cannot be asked any more.
    while kill(proxy, 0) == 0 { await Task.yield() }
  }
}

extension `A QMI port shared through qmi-proxy` {
  /// The proxy closes a port that nobody uses, and forgets what it waited for.
  @Test func `is heard again by the next port, where nobody else uses the modem`() async throws {
    let modem = await ScriptedQMIModem { $0.message == 0x22 && $0.service == 2 ? [.reply([1: [0x45]])] : [.usual] }
    var configuration = QMIConfiguration(path: modem.path, usesProxy: true)
    configuration.patience = `A QMI modem that is not heard any more`.short
    let backend = QMIBackend(configuration)
    let second = QMIBackend(QMIConfiguration(path: modem.path, usesProxy: true))
    try #require(await backend.enterPrivateNetwork(of: nil))
    do {
      try await backend.open()
      await modem.say(
        bytes: `A QMI modem that is not heard any more`.frame(length: 0xffff, service: 3, kind: 4, message: 0x51))
      var events = backend.events.makeAsyncIterator()
      #expect(await events.next() == .unresponsive)
      await backend.close()
      try #require(await second.enterPrivateNetwork(of: await backend.thread()))
      try await second.open()
      let model = try await second.identity().model
      #expect(model == "E")
    } catch {
      Issue.record(error)
    }
    let proxy = try #require(await backend.proxy())
    await second.close()
    await modem.hangUp()
    kill(proxy, SIGTERM)
    while kill(proxy, 0) == 0 { await Task.yield() }
  }
}

extension QMIBackend {
  /// Moves the backend's thread into a network of its own, or into that of another thread.
  fileprivate func enterPrivateNetwork(of thread: pid_t?) -> Bool {
    thread.map { PrivateNetwork.enter(of: $0) } ?? PrivateNetwork.enter()
  }

  fileprivate func thread() -> pid_t { PrivateNetwork.thread() }

  fileprivate func proxy() -> pid_t? { PrivateNetwork.listener(on: "qmi-proxy") }
}
