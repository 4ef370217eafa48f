import ModemModel
import QMIBackend
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A QMI modem's packet format` {
  private typealias Act = ScriptedQMIModem.Act

  private static func format(_ protocol: UInt8, aggregation: UInt8 = 0) -> Act {
    .reply([0x11: [`protocol`, 0, 0, 0], 0x12: [aggregation, 0, 0, 0], 0x13: [aggregation, 0, 0, 0]])
  }

  private func negotiate(
    _ current: Act, set: Act = .refuse(71), service: Act = .usual
  ) async throws -> (format: LinkFormat?, error: ModemError?, wanted: [UInt8]?) {
    try await withQMI { request in
      switch (request.service, request.message) {
      case (0, 0x22) where request.fields[1] == [0x1a]: [service]
      case (0x1a, 0x21): [current]
      case (0x1a, 0x20): [set]
      default: [.usual]
      }
    } _: { backend, modem in
      var format: LinkFormat?
      let error = await modemError { format = try await backend.negotiateLinkFormat() }
      await modem.stopListening()
      let wanted = await modem.requests.first { $0.service == 0x1a && $0.message == 0x20 }
      return (format, error, wanted?.fields[0x11])
    }
  }

  @Test func `of bare IP packets is left`() async throws {
    let result = try await negotiate(Self.format(2))
    #expect(result.format == .rawIP)
    #expect(result.wanted == nil)
  }

  @Test func `is made bare IP`() async throws {
    let result = try await negotiate(Self.format(1), set: Self.format(2))
    #expect(result.format == .rawIP)
    #expect(result.wanted == [2, 0, 0, 0])
    #expect(try await negotiate(Self.format(2, aggregation: 5), set: Self.format(2)).wanted == [2, 0, 0, 0])
  }

  @Test func `stays Ethernet where the modem insists`() async throws {
    #expect(try await negotiate(Self.format(1), set: Self.format(1)).format == .ethernet)
    #expect(try await negotiate(Self.format(1), set: .refuse(94)).format == .ethernet)
  }

  @Test func `is bare IP where the modem does not know the question`() async throws {
    #expect(try await negotiate(.refuse(94)).format == .rawIP)
    #expect(try await negotiate(.refuse(71)).format == .rawIP)
    #expect(try await negotiate(.refuse(3), service: .refuse(31)).format == .rawIP)
  }

  @Test func `that cannot be agreed on says so`() async throws {
    #expect(try await negotiate(.refuse(3)).error?.code == .failed)
    #expect(try await negotiate(.reply()).error?.code == .badReply)
    #expect(try await negotiate(Self.format(2, aggregation: 5)).error?.code == .notSupported)
    #expect(
      try await negotiate(Self.format(2, aggregation: 5), set: Self.format(2, aggregation: 5)).error?.code
        == .notSupported)
  }
}
