import DNSWire
import FuzzSupport

/// A datagram from the bearer's name server.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzDNS(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = FuzzInput(start, count)
  guard let message = try? DNSMessage(decoding: input.bytes) else { return 0 }
  if let question = message.questions.first { _ = AddressAnswer(message, to: question, id: message.id) }
  // What was read can be written when it is not too long, and then means the same.
  if let bytes = try? message.encoded() {
    let again = try? DNSMessage(decoding: bytes)
    promise(again == message, "a message changes when it is written and read again")
  }
  return 0
}
