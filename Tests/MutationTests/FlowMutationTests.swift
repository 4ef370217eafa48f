import AuthCore
import MutationSupport
import Testing

/// Every value of every answer that a simulated provider gives, replaced by every extreme: what the
/// fuzz targets do at random.
@Suite("Providers' answers with extremes in them")
struct FlowMutationTests {
  private func tryAll(_ recording: RecordedFlow, _ offset: Int, every usual: Int = 17) async {
    let base = await recording.run()
    #expect(
      base.outcome?.result == recording.result,
      "\(recording.name) ends with \(base.outcome.map { "\($0)" } ?? "an error")")
    #expect(base.faults == [])
    var faults: [String] = []
    let step = Effort.step(usual)
    let mutations = recording.everyMutation(Extreme.few)
    for index in stride(from: offset % step, to: mutations.count, by: step) {
      let mutation = mutations[index]
      if Effort.isTold { print(recording.describe(mutation, Extreme.few)) }
      let end = await recording.run(recording.changed([mutation], Extreme.few))
      faults += end.faults.map { "\(recording.describe(mutation, Extreme.few)): \($0)" }
    }
    #expect(faults.isEmpty, "\(faults.count) faults: \(faults.prefix(20).joined(separator: "\n"))")
  }

  @Test("tru.ID", .timeLimit(.minutes(10)), arguments: RecordedFlow.truID.indices)
  func truID(_ index: Int) async { await tryAll(RecordedFlow.truID[index], index) }

  @Test("IPification", .timeLimit(.minutes(10)), arguments: RecordedFlow.ipification.indices)
  func ipification(_ index: Int) async { await tryAll(RecordedFlow.ipification[index], index) }

  @Test("CAMARA", .timeLimit(.minutes(10)), arguments: RecordedFlow.camara.indices)
  func camara(_ index: Int) async { await tryAll(RecordedFlow.camara[index], index) }

  @Test("Firebase", .timeLimit(.minutes(10)), arguments: RecordedFlow.firebase.indices)
  func firebase(_ index: Int) async { await tryAll(RecordedFlow.firebase[index], index) }

  @Test("Mobile Connect", .timeLimit(.minutes(10)), arguments: RecordedFlow.mobileConnect.indices)
  func mobileConnect(_ index: Int) async { await tryAll(RecordedFlow.mobileConnect[index], index) }

  @Test("TS.43", .timeLimit(.minutes(10)), arguments: RecordedFlow.ts43.indices)
  func ts43(_ index: Int) async { await tryAll(RecordedFlow.ts43[index], index) }

  @Test("MIRACL", .timeLimit(.minutes(10)))
  func miracl() async {
    let recordings = await RecordedFlow.miracl()
    #expect(recordings.count == 9)
    for (index, recording) in recordings.enumerated() { await tryAll(recording, index, every: 61) }
  }
}
