import FuzzSupport
import JSONTree
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
  guard let decoded = try? ReadCall.read(frame, JSONReader.Limits(depth: 32, values: 16_384)),
    case .parameters(let parameters) = decoded.source
  else { return promise(false, "the decoder refuses it") }
  promise(decoded.header == plain.header, "another method, or another flag")
  switch plain.source {
  case .bare: promise(parameters == .null || parameters == .object([:]), "there are parameters")
  case .plain(let fields):
    promise(fields.object == parameters, "other parameters")
    promise(read(plain.source) == read(decoded.source), "parameters of a method, or their error, differ")
  case .parameters: promise(false, "it was read by the decoder")
  }
}

/// Parameters of the kinds that need no decoder, with a name of one letter each.
private struct Parameters: VarlinkParameters, Hashable {
  static let fieldNames: Set<String> = ["a", "b", "c", "d", "e"]
  var a: String?
  var b: Int?
  var c: Bool?
  var d: Word?
  var e: [Int]?

  enum Word: String, Codable { case one, two }
}

private func read(_ source: CallSource) -> Result<Parameters, WrongParameter> {
  do {
    return .success(try CallBody<Parameters>.read(source))
  } catch {
    return .failure(WrongParameter(name: (error as? VarlinkError)?.field("parameter")))
  }
}

private struct WrongParameter: Error, Hashable {
  let name: String?
}
