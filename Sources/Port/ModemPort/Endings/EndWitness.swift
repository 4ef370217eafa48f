import Glibc

/// One byte in a file that outlives the process: what the process was doing when it ended.
package struct EndWitness: Sendable {
  /// What the previous process was doing; nil if there was none.
  package let last: UInt8?
  private let address: UInt

  /// Opens the file, or makes it; nil if that fails.
  package init?(path: String) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var byte: UInt8 = 0
    last = read(descriptor, &byte, 1) == 1 ? byte : nil
    guard ftruncate(descriptor, 1) == 0,
      let memory = mmap(nil, 1, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
    else { return nil }
    address = UInt(bitPattern: memory)
  }

  /// The byte; it stays until the process ends for any reason.
  package var byte: UnsafeMutablePointer<UInt8>? { UnsafeMutablePointer(bitPattern: address) }
}
