import Testing

@testable import ModemSimulator

@Suite struct MBIMFramingTests {
  /// A command of Basic Connect in fragments of at most `size` bytes.
  private func fragments(of message: [UInt8], size: Int) -> [[UInt8]] {
    let payload = Array(message.dropFirst(20))
    let room = size - 20
    let count = (payload.count + room - 1) / room
    return (0..<count).map { index in
      let part = payload[index * room..<min(payload.count, (index + 1) * room)]
      return [3, UInt32(20 + part.count), 2, UInt32(count), UInt32(index)].flatMap(\.littleEndianBytes) + part
    }
  }

  @Test("a command in fragments is one command, however the stream is cut", arguments: [1, 7, 64, 4096])
  func reassembly(chunk: Int) {
    var host = MBIMHost()
    _ = host.open()
    let stream = fragments(of: MBIMHost.message(12, isSet: true, MBIMHost.connect()), size: 64).flatMap { $0 }
    var answers: [[UInt8]] = []
    for start in stride(from: 0, to: stream.count, by: chunk) {
      answers += host.send(Array(stream[start..<min(start + chunk, stream.count)]))
    }
    #expect(answers.count == 1)
    #expect(host.core.engine.sessions.count == 1)
  }

  @Test("a fragment out of sequence is a function error, and the next command works")
  func outOfSequence() {
    var host = MBIMHost()
    _ = host.open()
    let parts = fragments(of: MBIMHost.message(12, isSet: true, MBIMHost.connect()), size: 64)
    #expect(host.send(parts[0] + parts[2]) == [hex("04000080 10000000 02000000 02000000")])
    #expect(host.command(1).status == 0)
  }

  @Test("answers and indications keep to the size that the host opened with", arguments: [64, 100, 4096] as [UInt32])
  func fragmentation(maxTransfer: UInt32) {
    var whole = MBIMHost()
    _ = whole.open()
    let expected = whole.send(MBIMHost.message(1))[0].dropFirst(20)
    var host = MBIMHost()
    _ = host.open(maxTransfer: maxTransfer)
    var reader = ByteReader(host.send(MBIMHost.message(1))[0])
    var payload: [UInt8] = []
    var index: UInt32 = 0
    while reader.remaining > 0 {
      #expect(reader.u32() == 0x8000_0003)
      let length = reader.u32() ?? 0
      #expect(length <= maxTransfer)
      #expect(reader.u32() == 2)
      let total = reader.u32() ?? 0
      #expect(reader.u32() == index)
      payload += reader.take(Int(length) - 20) ?? []
      index += 1
      #expect(index < total || reader.remaining == 0)
    }
    #expect(payload == Array(expected))
  }

  @Test(
    "a message that says nonsense about its length does not stop the next one",
    arguments: [
      "01000000 00000000 01000000",  // shorter than a header
      "03000000 ffffffff 01000000",  // longer than any message
    ])
  func nonsense(bytes: String) {
    var host = MBIMHost()
    #expect(host.send(hex(bytes)).isEmpty)
    #expect(host.open().count == 1)
  }

  @Test("a command whose buffer is longer than the message is a length mismatch")
  func shortBuffer() {
    var host = MBIMHost()
    _ = host.open()
    let message =
      hex("03000000 30000000 02000000 01000000 00000000") + MBIMService.basicConnect.bytes
      + hex("01000000 00000000 04000000")
    #expect(host.send(message) == [hex("04000080 10000000 02000000 03000000")])
  }

  @Test("strings that point outside the buffer are invalid parameters")
  func wildString() {
    var host = MBIMHost()
    _ = host.open()
    var body = MBIMHost.connect()
    body.replaceSubrange(8..<12, with: hex("ffffffff"))
    #expect(host.command(12, isSet: true, body).status == 21)
  }

  @Test("a subscribe list as a host of libmbim sends it is taken and echoed")
  func subscriptions() throws {
    // Two services: Basic Connect with CIDs 11, 9, 12, 2, 10, and SMS with 2, 5.
    let list = hex(
      """
      02000000 14000000 28000000 3c000000 1c000000
      a289cc33bcbb8b4fb6b0133ec2aae6df 05000000 0b000000 09000000 0c000000 02000000 0a000000
      533fbeeb14fe44679f9033a223e56c3f 02000000 02000000 05000000
      """)
    var host = MBIMHost()
    _ = host.open()
    let answer = host.command(19, isSet: true, list)
    #expect(answer.status == 0)
    #expect(answer.body == list)
    let subscriptions = try #require(EventSubscriptions(list))
    #expect(subscriptions.cids?[.basicConnect] == [11, 9, 12, 2, 10])
    #expect(!subscriptions.contains(MBIMIndication(cid: 15, body: [])))
    #expect(subscriptions.contains(MBIMIndication(cid: 12, body: [])))
  }
}
