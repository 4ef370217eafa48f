import FuzzSupport
import MutationSupport

/// Documents of one reader.
private struct Reading: Sendable {
  let samples: [SettingsSamples.Sample]
  let reader: SettingsSamples.Reader

  init(_ documents: [(name: String, text: String)], _ reader: @escaping SettingsSamples.Reader) {
    samples = SettingsSamples(documents, reader).samples
    self.reader = reader
  }
}

private let service: SettingsSamples.Reader = { text in
  do {
    _ = try Settings(json: text)
    return nil
  } catch {
    return "\(error)"
  }
}

private let readings: [Reading] = {
  guard let providers = try? SettingsReaders.Providers(), let examples = try? SettingsReaders.providerExamples() else {
    fatalError("there is no folder for providers' files, or there are no examples")
  }
  return [
    Reading(SettingsReaders.serviceExamples, service), Reading(SettingsReaders.portExamples, SettingsReaders.port),
    Reading(examples, providers.read),
  ]
}()

/// First byte: modemd's settings, modemd-port's, or a provider's file. Then the document, the key
/// and what stands there.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzSettings(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = MutationReader(FuzzInput(start, count).bytes)
  let reading = readings[min(input.byte() / 32, readings.count - 1)]
  let sample = reading.samples[input.choice(reading.samples.count)]
  let (key, way) = (sample.keys[input.choice(sample.keys.count)], input.choice(65_536))
  let extremes = input.extremes()
  let extreme = way % (extremes.count + 1)
  let faults = SettingsReaders.faults(
    of: reading.reader(sample.text(extreme == extremes.count ? nil : extremes[extreme], at: key)))
  promise(faults.isEmpty, "\(sample.name), \(key): " + faults.joined(separator: "\n"))
  return 0
}
