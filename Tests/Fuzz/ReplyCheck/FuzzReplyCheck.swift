import FuzzSupport
import ReplyCheck

/// First byte: the version of the extensions. The rest: a message from an MBIM modem.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzReplyCheck(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  let version = MBIMExtensions(rawValue: input.byte() % 3 + 1)!
  let bytes = input.bytes
  if let outline = try? MBIMOutline(bytes) {
    // At the most eight numbers, their names and a length.
    promise(outline.length == bytes.count && (outline.detail ?? "").utf8.count < 512, "an outline of any length")
  }
  guard let frame = try? MBIMFrame(bytes) else { return 0 }
  promise(frame.information.count <= bytes.count, "contents of \(frame.information.count) bytes")
  guard let subject = frame.subject else { return 0 }
  let isSound = (try? MBIMReplyCheck.check(frame, version)) != nil
  promise(!isSound || MBIMReplyCheck.shape(of: frame, version) != nil, "an unknown message passes: \(subject)")
  // More bytes behind a sound message do no harm, but to what reaches to its end.
  if isSound, subject.service == .basicConnect, subject.command != 12 || version < .v3,
    let longer = try? MBIMFrame(bytes + [0, 0, 0, 0])
  {
    promise((try? MBIMReplyCheck.check(longer, version)) != nil, "a longer message fails: \(subject)")
  }
  return 0
}
