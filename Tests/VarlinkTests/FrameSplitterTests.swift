import NIOCore
import Testing

@testable import Varlink

@Suite("Frames")
struct FrameSplitterTests {
  private static func frames(_ chunks: [[UInt8]], limit: Int = 100) throws -> [[UInt8]] {
    var splitter = FrameSplitter(limit: limit)
    var frames: [[UInt8]] = []
    for chunk in chunks {
      var buffer = ByteBuffer(bytes: chunk)
      splitter.append(&buffer)
      while let frame = try splitter.next() { frames.append(frame) }
    }
    return frames
  }

  @Test("The same frames come wherever the bytes are cut", arguments: 0...11)
  func cuts(position: Int) throws {
    let bytes = Array("one\0two\0\0six".utf8)
    let chunks = [Array(bytes[..<position]), Array(bytes[position...])]
    #expect(try Self.frames(chunks) == [Array("one".utf8), Array("two".utf8), []])
  }

  @Test("A frame may be as long as the limit and no longer, ended or not")
  func limit() throws {
    let long = [UInt8](repeating: 1, count: 10)
    #expect(try Self.frames([long, [0]], limit: 10) == [long])
    #expect(throws: FrameSplitter.TooLong.self) { try Self.frames([long + [1, 0]], limit: 10) }
    #expect(throws: FrameSplitter.TooLong.self) { try Self.frames([long, [1]], limit: 10) }
  }

  @Test("Many small frames in one read come in order")
  func many() throws {
    let frames = (0..<5000).map { Array("\($0)".utf8) }
    #expect(try Self.frames([Array(frames.map { $0 + [0] }.joined())]) == frames)
  }
}
