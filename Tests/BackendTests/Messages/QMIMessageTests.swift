import ModemModel
import QMIBackend
import ShortMessage
import Testing

@Suite("A QMI modem's messages", .timeLimit(.minutes(1)))
struct QMIMessageTests {
  private static let wms: UInt8 = 5
  private static let pdu = octets("07916163838429f3040b915121553071f900007111709162654a04d4f29c0e")

  private static func list(_ entries: [(UInt32, UInt8)], count: UInt32? = nil) -> [UInt8] {
    [count ?? UInt32(entries.count)].bytes + entries.flatMap { [$0.0].bytes + [$0.1] }
  }

  @Test("are read from both stores, without this SIM's own and those of other forms")
  func reads() async throws {
    let messages = try await withQMI { request in
      guard request.service == Self.wms else { return [.usual] }
      switch request.message {
      case 0x01: return [.reply()]
      case 0x31:
        // Place 3 was read, 4 is new, 5 was sent, 6 is gone by now, 7 is a cell broadcast.
        return request.fields[1] == [0]
          ? [.reply([1: Self.list([(3, 0), (4, 1), (5, 2), (6, 1), (7, 1)])])] : [.reply([1: Self.list([(0, 1)])])]
      case 0x22:
        switch request.fields[1] {
        case [0, 6, 0, 0, 0]: return [.refuse(50)]
        case [0, 7, 0, 0, 0]: return [.reply([1: [1, 7, 2, 0, 0x40, 0]])]
        default: return [.reply([1: [1, 6, UInt8(Self.pdu.count), 0] + Self.pdu])]
        }
      default: return [.refuse(71)]
      }
    } _: { backend, _ in
      try await backend.startMessages()
      try await backend.startMessages()
      return try await backend.messages()
    }
    #expect(messages.map(\.reference) == ["uim/3", "uim/4", "nv/0"])
    #expect(messages.allSatisfy { $0.pdu.octets == Self.pdu && $0.isStored })
  }

  @Test("end as an error of the call where a count or length is wrong")
  func survivesWrongCounts() async throws {
    for fields: [UInt8: [UInt8]] in [
      [1: Self.list([(3, 0)], count: 2)], [1: Self.list([], count: 0xffff_ffff)], [1: [1, 0]], [:],
    ] {
      let error = try await withQMI { request in
        request.service != Self.wms ? [.usual] : request.message == 0x01 ? [.reply()] : [.reply(fields)]
      } _: { backend, _ in
        try await backend.startMessages()
        return await modemError { try await backend.messages() }
      }
      #expect(error?.code == .badReply, "\(fields)")
    }
  }

  @Test("are of the other store where one is missing; with none the modem says why")
  func oneStore() async throws {
    for (missing, count) in [(UInt8(0), 0), (1, 0), (2, nil)] as [(UInt8, Int?)] {
      let count2 = try await withQMI { request -> [ScriptedQMIModem.Act] in
        guard request.service == Self.wms else { return [.usual] }
        guard request.message == 0x31 else { return [.reply()] }
        return missing == 2 || request.fields[1] == [missing] ? [.refuse(16)] : [.reply([1: Self.list([])])]
      } _: { backend, _ -> Int? in
        try await backend.startMessages()
        return try? await backend.messages().count
      }
      #expect(count2 == count)
    }
  }

  @Test("are none in a modem without the service")
  func noService() async throws {
    let error = try await withQMI { request in
      request.service == 0 && request.message == 0x22 && request.fields[1] == [Self.wms] ? [.refuse(31)] : [.usual]
    } _: { backend, _ in
      await modemError { try await backend.startMessages() }
    }
    #expect(error?.code == .notSupported)
  }

  @Test("are told of by their place, or come whole and are acknowledged")
  func events() async throws {
    try await withQMI(script: { $0.service == Self.wms ? [.reply()] : [.usual] }) { backend, modem in
      try await backend.startMessages()
      await modem.indicate(service: 5, message: 0x01, [0x10: [0, 3, 0, 0, 0]])
      await modem.indicate(service: 5, message: 0x01, [0x10: [1, 9, 0, 0, 0], 0x12: [1]])
      // Cut short, of no store, with a length beyond the end.
      for bad: [UInt8: [UInt8]] in [
        [0x10: [0, 3]], [0x10: [9, 3, 0, 0, 0]], [:], [0x11: [0, 1, 0, 0, 0, 6, 200, 0, 1]], [0x11: [0]],
      ] {
        await modem.indicate(service: 5, message: 0x01, bad)
      }
      let pushed: [UInt8] = Array(Self.pdu.dropFirst(8))
      await modem.indicate(
        service: 5, message: 0x01,
        [0x11: [0, 0x78, 0x56, 0x34, 0x12, 6, UInt8(pushed.count), 0] + pushed, 0x16: [1]])
      await modem.indicate(
        service: 5, message: 0x01, [0x11: [1, 1, 0, 0, 0, 6, UInt8(pushed.count), 0] + pushed])
      await modem.indicate(service: 5, message: 0x3a, [1: [0, 1]])
      var events = backend.messageEvents.makeAsyncIterator()
      #expect(await events.next() == .stored(reference: "uim/3"))
      #expect(await events.next() == .stored(reference: "nv/9"))
      for _ in 0..<2 {
        guard case .passedOn(let message) = await events.next() else {
          Issue.record("a message was expected")
          return
        }
        #expect(message.pdu.octets == pushed && !message.hasServiceCentre && !message.isStored)
        let read = try? ShortMessagePDU(message.pdu.octets, hasServiceCentre: false)
        guard case .delivery(let delivery)? = read else {
          Issue.record("a delivery was expected")
          return
        }
        #expect(delivery.sender.revealed == "+15125503179")
      }
      #expect(await events.next() == .storeFull)
      // The first of the two wants an acknowledgement, over IMS as it came.
      for await request in modem.requests where request.message == 0x37 {
        #expect(request.fields == [1: [0x78, 0x56, 0x34, 0x12, 1, 1], 0x12: [1]])
        break
      }
    }
  }

  @Test("are deleted by their place; free places are counted over the stores that there are")
  func deletesAndCounts() async throws {
    for (sizes, isFull) in [([(20, 0), (0, 0)], true), ([(20, 0), (10, 1)], false), ([], false)]
      as [([(UInt8, UInt8)], Bool)]
    {
      let answer = try await withQMI { request in
        guard request.service == Self.wms else { return [.usual] }
        switch request.message {
        case 0x36:
          guard let size = sizes.dropFirst(Int(request.fields[1]![0])).first else { return [.refuse(71)] }
          return [.reply([1: [size.0, 0, 0, 0], 0x10: [size.1, 0, 0, 0]])]
        default: return [.reply()]
        }
      } _: { backend, modem in
        try await backend.startMessages()
        let isFull = try await backend.isMessageStoreFull()
        try await backend.deleteMessage(at: "nv/2")
        #expect(await modemError { try await backend.deleteMessage(at: "store/2") }?.code == .failed)
        await modem.stopListening()
        let deletions = await modem.requests.reduce(into: [[UInt8: [UInt8]]]()) {
          if $1.message == 0x24 { $0.append($1.fields) }
        }
        #expect(deletions == [[1: [1], 0x10: [2, 0, 0, 0], 0x12: [1]]])
        return isFull
      }
      #expect(answer == isFull)
    }
  }

  /// What a Quectel EG25-G pushed (public captures): pages of a cell broadcast.
  static let broadcasts = [
    """
    00ffffffff0758004000111c0016c464710a4a4ea9a062d2590415a550e95358751e15c4b40b2493b96231970c2693815aa0984d479b81aa6839a80
    52286e720a170092acbe1f2b7980e2287e72077b95e0621c36e72be750dcbddad697e4e07
    """,
    """
    00ffffffff0758004000111c0026e53628ed0625d1f2b21c242d9fd36fb70b549c83c4e539bd8ca683d6e5b4bb0c3a96cd61b4dc0512a6e9f432287
    d76bfe5e9b2bcec064dd36510395d0639c363b43c3d46d35da066192d0725dde6f71c6406
    """,
    """
    00ffffffff0758004000111c00366937b9ec064dd36550dd4d2fcb41683a1dae7bbdeef7bb4b2c5ebbc47537d9452ebfc665365b2c7f87c9e3f09c0
    e1282a66f369b5e7683a6e932889c2ecfcb2067788c96a7c7683aa82c4787d9f4b29b0502
    """,
    """
    00ffffffff0758004000111c0046f337c85e969bfd673a28899683a6edb09c0e47bfdd65d0f96c7681dce9319a0ef28bcb7210b9ec0685d7f47a99c
    d2ebb41d3b7997e0fcbcb737ad84d7681ae6939a8dc869bcb6876d90d2287d165390b9404
    """,
    """
    00ffffffff0758004000111c00566839a8e8269fcbf23d1d14ae9b41e4b21b145ed3eb6536bbec064ddf66fa3d2c2fcfe9613719a4af83e072bfb9e
    c768184e534c8280f9fcb6e103a5d96ebeba07bd94d2ebb41d37419344f8fd120719a4e07
    """,
    "00ffffffff071f004000111c00666550d80d4aa2e56537e85896efe96574593ea797d9ecb2dcd5",
  ]

  @Test("are not what every phone in a cell gets, and that is not acknowledged")
  func ignoresBroadcasts() async throws {
    try await withQMI(script: { $0.service == Self.wms ? [.reply()] : [.usual] }) { backend, modem in
      try await backend.startMessages()
      for hex in Self.broadcasts { await modem.indicate(service: 5, message: 0x01, [0x11: octets(hex), 0x16: [0]]) }
      await modem.indicate(service: 5, message: 0x01, [0x10: [0, 1, 0, 0, 0]])
      var events = backend.messageEvents.makeAsyncIterator()
      #expect(await events.next() == .stored(reference: "uim/1"))
      // An answered command behind them: an acknowledgement would have been sent before it.
      _ = await modemError { try await backend.message(at: "uim/1") }
      await modem.stopListening()
      let acknowledged = await modem.requests.reduce(into: 0) { $0 += $1.message == 0x37 ? 1 : 0 }
      #expect(acknowledged == 0)
    }
    // Their text is in the same alphabet (TS 23.041, 9.4.1.2): septets behind a header of six
    // octets.
    let pages = Self.broadcasts.map { hex in
      let page = octets(hex).dropFirst(8 + 6)
      return GSMAlphabet.text(GSMAlphabet.unpacked(page, count: page.count * 8 / 7))
    }
    #expect(pages[0].hasPrefix("DIES IST EINE ERPROBUNG\nDi. 22.11.2022 - 16:43 Uhr - Das BBK erprobt"))
    #expect(pages[5] == "e an Ihren Gerätehersteller.")
  }
}
