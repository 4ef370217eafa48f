import MutationSupport
import Testing
import Varlink

/// Every argument of every method, replaced by every extreme: what the fuzz target does at random.
@Suite("Methods' arguments with extremes in them")
struct ArgumentMutationTests {
  private func tryAll(_ router: VarlinkRouter) async throws {
    let caller = InProcessCaller(router: router, peer: MemoryMachine.root)
    let samples = try ArgumentSamples(router.descriptions)
    var faults: Set<String> = []
    var count = 0
    for sample in samples.samples {
      // The arguments as they are can be read, whatever the service says to them.
      for more in [true, false] {
        let end = await caller.call(sample.frame(nil, at: [], more: more))
        #expect(end != .noCall, "\(sample.method)")
      }
      let edits = Extreme.few.map { Document.Edit.replace($0) } + [.remove, .rename("other")]
      let step = Effort.step(11)
      for number in stride(from: count % step, to: sample.places.count * edits.count, by: step) {
        let (place, edit) = (sample.places[number / edits.count], edits[number % edits.count])
        let frame = sample.frame(edit, at: place, more: number.isMultiple(of: 2))
        if Effort.isTold { print(String(decoding: frame.prefix(500), as: UTF8.self)) }
        faults.formUnion(caller.faults(of: await caller.call(frame), frame))
        count += 1
      }
    }
    #expect(faults.isEmpty, "\(faults.count) faults: \(faults.sorted().prefix(20).joined(separator: "\n"))")
  }

  @Test("modemd", .timeLimit(.minutes(2)))
  func modemd() async throws { try await tryAll(MemoryMachine.modemd()) }

  @Test("modemd-port", .timeLimit(.minutes(2)))
  func port() async throws { try await tryAll(MemoryMachine.port()) }
}
