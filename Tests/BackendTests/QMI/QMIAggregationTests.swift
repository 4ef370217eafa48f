import ModemModel
import Testing

@testable import QMIBackend

/// Who decides that a bearer's packets carry a multiplexing id: the modem, the driver, or nobody.
@Suite(.timeLimit(.minutes(1)))
struct `Multiplexed packets of a bearer that has the modem to itself` {
  private typealias Act = ScriptedQMIModem.Act
  private typealias Request = ScriptedQMIModem.Request

  /// WDA Data Format: link layer, aggregation both ways, and the longest transfer where it is told.
  private static func format(_ aggregation: UInt8, link: UInt8 = 2, size: [UInt8]? = nil) -> Act {
    var fields: ScriptedQMIModem.Fields = [
      0x11: [link, 0, 0, 0], 0x12: [aggregation, 0, 0, 0], 0x13: [aggregation, 0, 0, 0],
    ]
    fields[0x16] = size
    return .reply(fields)
  }

  struct Outcome {
    var format: LinkFormat?
    var error: ModemError?
    /// The requests of WDA and WDS, in their order.
    var asked: [ScriptedQMIModem.Request] = []
    var formats: [[UInt8]?] { asked.filter { $0.service == 0x1a && $0.message == 0x20 }.map { $0.fields[0x13] } }
    var bindings: [[UInt8]?] { asked.filter { $0.service == 1 && $0.message == 0xa2 }.map { $0.fields[0x11] } }
  }

  /// Agrees on a format and tries to connect once over IPv4, which the network refuses.
  private func negotiate(
    _ aggregation: Aggregation, id: UInt8? = 1, endpoint: DataEndpoint? = nil,
    _ formats: @escaping @Sendable (Request) -> Act
  ) async throws -> Outcome {
    let modem = await ScriptedQMIModem { request in
      switch (request.service, request.message) {
      case (0x1a, _): [formats(request)]
      case (1, 0xa2): [.reply()]
      case (1, 0x20): [.refuse(14)]
      default: [.usual]
      }
    }
    let backend = QMIBackend(
      QMIConfiguration(path: modem.path, muxID: id, aggregation: aggregation, endpoint: endpoint))
    try await backend.open()
    var outcome = Outcome()
    outcome.error = await modemError { outcome.format = try await backend.negotiateLinkFormat() }
    if outcome.error == nil { _ = await modemError { try await backend.connect(BearerRequest(ipType: .ipv4)) } }
    await backend.close()
    await modem.stopListening()
    for await request in modem.requests where request.service == 0x1a || request.service == 1 {
      outcome.asked.append(request)
    }
    await modem.hangUp()
    return outcome
  }

  @Test func `a modem that can do without is brought to bare packets`() async throws {
    let outcome = try await negotiate(.whereInsisted) { $0.message == 0x21 ? Self.format(5) : Self.format(0) }
    #expect(outcome.format == .rawIP)
    #expect(outcome.formats == [[0, 0, 0, 0]])
    #expect(outcome.bindings.isEmpty)
  }

  @Test(arguments: [(UInt8(5), Multiplexing.Version.v1), (8, .v4), (9, .v5)])
  func `a modem that insists gets its way, by word or by refusal`(
    number: UInt8, version: Multiplexing.Version
  ) async throws {
    let insists = try await negotiate(.whereInsisted) { _ in Self.format(number, size: [0, 0x20, 0, 0]) }
    let expected = Multiplexing(id: 1, up: version, down: version, largestAggregate: 8192)
    #expect(insists.format == .multiplexed(expected))
    #expect(insists.bindings == [[1]])
    let refuses = try await negotiate(.whereInsisted) {
      $0.message == 0x21 ? Self.format(number, size: [0, 0x20, 0, 0]) : .refuse(48)
    }
    #expect(refuses.format == .multiplexed(expected))
    #expect(refuses.bindings == [[1]])
  }

  @Test func `without links for it the refusal says so`() async throws {
    let outcome = try await negotiate(.whereInsisted, id: nil) { _ in Self.format(5) }
    #expect(outcome.error?.code == .notSupported)
    #expect(outcome.error?.message.contains("multiplexing ids (QMAP)") == true, "\(outcome.error?.message ?? "")")
    let other = try await negotiate(.whereInsisted) { _ in Self.format(7) }
    #expect(other.error?.message.contains("another kind than QMAP") == true, "\(other.error?.message ?? "")")
  }

  @Test func `a driver that is at its best with multiplexed packets asks for them, and does without`() async throws {
    let agreed = try await negotiate(.preferred, endpoint: .pcie) {
      $0.message == 0x21 ? Self.format(0) : Self.format(5)
    }
    #expect(agreed.format == .multiplexed(Multiplexing(id: 1, largestAggregate: 16384)))
    #expect(agreed.asked.first { $0.message == 0xa2 }?.fields[0x10] == [3, 0, 0, 0, 4, 0, 0, 0])
    for answer in [Act.refuse(48), .refuse(94), Self.format(0)] {
      let outcome = try await negotiate(.preferred) { $0.message == 0x21 ? Self.format(0) : answer }
      #expect(outcome.format == .rawIP)
      #expect(outcome.formats.first == [5, 0, 0, 0])
      #expect(outcome.bindings.isEmpty)
    }
    #expect(try await negotiate(.preferred) { _ in .refuse(94) }.format == .rawIP)
  }

  @Test func `a driver that carries nothing else takes no other answer`() async throws {
    for answer in [Act.refuse(94), Self.format(0)] {
      let outcome = try await negotiate(.always) { $0.message == 0x21 ? Self.format(0) : answer }
      #expect(outcome.error?.code == .noSession)
    }
    #expect(try await negotiate(.always) { _ in .refuse(94) }.error?.code == .noSession)
  }

  @Test func `a modem that wants to know the endpoint is told it`() async throws {
    let outcome = try await negotiate(.preferred, endpoint: .pcie) { request in
      let field: UInt8 = request.message == 0x21 ? 0x10 : 0x17
      guard request.fields[field] == [3, 0, 0, 0, 4, 0, 0, 0] else { return .refuse(17) }
      return Self.format(request.message == 0x21 ? 0 : 5)
    }
    #expect(outcome.format == .multiplexed(Multiplexing(id: 1, largestAggregate: 16384)))
  }

  @Test func `a format that cannot be read is no format`() async throws {
    let outcome = try await negotiate(.preferred) { _ in
      .reply([0x11: [2, 0, 0, 0], 0x12: [5, 0], 0x13: [5, 0, 0, 0]])
    }
    #expect(outcome.error?.code == .badReply)
  }
}
