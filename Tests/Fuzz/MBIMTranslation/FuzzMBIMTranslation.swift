import CGLib
import CMBIM
import CardCommands
import Dispatch
import FuzzSupport
import GLibBridge
import ModemModel
import ReplyCheck

@testable import MBIMBackend

private let glib = GLibExecutor(name: "fuzz")

/// First byte: the version of the extensions, and whether the lengths in the message are put right.
/// The rest: a message from an MBIM modem. It goes where the backend lets it go: into libmbim's
/// parsers, and into the model. What passes the check is printed too, which reads every field of
/// it.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzMBIMTranslation(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  let first = input.byte()
  let version = MBIMExtensions(rawValue: first % 3 + 1)!
  let bytes = first & 0x80 == 0 ? withLengths(input.bytes) : input.bytes
  let done = DispatchSemaphore(value: 0)
  glib.invoke {
    translate(bytes, version)
    done.signal()
  }
  done.wait()
  return 0
}

private func translate(_ bytes: [UInt8], _ version: MBIMExtensions) {
  guard let message = mbim_message_new(bytes, UInt32(bytes.count)) else { return }
  let reference = GLibReference(adopting: message, on: glib, release: { mbim_message_unref($0) })
  // libmbim validates a message before it hands it out.
  guard mbim_message_validate(message, nil) != 0 else { return }
  if let indication = CheckedIndication(message, version) {
    _ = PacketServiceReport(indication)
    _ = SessionReport(indication)
    print(message, version)
  }
  guard let reply = try? MBIMReply(name: "fuzz", message: reference, to: nil, version), reply.status != nil else {
    return
  }
  let subject = (try? MBIMFrame(bytes))?.subject
  if subject?.service == .basicConnect {
    switch subject?.command {
    case 1: if version < .v3 { _ = try? DeviceIdentity(reply) }
    case 2: numbersAreText(try? SIMStatus(reply))
    case 4: _ = try? PINState(reply)
    case 6: _ = try? Network.home(reply)
    case 9: _ = try? Registration(reply)
    case 10: _ = try? PacketServiceReport(reply)
    case 11: _ = (try? codedStrength(reply)).map { dBm(codedStrength: $0) }
    case 12: _ = try? SessionReport(reply)
    case 15: addressesArePlausible((try? IPConfiguration(reply)).map { BearerSettings($0) })
    case 16: _ = try? ServiceList(reply)
    default: break
    }
  }
  if subject?.service == .auth {
    answerIsPossible(try? AuthenticationReply.answer(reply))
    // A wrong length of RES is no answer, whatever else the status says.
    if reply.status == MBIM_STATUS_ERROR_AUTH_SYNC_FAILURE, case .response = try? AuthenticationReply.answer(reply) {
      promise(false, "a response of a SIM that is out of step")
    }
  }
  if subject?.service == .uicc {
    switch subject?.command {
    case 2: promise((try? ChannelReply.channel(reply)) != 0, "channel 0")
    case 4: takeContent(try? ChannelReply.content(reply))
    case 7:
      if let found = try? UICCReply.applications(reply) {
        promise((7...16).contains(CardApplication.usim(active: found.active, among: found.all).count), "a USIM's name")
      }
    default: break
    }
  }
  if subject?.service == .extensions, subject?.command == 6, version == .v3 { _ = try? DeviceIdentity(reply) }
  if let frame = try? MBIMFrame(bytes), (try? MBIMReplyCheck.check(frame, version)) != nil { print(message, version) }
}

private func print(_ message: OpaquePointer, _ version: MBIMExtensions) {
  g_free(mbim_message_get_printable_full(message, version.rawValue, 0, "", 0, nil))
}

private func answerIsPossible(_ answer: AKAAnswer?) {
  guard case .response(let response) = answer else { return }
  promise((4...16).contains(response.res.count), "a RES of \(response.res.count) bytes")
}

private func takeContent(_ content: (data: [UInt8], words: StatusWords)?) {
  guard let content else { return }
  var answer = AuthenticateAnswer("fuzz")
  if case .success(.answered(let answer)) = answer.take(content.data, content.words) { answerIsPossible(answer) }
}

private func numbersAreText(_ status: SIMStatus?) {
  guard let status else { return }
  promise(status.numbers.allSatisfy { !$0.revealed.isEmpty }, "an empty number")
}

private func addressesArePlausible(_ settings: BearerSettings?) {
  guard let settings else { return }
  promise(settings.ipv4.map { $0.prefix.address.bytes.count == 4 } ?? true, "an IPv4 address that is none")
  promise(settings.ipv6.map { $0.prefix.address.bytes.count == 16 } ?? true, "an IPv6 address that is none")
  promise(settings.mtu.map { (576...65_535).contains($0) } ?? true, "an MTU of \(settings.mtu ?? 0)")
}

/// A message whose lengths are those that it has, so that more of the tried ones come past its
/// header.
private func withLengths(_ bytes: [UInt8]) -> [UInt8] {
  guard bytes.count >= 48 else { return bytes }
  var message = bytes
  let place = message[0] == 7 ? 40 : 44
  put(UInt32(bytes.count), at: 4)
  put(1, at: 12)
  put(0, at: 16)
  put(UInt32(bytes.count - place - 4), at: place)
  func put(_ number: UInt32, at place: Int) {
    for index in 0..<4 { message[place + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
  }
  return message
}
