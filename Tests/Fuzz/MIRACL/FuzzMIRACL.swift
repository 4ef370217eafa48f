import FuzzSupport
import MutationSupport

private let flows = FlowFuzz(waiting { await RecordedFlow.miracl() })

/// First byte: which flow of MIRACL. Then the changes of the answers that it gets, as `FlowFuzz`
/// reads them.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzMIRACL(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let faults = flows.run(FuzzInput(start, count).bytes)
  promise(faults.isEmpty, faults.joined(separator: "\n"))
  return 0
}
