import FuzzSupport
import NIOCore

@testable import Varlink

/// First byte: how many bytes come at a time. The rest: what a client sends.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzVarlinkFrames(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  let step = Int(input.byte()) + 1
  let bytes = input.bytes
  let frames = split(bytes, step)
  promise(frames == split(bytes, bytes.count + 1), "frames depend on how their bytes come")
  for frame in frames { check(frame) }
  return 0
}

private func split(_ bytes: [UInt8], _ step: Int) -> [[UInt8]] {
  var splitter = FrameSplitter(limit: 1024)
  var frames: [[UInt8]] = []
  do {
    for start in stride(from: 0, to: bytes.count, by: step) {
      var part = ByteBuffer(bytes: bytes[start..<min(start + step, bytes.count)])
      splitter.append(&part)
      while let frame = try splitter.next() { frames.append(frame) }
    }
  } catch {
    // Too long: the connection ends. How much came before does not matter then.
    return []
  }
  promise(splitter.waitingBytes <= 1024 + step, "more waits than the limit allows")
  return frames
}

/// What the fast reader takes, the decoder takes too, and means the same by it.
private func check(_ frame: [UInt8]) {
  guard let plain = PlainCall.read(frame) else { return }
  let decoded = try? JSONCoding.decode(CallHeader.self, from: frame)
  promise(decoded?.method == plain.method, "another method")
  promise(decoded?.more == plain.more, "another 'more'")
  promise(decoded?.oneway == plain.oneway, "another 'oneway'")
  promise(decoded?.upgrade == plain.upgrade, "another 'upgrade'")
}
