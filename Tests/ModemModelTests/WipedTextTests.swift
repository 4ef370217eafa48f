import ModemModel
import Testing

@Suite("Text that is wiped") struct WipedTextTests {
  @Test(
    "It is what it was made of, and equal to what is made of the same",
    arguments: ["", "1234", "ein längerer Text, der auf dem Heap liegt"])
  func contents(text: String) {
    let wiped = WipedText(text)
    #expect(wiped.revealed == text && wiped.count == text.utf8.count)
    #expect(wiped == WipedText(text) && wiped.hashValue == WipedText(text).hashValue)
    #expect(wiped != WipedText(text + "x") && wiped != WipedText("x" + text.dropFirst() + "y"))
    #expect(wiped.withBytes { Array($0) } == Array(text.utf8))
  }

  @Test("Bytes that are wiped are zero")
  func wiping() {
    var bytes = Array("4711 4711 4711".utf8)
    bytes.withUnsafeMutableBytes { WipedText.wipe($0) }
    #expect(bytes.allSatisfy { $0 == 0 })
    WipedText.wipe(UnsafeMutableRawBufferPointer(start: nil, count: 0))
  }

  @Test("A PIN shows nothing of itself, whatever asks")
  func pin() throws {
    let pin = try #require(PIN("4711"))
    var dumped = ""
    dump(pin, to: &dumped)
    for text in ["\(pin)", String(reflecting: pin), dumped, "\(pin as Any)"] {
      #expect(!text.contains("4711"), "\(text)")
    }
    #expect(pin.withDigits { Array($0) } == Array("4711".utf8))
  }
}
