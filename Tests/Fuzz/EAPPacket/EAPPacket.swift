import EAPTestSupport
import FuzzSupport

/// Packets of an entitlement server to the SIM's side of EAP: any bytes, and right messages with
/// changes, signed or not.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzEAP(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let play = try? EAPPlay(bytes: FuzzInput(start, count).bytes) else {
    promise(false, "libcrypto refuses")
    return 0
  }
  promise(play.faults.isEmpty, play.faults.joined(separator: ", "))
  return 0
}
