import FuzzSupport
import MutationSupport

private let flows = FlowFuzz(RecordedFlow.ts43)

/// First byte: which flow of TS.43. Then the changes of the answers that it gets, as `FlowFuzz`
/// reads them.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzTS43(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let faults = flows.run(FuzzInput(start, count).bytes)
  promise(faults.isEmpty, faults.joined(separator: "\n"))
  return 0
}
