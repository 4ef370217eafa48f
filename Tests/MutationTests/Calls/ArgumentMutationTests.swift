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
    for sample in samples.samples {
      // The arguments as they are can be read, whatever the service says to them.
      for more in [true, false] {
        let end = await caller.call(sample.frame(nil, at: [], more: more))
        #expect(end != .noCall, "\(sample.method)")
      }
      for place in sample.places {
        for edit in Extreme.few.map({ Document.Edit.replace($0) }) + [.remove, .rename("other")] {
          let frame = sample.frame(edit, at: place, more: true)
          faults.formUnion(caller.faults(of: await caller.call(frame), frame))
        }
      }
    }
    #expect(faults.isEmpty, "\(faults.count) faults: \(faults.sorted().prefix(20).joined(separator: "\n"))")
  }

  @Test("modemd", .timeLimit(.minutes(2)))
  func modemd() async throws { try await tryAll(MemoryMachine.modemd()) }

  @Test("modemd-port", .timeLimit(.minutes(2)))
  func port() async throws { try await tryAll(MemoryMachine.port()) }
}
