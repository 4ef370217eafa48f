import CLinux
import Glibc

/// Becoming root of a user namespace of one's own, where the kernel allows that to anyone.
package enum UserNamespace {
  /// Makes the process root of a new user namespace with its own mounts and network, when it is not root already. To be
  /// called first in a program, before it starts a thread.
  ///
  /// - Throws: `WorldError` `notAllowed` with what to do.
  package static func enterUnlessRoot() throws {
    let user = geteuid()
    let group = getegid()
    guard user != 0 else { return }
    let parts = clinux_clone_newuser | clinux_clone_newns | clinux_clone_newnet
    guard unshare(Int32(parts)) == 0 else {
      throw WorldError(
        .notAllowed,
        "a simulated world needs root or user namespaces, and this kernel allows you none; run it as root, or allow them "
          + "(kernel.unprivileged_userns_clone=1, user.max_user_namespaces above 0, "
          + "kernel.apparmor_restrict_unprivileged_userns=0)", cause: String(cString: strerror(errno)))
    }
    // user_namespaces(7): groups can be mapped without privilege only once setgroups is denied.
    try write("deny", to: "/proc/self/setgroups")
    try write("0 \(user) 1", to: "/proc/self/uid_map")
    try write("0 \(group) 1", to: "/proc/self/gid_map")
  }

  private static func write(_ text: String, to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw WorldError.system("cannot open \(path)") }
    defer { close(descriptor) }
    guard Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count else {
      throw WorldError.system("cannot write \(path)")
    }
  }
}
