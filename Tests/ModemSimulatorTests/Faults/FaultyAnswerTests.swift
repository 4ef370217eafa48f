import Testing

@testable import ModemSimulator

@Suite struct `A simulated fault` {
  private typealias Fault = SimulatedFault

  @Test func `meets so many commands, after so many that go well`() {
    var faults = [Fault(on: .signal, .fail, times: 2, skip: 1), Fault(on: .any, .swallow, times: 1, skip: 2)]
    #expect(faults.take(.signal) == nil)
    #expect(faults.take(.signal) == .fail)
    #expect(faults.take(.signal) == .fail)
    #expect(faults.take(.connect) == nil)
    #expect(faults.take(.connect) == .swallow)
    #expect(faults.take(.signal) == nil)
  }

  private func answers(_ action: Fault.Action) -> [EndpointAction] {
    var configuration = SimulatedModemConfiguration()
    configuration.faults = [Fault(on: .signal, action)]
    var host = MBIMHost(configuration)
    _ = host.open()
    return host.core.receive(MBIMHost.message(BasicConnect.signalState.rawValue))
  }

  private func whole() -> [UInt8] {
    guard case .send(let bytes, _) = answers(.delay(.zero)).first else { return [] }
    return bytes
  }

  @Test func `makes of an MBIM answer what it says`() {
    let answer = whole()
    #expect(answer.count > 48)
    #expect(answers(.swallow).isEmpty)
    #expect(answers(.lose).isEmpty)
    #expect(answers(.hangUp) == [.hangUp])
    #expect(answers(.restart) == [.restart])
    #expect(answers(.double) == [.send(answer, after: .zero), .send(answer, after: .zero)])
    #expect(answers(.overtake(atMost: .seconds(1))) == [.holdBack(answer, atMost: .seconds(1))])
    #expect(answers(.delay(.seconds(1))) == [.send(answer, after: .seconds(1))])
    #expect(answers(.hangUpAfter) == [.send(Array(answer.prefix(answer.count / 2)), after: .zero), .hangUp])
    #expect(answers(.storm(.signal, count: 5)).count == 6)
    #expect(
      answers(.replug(after: .zero, elsewhere: true)) == [.replug(after: .zero, elsewhere: true)])
    #expect(answers(.noise).count == 2)
  }

  @Test func `changes an MBIM answer's transaction, command or service, and nothing else`() {
    let answer = whole()
    for (mismatch, place) in [(Fault.Mismatch.transaction, 11), (.command, 36), (.recipient, 35)] {
      let changed = MBIMDamage.mismatched(answer, mismatch)
      #expect(zip(answer, changed).enumerated().filter { $0.element.0 != $0.element.1 }.map(\.offset) == [place])
    }
    let open = MBIMEncoder.openDone(transaction: 1, status: .success)
    #expect(MBIMDamage.mismatched(open, .command) == MBIMDamage.mismatched(open, .transaction))
    #expect(MBIMDamage.cut(open) == open)
  }

  @Test func `cuts answers so that their lengths are true`() {
    let answer = whole()
    let cut = MBIMDamage.cut(answer)
    #expect(cut.count < answer.count)
    #expect(UInt32(littleEndian: cut[4..<8]) == UInt32(cut.count))
    #expect(UInt32(littleEndian: cut[44..<48]) == UInt32(cut.count - 48))
    var fields = QMITLVs()
    fields.add(2, [0, 0, 0, 0])
    fields.add(1, [UInt8](repeating: 7, count: 40))
    let request = QMIRequest(service: 2, client: 1, transaction: 0x1234, message: 0x21, fields: QMITLVs())
    let frame = QMUXFramer.response(to: request, fields)
    let short = QMUXDamage.cut(frame)
    #expect(short.count < frame.count)
    #expect(UInt16(littleEndian: short[1..<3]) == UInt16(short.count - 1))
    #expect(UInt16(littleEndian: short[11..<13]) == UInt16(short.count - 13))
    #expect(QMUXDamage.mismatched(frame, .transaction)[7] != frame[7])
    #expect(QMUXDamage.mismatched(frame, .command)[9] != frame[9])
    #expect(QMUXDamage.mismatched(frame, .recipient)[5] != frame[5])
  }

  @Test func `brings the modem back under another name, each time another`() async throws {
    let modem = SimulatedModem()
    let link = "/tmp/moved-modem-\(UInt32.random(in: 0 ... .max))"
    try modem.plugIn(link: link)
    let links = modem.linkChanges()
    var seen: [String?] = []
    for await link in links {
      seen.append(link)
      if link != nil, seen.count < 5 { modem.move(after: .zero) }
      if seen.count == 5 { break }
    }
    #expect(seen == [link, nil, link + "-1", nil, link + "-2"])
    modem.unplug()
  }
}
