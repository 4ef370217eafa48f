import MBIMBackend
import ModemModel
import Testing

@Suite("An MBIM modem's messages", .timeLimit(.minutes(1)))
struct MBIMMessageTests {
  private func isSMS(_ request: ScriptedModem.Request) -> Bool { request.service == SMSService.id }

  @Test("are what a real SIM held")
  func reads() async throws {
    let messages = try await withMBIM { [isSMS] request in
      guard isSMS(request) else { return [.reply(status: 9)] }
      switch (request.cid, request.isSet) {
      case (SMSService.configuration, false): return [.reply([1, 0, 20, 0, 0, 0].bytes)]
      case (SMSService.read, false): return [.reply(request.information == [0, 0, 0].bytes ? SMSService.two : [])]
      default: return []
      }
    } _: { backend, _ in
      try await backend.startMessages()
      return try await backend.messages()
    }
    #expect(messages.map(\.reference) == ["store/1", "store/2"])
    #expect(messages.first?.pdu.revealed == "07916163838429F3040B915121553071F900007111709162654A04D4F29C0E")
    #expect(messages.allSatisfy { $0.isStored && $0.hasServiceCentre && $0.received == nil })
  }

  @Test("leave out those that this SIM sent")
  func leavesOutSent() async throws {
    let messages = try await withMBIM { _ in
      [.reply(SMSService.filler)]
    } _: { backend, _ in
      try await backend.messages()
    }
    #expect(messages.isEmpty)
  }

  @Test("end as an error of the call where a count or offset is wrong, not of the process")
  func survivesWrongCounts() async throws {
    for count: UInt32 in [3, 1000, 0x7fff_ffff, 0xffff_ffff] {
      let bad = Array(SMSService.two[..<4]) + [count].bytes + Array(SMSService.two[8...])
      let error = try await withMBIM { _ in
        [.indicateAs(service: SMSService.id, cid: SMSService.read, bad), .reply(bad)]
      } _: { backend, _ in
        await modemError { try await backend.messages() }
      }
      #expect(error?.code == .badReply, "\(count)")
    }
  }

  @Test("are asked for as PDUs where the modem has another form, and not before the store is ready")
  func configures() async throws {
    let isSet = try await withMBIM { request in
      request.isSet ? [.reply()] : [.reply([1, 1, 20, 0, 0, 0].bytes)]
    } _: { backend, modem in
      try await backend.startMessages()
      await modem.stopListening()
      return await modem.requests.reduce(into: []) { $0.append($1.isSet) }
    }
    #expect(isSet.suffix(2) == [false, true])
    let error = try await withMBIM { _ in
      [.reply([0, 0, 0, 0, 0, 0].bytes)]
    } _: { backend, _ in
      await modemError { try await backend.startMessages() }
    }
    #expect(error?.code == .simNotReady)
    let none = try await withMBIM { _ in
      [.reply(status: 9)]
    } _: { backend, _ in
      await modemError { try await backend.startMessages() }
    }
    #expect(none?.code == .notSupported)
  }

  @Test("are told of: stored, passed on, no room, another store")
  func events() async throws {
    try await withMBIM(script: { _ in [] }) { backend, modem in
      let sms = SMSService.id
      await modem.indicate(service: sms, cid: SMSService.storeStatus, [2, 7].bytes)
      // What cannot be read, other services and messages of this SIM's own say nothing.
      await modem.indicate(service: sms, cid: SMSService.storeStatus, [2])
      await modem.indicate(service: sms, cid: SMSService.read, SMSService.filler)
      await modem.indicate(service: sms, cid: SMSService.read, [1, 2, 3])
      await modem.indicate(service: sms, cid: 77, [])
      await modem.indicate(cid: SMSService.storeStatus, [2, 7].bytes)
      await modem.indicate(service: sms, cid: SMSService.storeStatus, [3, 8].bytes)
      await modem.indicate(service: sms, cid: SMSService.configuration, [1, 0].bytes)
      await modem.indicate(service: sms, cid: SMSService.read, SMSService.two)
      var events = backend.messageEvents.makeAsyncIterator()
      #expect(await events.next() == .stored(reference: "store/7"))
      #expect(await events.next() == .stored(reference: "store/8"))
      #expect(await events.next() == .storeFull)
      #expect(await events.next() == .storeChanged)
      for count in [31, 33] {
        guard case .passedOn(let message) = await events.next() else {
          Issue.record("a message was expected")
          return
        }
        #expect(message.pdu.octets.count == count && !message.isStored)
      }
      await modem.hangUp()
      #expect(await events.next() == nil)
    }
  }

  @Test("are deleted by their place")
  func deletes() async throws {
    let deleted = try await withMBIM { request in
      request.cid == SMSService.delete && request.isSet ? [.reply()] : [.reply(status: 21)]
    } _: { backend, modem in
      try await backend.deleteMessage(at: "store/7")
      for wrong in ["uim/7", "store/", "store/x", "memory/1", ""] {
        #expect(await modemError { try await backend.deleteMessage(at: wrong) }?.code == .failed)
      }
      await modem.stopListening()
      return await modem.requests.reduce(into: []) { $0.append($1.information) }
    }
    #expect(deleted.last == [1, 7].bytes)
  }
}
