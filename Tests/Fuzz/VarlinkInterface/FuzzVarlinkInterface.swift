import FuzzSupport
import VarlinkWire

/// The text of an interface description.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzVarlinkInterface(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  _ = try? InterfaceParser.parse(FuzzInput(start, count).text)
  return 0
}
