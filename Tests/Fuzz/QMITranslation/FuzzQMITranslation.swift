import CGLib
import CQMI
import CardCommands
import FuzzSupport
import ModemModel

@testable import QMIBackend

/// First byte: the service. Then a number of a message (2 bytes), and its TLVs as they come from a
/// QMI modem.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzQMITranslation(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  let head = [input.byte(), input.byte(), input.byte()]
  let fields = Array(input.bytes.prefix(60_000))
  let length = UInt16(fields.count)
  let frame: [UInt8] =
    [1] + (length + 12).bytes + [0x80, head[0] | 1, 1, 2, 1, 0, head[1], head[2]] + length.bytes + fields
  if let outline = QMIOutline(frame) { promise(outline.length == frame.count, "an outline of another length") }
  let bytes = g_byte_array_new()
  defer { g_byte_array_unref(bytes) }
  g_byte_array_append(bytes, frame, UInt32(frame.count))
  guard let message = qmi_message_new_from_raw(bytes, nil) else { return 0 }
  defer { qmi_message_unref(message) }
  let reply = QMIReply(name: "fuzz", copying: message)
  _ = try? reply.refusal
  if let cards = try? CardStatus(reply) {
    let status = cards.status
    promise(status.slot.map { (1...256).contains($0) } ?? true, "slot \(status.slot ?? 0)")
    promise((7...16).contains(cards.usim.count), "a USIM's name")
    promise(status.retriesLeft.map { (0...255).contains($0) } ?? true, "attempts")
  }
  if case .success(.response(let response)) = try? CardReply.answer(reply) {
    promise((4...16).contains(response.res.count), "a RES of \(response.res.count) bytes")
  }
  promise((try? CardReply.channel(reply)).map { (1...19).contains($0.number) } ?? true, "a channel of no card")
  if let content = try? CardReply.content(reply) {
    var answer = AuthenticateAnswer("fuzz")
    _ = answer.take(content.data, content.words)
  }
  _ = try? ServingSystem(reply)
  for family in [DataSession.Family.ipv4, .ipv6] {
    guard let settings = (try? CurrentSettings(reply, family: family)).map({ BearerSettings([$0]) }) else { continue }
    promise(settings.mtu.map { (576...65_535).contains($0) } ?? true, "an MTU of \(settings.mtu ?? 0)")
    promise(settings.ipv6.map { $0.prefix.address.bytes.count == 16 } ?? true, "an IPv6 address that is none")
  }
  for technology in Registration.Technology.allCases { strengthIsPlausible(try? reply.signalInfo(for: technology)) }
  strengthIsPlausible(try? reply.signalStrength())
  if let cause = try? reply.callEnd() { promise(cause.code.map { (1...255).contains($0) } ?? true, "a cause") }
  if let indication = Indication(message) { _ = PacketServiceStatus(indication) }
  for type in [UInt8(0x01), 0x11, 0x12] {
    guard let field = reply[type] else { continue }
    promise(ICCID(file: field).map { (18...20).contains($0.revealed.utf8.count) } ?? true, "a serial number")
    promise(IMSI(file: field).map { (6...15).contains($0.revealed.utf8.count) } ?? true, "an IMSI")
    promise(text(field).map { !$0.isEmpty } ?? true, "an empty text")
    _ = networkName(field)
  }
  return 0
}

private func strengthIsPlausible(_ strength: Int??) {
  guard let strength = strength ?? nil else { return }
  promise((-113 ... -51).contains(strength), "\(strength) dBm")
}

extension UInt16 {
  fileprivate var bytes: [UInt8] { [UInt8(self & 0xff), UInt8(self >> 8)] }
}
