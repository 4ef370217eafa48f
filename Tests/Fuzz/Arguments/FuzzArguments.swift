import FuzzSupport
import MutationSupport
import Varlink

/// A service with calls of all that it answers.
private struct Answering: Sendable {
  let caller: SocketCaller
  let samples: [ArgumentSamples.Sample]

  init(_ router: VarlinkRouter) {
    guard let caller = waiting({ try? await SocketCaller.start(router) }),
      let samples = try? ArgumentSamples(caller.descriptions).samples, !samples.isEmpty
    else { fatalError("the service does not come up") }
    self.caller = caller
    self.samples = samples
  }
}

private let services = [Answering(MemoryMachine.modemd()), Answering(MemoryMachine.port())]

/// First byte: 0 to 31 for the port, else modemd. Then the method, `more`, and up to four changes
/// of its arguments.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzArguments(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var reader = MutationReader(FuzzInput(start, count).bytes)
  let service = services[reader.byte() < 32 ? 1 : 0]
  let sample = service.samples[reader.choice(service.samples.count)]
  let choices = reader.byte()
  let edits = (0...choices & 3).map { _ in (sample.places[reader.choice(sample.places.count)], reader.choice(65_536)) }
  let extremes = reader.extremes()
  var parameters = sample.parameters
  // The last places first: what is inside of a value goes before the value.
  for (place, way) in edits.sorted(by: { $0.0.count > $1.0.count }) {
    parameters = parameters.with(edit(way, extremes), at: place)
  }
  let changed = ArgumentSamples.Sample(method: sample.method, parameters: parameters)
  let frame = changed.frame(nil, at: [], more: choices & 4 == 0)
  let faults = service.caller.faults(of: service.caller.call(frame), frame)
  promise(faults.isEmpty, faults.joined(separator: "\n"))
  return 0
}

private func edit(_ way: Int, _ extremes: [Extreme]) -> Document.Edit {
  switch way % (extremes.count + 3) {
  case extremes.count: .remove
  case extremes.count + 1: .rename("other")
  case extremes.count + 2: .double(extremes[way / 256 % extremes.count])
  case let index: .replace(extremes[index])
  }
}
