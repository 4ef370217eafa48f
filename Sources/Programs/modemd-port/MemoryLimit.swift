import Glibc
import Logging

/// A memory limit for this process, if no unit sets one.
///
/// A modem's reply can make libmbim 1.28 request gigabytes. With a limit, that ends this process at
/// once, and not whichever process the kernel chooses when the machine's memory is full.
enum MemoryLimit {
  /// A port needs far less; each processor's threads have stacks, which count as soon as they are
  /// reserved.
  private static var bytes: UInt { 128 << 20 + UInt(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1)) * (24 << 20) }

  /// Sets the limit, unless there is a lower one.
  static func apply(_ logger: Logger) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0, limit.rlim_cur > bytes else { return }
    limit.rlim_cur = bytes
    // Under modemd-port@.service, this is not permitted, and MemoryMax= sets the limit.
    guard setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0 else { return }
    logger.debug("memory is limited to \(bytes >> 20) MiB")
  }
}
