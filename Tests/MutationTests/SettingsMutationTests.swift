import MutationSupport
import Testing

@testable import modemd

/// Every key of every document of settings with every extreme.
@Suite("Settings with extremes in them")
struct SettingsMutationTests {
  private func tryAll(_ samples: SettingsSamples, _ reader: SettingsSamples.Reader) {
    #expect(!samples.samples.isEmpty)
    var faults: Set<String> = []
    var count = 0
    for sample in samples.samples {
      for key in sample.keys {
        for extreme in Extreme.few.map(Optional.some) + [nil] {
          count += 1
          guard count.isMultiple(of: Effort.step(5)) else { continue }
          for fault in SettingsReaders.faults(of: reader(sample.text(extreme, at: key))) {
            faults.insert("\(sample.name), \(key.joined(separator: ".")): \(fault)")
          }
        }
      }
    }
    #expect(faults.isEmpty, "\(faults.count) faults: \(faults.sorted().prefix(20).joined(separator: "\n"))")
  }

  @Test("Providers' files of each kind", .timeLimit(.minutes(2)))
  func providers() throws {
    let readers = try SettingsReaders.Providers()
    defer { readers.remove() }
    tryAll(SettingsSamples(try SettingsReaders.providerExamples(), readers.read), readers.read)
  }

  @Test("modemd-port's", .timeLimit(.minutes(1)))
  func port() { tryAll(SettingsSamples(SettingsReaders.portExamples, SettingsReaders.port), SettingsReaders.port) }

  @Test("modemd's", .timeLimit(.minutes(1)))
  func service() {
    let reader: SettingsSamples.Reader = { text in
      do {
        _ = try Settings(json: text)
        return nil
      } catch {
        return "\(error)"
      }
    }
    let samples = SettingsSamples(SettingsReaders.serviceExamples, reader)
    #expect(samples.samples.allSatisfy { $0.keys.count > 20 }, "the reader no longer names its keys")
    tryAll(samples, reader)
  }
}
