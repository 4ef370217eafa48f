import FuzzSupport
import ModemModel
import ShortMessage

/// Messages as a modem or the network gives them: any number of PDUs, each behind its length; then
/// texts and patterns for codes.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzShortMessage(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  var assembly = MessageAssembly(limits: .init(parts: 32))
  var number = 0
  while !input.isEmpty {
    let control = input.byte()
    if control == 0xff {
      let pattern = input.line()
      let text = input.text
      if let made = try? CodePattern(pattern) {
        let code = made.match(text)
        promise(code.map { (1...32).contains($0.revealed.count) } ?? true, "a code is as long as its pattern allows")
      }
      promise(CodeSearch.code(in: text).map { (4...32).contains($0.revealed.count) } ?? true, "a code has a length")
      return 0
    }
    let length = Int(input.byte())
    let octets = (0..<length).map { _ in input.byte() }
    number += 1
    guard case .delivery(let delivery)? = try? ShortMessagePDU(octets, hasServiceCentre: control & 1 == 0) else {
      continue
    }
    assembly.add(
      MessagePart(
        delivery, octets: octets, reference: "\(number)",
        received: control & 2 == 0 ? nil : Timestamp(milliseconds: Int64(number)), isStored: control & 4 == 0))
    if control & 8 != 0 { assembly.remove(reference: "\(number / 2)") }
    if control & 16 != 0 { assembly.expire(at: Timestamp(milliseconds: 90_000_000)) }
  }
  for message in assembly.messages {
    promise(message.parts.count <= message.total, "a message has no more parts than it says")
    promise(message.text == nil || message.data == nil || message.parts.isEmpty, "a message is text or data")
    let text = message.text?.revealed ?? ""
    promise(text.utf16.count <= 160 * message.total, "a text is no longer than its parts")
    _ = CodeSearch.code(in: text)
  }
  promise(assembly.messages.reduce(0) { $0 + $1.parts.count } <= 32 + 255, "no more is kept than the limit")
  return 0
}
