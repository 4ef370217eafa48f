import Glibc
import ModemModel
import Testing

@testable import QMIBackend

/// A message whose length is wrong makes libqmi wait for bytes that never come. The modem answers,
/// and nobody hears it.
@Suite(.timeLimit(.minutes(1))) struct `A QMI modem that is not heard any more` {
  private typealias Request = ScriptedQMIModem.Request

  static let short = SilenceWatch.Patience(
    command: .milliseconds(50), question: .milliseconds(200), idle: .milliseconds(100), longCommand: .milliseconds(500))
  static let long = QMIConfiguration.Limits(query: .seconds(600), connect: .seconds(1200))

  /// A reply of DMS, or an indication of NAS, whose frame claims to be so long.
  static func frame(length: UInt16, service: UInt8 = 2, kind: UInt8 = 2, message: UInt16) -> [UInt8] {
    let data = [kind, 0, 0] + [message, 7].shortBytes + [2] + [4, 0, 0].shortBytes
    return [1] + [length].shortBytes + [0x80, service, 0xff] + data
  }

  private static func isModel(_ request: Request) -> Bool { request.service == 2 && request.message == 0x22 }

  @Test(arguments: [0x4000, 0xffff] as [UInt16])
  func `ends the command that waits, and the next port hears it`(length: UInt16) async throws {
    let file = "/tmp/modemd-silence-\(getpid())-\(length)"
    defer { unlink(file) }
    let script: @Sendable (ScriptedQMIModem.Request) -> [ScriptedQMIModem.Act] = { request in
      if Self.isModel(request) { return [.reply([1: Array("E1".utf8)])] }
      // DMS Get Manufacturer.
      return request.service == 2 && request.message == 0x21 && request.earlier == 0
        ? [.raw(Self.frame(length: length, message: 0x21))] : [.usual]
    }
    try await withQMI(limits: Self.long, stateFile: file, patience: Self.short, script: script) { backend, modem in
      let error = await modemError { try await backend.identity() }
      #expect(error?.code == .timeout)
      #expect(error?.message.contains("its port is opened anew") == true, "\(error?.message ?? "")")
      var events = backend.events.makeAsyncIterator()
      #expect(await events.next() == .unresponsive)
      await backend.close()
      let held = await modem.clients
      #expect(held.count == 3)
      let next = QMIBackend(QMIConfiguration(path: modem.path, stateFile: file, limits: Self.long))
      try await next.open()
      let model = try await next.identity().model
      #expect(model == "E1")
      // What the first port could not give back, the second has.
      #expect(await modem.clients.isDisjoint(with: held))
      await next.close()
      #expect(await modem.clients.isEmpty)
    }
  }

  @Test func `is noticed while nobody asks anything`() async throws {
    try await withQMI(limits: Self.long, patience: Self.short) { request in
      Self.isModel(request) ? [.reply([1: Array("E1".utf8)])] : [.usual]
    } _: { backend, modem in
      var questions = 0
      for await request in modem.requests where Self.isModel(request) {
        questions += 1
        if questions == 2 { break }
      }
      await modem.say(bytes: Self.frame(length: 0xffff, service: 3, kind: 4, message: 0x51))
      var events = backend.events.makeAsyncIterator()
      #expect(await events.next() == .unresponsive)
    }
  }

  /// libqmi takes what begins with no marker for the end of the port.
  @Test func `hangs up where little is missing, and the next port hears it`() async throws {
    try await withQMI(limits: Self.long, patience: Self.short) { request in
      Self.isModel(request) ? [.reply([1: Array("E1".utf8)])] : [.usual]
    } _: { backend, modem in
      await modem.say(bytes: Self.frame(length: 22, service: 3, kind: 4, message: 0x51))
      var events = backend.events.makeAsyncIterator()
      #expect(await events.next() == .removed)
      let next = QMIBackend(QMIConfiguration(path: modem.path, limits: Self.long))
      try await next.open()
      let model = try await next.identity().model
      #expect(model == "E1")
      await next.close()
    }
  }

  @Test func `is not one that leaves a command without an answer`() async throws {
    let limits = QMIConfiguration.Limits(query: .seconds(20), pin: .milliseconds(500))
    try await withQMI(limits: limits, patience: .init(command: .milliseconds(20))) { request in
      switch (request.service, request.message) {
      case (11, 0x2f): [.reply(QMIField.locked())]
      case (11, 0x26): []
      case (2, 0x22): [.reply([1: Array("E1".utf8)])]
      default: [.usual]
      }
    } _: { backend, _ in
      let error = await modemError { try await backend.unlock(with: PIN("1234")!) }
      #expect(error?.message.contains("did not answer in time") == true)
      let model = try await backend.identity().model
      #expect(model == "E1")
    }
  }

  @Test func `is not asked a second time to connect`() async throws {
    let script: @Sendable (ScriptedQMIModem.Request) -> [ScriptedQMIModem.Act] = { request in
      switch (request.service, request.message) {
      case (2, 0x22): [.reply([1: Array("E1".utf8)])]
      case (1, 0x20): [.raw(Self.frame(length: 0xffff, service: 1, message: 0x20))]
      default: [.usual]
      }
    }
    try await withQMI(limits: Self.long, patience: Self.short, script: script) { backend, modem in
      #expect(await modemError { try await backend.connect(BearerRequest(ipType: .ipv4)) }?.code == .timeout)
      await backend.close()
      await modem.stopListening()
      var starts = 0
      for await request in modem.requests where request.service == 1 && request.message == 0x20 { starts += 1 }
      #expect(starts == 1)
    }
  }
}
