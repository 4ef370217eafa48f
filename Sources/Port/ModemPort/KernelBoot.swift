import Glibc

/// The machine's boot (random(4)).
enum KernelBoot {
  /// A UUID that the kernel makes at each boot; `unknown` if it cannot be read.
  static let id: String = {
    let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "unknown" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    let text = String(decoding: bytes.prefix(max(count, 0)).prefix { $0 != 0x0A }, as: UTF8.self)
    return text.isEmpty ? "unknown" : text
  }()
}
