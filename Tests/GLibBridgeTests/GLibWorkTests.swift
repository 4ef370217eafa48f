import GLibBridge
import Glibc
import Synchronization
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

  @Test func aThreadThatDoesNotComeBackIsFoundAlsoBesideOneThatDoes() async {
    let (stuck, busy) = (GLibExecutor(name: "stuck"), GLibExecutor(name: "busy"))
    let gate = Mutex(true)
    stuck.invoke { while gate.withLock(\.self) { usleep(1000) } }
    let work = Task {
      while !Task.isCancelled { await withCheckedContinuation { done in busy.invoke { done.resume() } } }
    }
    #expect(await GLibWork.isStuck(lookingEvery: .milliseconds(20), times: 3))
    gate.withLock { $0 = false }
    work.cancel()
    await work.value
  }

  @Test func threadsThatWorkOnAndOnAreNotStuck() async {
    let busy = GLibExecutor(name: "busy")
    let watch = Task { await GLibWork.isStuck(lookingEvery: .milliseconds(100), times: 50) }
    for _ in 0..<5000 { await withCheckedContinuation { done in busy.invoke { done.resume() } } }
    watch.cancel()
    #expect(await !watch.value)
  }
}
