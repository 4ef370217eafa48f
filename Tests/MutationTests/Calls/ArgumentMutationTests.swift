import Dispatch
import MutationSupport
import Testing
import Varlink

/// Every argument of every method, replaced by every extreme: what the fuzz target does at random.
@Suite("Methods' arguments with extremes in them")
struct ArgumentMutationTests {
  private func tryAll(_ router: VarlinkRouter) async throws {
    let caller = try await SocketCaller.start(router)
    // Calls block: they have a thread of their own.
    let result = await withCheckedContinuation { done in
      DispatchQueue.global().async { done.resume(returning: Self.faults(of: caller)) }
    }
    await caller.stop()
    #expect(try result.get() == [])
  }

  private static func faults(of caller: SocketCaller) -> Result<[String], any Error> {
    Result {
      let samples = try ArgumentSamples(caller.descriptions)
      #expect(samples.methods.count > 5, "the service no longer tells its methods")
      var faults: Set<String> = []
      var count = 0
      let edits = Extreme.few.map { Document.Edit.replace($0) } + [.remove, .rename("other")]
      let step = Effort.step(17)
      for sample in samples.samples {
        for number in stride(from: count % step, to: sample.places.count * edits.count, by: step) {
          let (place, edit) = (sample.places[number / edits.count], edits[number % edits.count])
          let frame = sample.frame(edit, at: place, more: number.isMultiple(of: 2))
          if Effort.isTold { print(String(decoding: frame.prefix(500), as: UTF8.self)) }
          faults.formUnion(caller.faults(of: caller.call(frame), frame))
          count += 1
        }
      }
      #expect(caller.descriptions.count > 1, "the service answers nobody any more")
      return faults.sorted()
    }
  }

  @Test("modemd", .timeLimit(.minutes(5)))
  func modemd() async throws { try await tryAll(MemoryMachine.modemd()) }

  @Test("modemd-port", .timeLimit(.minutes(5)))
  func port() async throws { try await tryAll(MemoryMachine.port()) }
}
