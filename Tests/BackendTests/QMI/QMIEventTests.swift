import ModemModel
import QMIBackend
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A QMI modem's indications` {
  @Test(
    arguments: [
      (11, 0x32, QMIField.ready, .simChanged), (11, 0x32, [:], .simChanged),
      (3, 0x24, QMIField.servingSystem(2), .registrationChanged), (3, 0x24, [:], .registrationChanged),
      (3, 0x51, [0x14: [0xb5, 0, 0, 0, 0, 0]], .signalChanged), (3, 0x02, [:], .signalChanged), (0, 0x27, [:], .reset),
    ] as [(UInt8, UInt16, [UInt8: [UInt8]], ModemEvent)])
  func `become events`(service: UInt8, message: UInt16, fields: [UInt8: [UInt8]], event: ModemEvent) async throws {
    try await withQMI(script: { _ in [.usual] }) { backend, modem in
      await modem.indicate(service: service, message: message, fields)
      for await first in backend.events {
        #expect(first == event)
        break
      }
    }
  }

  @Test func `keep their order, and a port that goes away is the last`() async throws {
    try await withQMI(script: { _ in [.usual] }) { backend, modem in
      let uim = try #require(await modem.clients.first { $0[0] == 11 })
      await modem.indicate(service: 3, message: 0x51)
      // Another program's client, an unknown service, an unknown message, a bearer there is not.
      await modem.indicate(service: 11, client: 200, message: 0x32)
      await modem.indicate(service: 9, message: 0x32)
      await modem.indicate(service: 3, message: 0x7777)
      await modem.indicate(service: 1, message: 0x22, QMIField.disconnected())
      await modem.indicate(service: 11, client: uim[1], message: 0x32)
      await modem.indicate(service: 3, message: 0x24)
      var iterator = backend.events.makeAsyncIterator()
      for event in [ModemEvent.signalChanged, .simChanged, .registrationChanged] {
        #expect(await iterator.next() == event)
      }
      await modem.hangUp()
      #expect(await iterator.next() == .removed)
      #expect(await iterator.next() == nil)
      #expect(await modemError { try await backend.identity() }?.code == .removed)
    }
  }

  @Test func `of a modem that forgot its clients ask for new ones`() async throws {
    try await withQMI(script: { $0.message == 0x2f ? [.refuse(7)] : [.usual] }) { backend, modem in
      #expect(await modemError { try await backend.simStatus() }?.code == .deviceUnavailable)
      for await first in backend.events {
        #expect(first == .reset)
        break
      }
      #expect(await modemError { try await backend.identity() }?.code == .deviceUnavailable)
      await backend.close()
      // Only the client that the modem does not know is not given back.
      #expect(await modem.released.map(\.[0]).sorted() == [2, 3])
    }
  }
}
