import GLibBridge
import Testing

@Suite(.timeLimit(.minutes(1))) struct GLibWorkTests {
  @Test func `one byte says whether GLib threads work or rest`() async {
    // Never freed: it is written to for as long as the process lives.
    let address = UInt(bitPattern: UnsafeMutablePointer<UInt8>.allocate(capacity: 1))
    let read = { @Sendable in UnsafeMutablePointer<UInt8>(bitPattern: address)?.pointee }
    if let byte = UnsafeMutablePointer<UInt8>(bitPattern: address) { GLibWork.note(in: byte) }
    let executor = GLibExecutor(name: "work")
    let atWork = await withCheckedContinuation { continuation in
      executor.invoke { continuation.resume(returning: read()) }
    }
    #expect(atWork == GLibWork.working)
    while read() != GLibWork.resting { await Task.yield() }
    #expect(!executor.isCurrent)
  }
}
