import MBIMBackend
import ModemModel
import Testing

@Suite(.timeLimit(.minutes(1))) struct `An MBIM modem's indications` {
  @Test(
    arguments: [
      (CID.subscriberReady, Information.subscriberReady(2), .simChanged),
      (CID.registerState, Information.registerState(1), .registrationChanged),
      (CID.packetService, Information.packetService(4), .registrationChanged),
      (CID.packetService, [], .registrationChanged),
      (CID.signalState, Information.signal(rssi: 9), .signalChanged),
    ] as [(UInt32, [UInt8], ModemEvent)])
  func `become events`(cid: UInt32, information: [UInt8], event: ModemEvent) async throws {
    try await withMBIM(script: { _ in [] }) { backend, modem in
      await modem.indicate(cid: cid, information)
      for await first in backend.events {
        #expect(first == event)
        break
      }
    }
  }

  @Test func `keep their order, and a port that goes away is the last`() async throws {
    try await withMBIM(script: { _ in [] }) { backend, modem in
      await modem.indicate(cid: CID.signalState, Information.signal(rssi: 9))
      await modem.indicate(cid: CID.subscriberReady, Information.subscriberReady(2))
      await modem.indicate(cid: 77, [1, 2, 3])
      await modem.indicate(cid: CID.registerState, [])
      await modem.indicate(cid: CID.connect, [1, 2])
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

  @Test func `of a modem that forgot its session ask for a new one`() async throws {
    try await withMBIM(script: { _ in [.functionError(5)] }) { backend, _ in
      let error = await modemError { try await backend.identity() }
      #expect(error?.code == .deviceUnavailable)
      for await first in backend.events {
        #expect(first == .reset)
        break
      }
    }
  }
}
