import CLinux
import Glibc

/// What a process of a world does before it becomes its program: it ends with its parent, and sees the world's own /sys and
/// name servers, so that no program touches a device or asks a server of the real machine.
package enum Confinement {
  /// Becomes the program.
  ///
  /// - Parameters:
  ///   - parent: id of the process that must still be there.
  ///   - resolver: a file to stand in for `/etc/resolv.conf`.
  ///   - command: the program, a path or a name to be found in PATH, and its arguments.
  /// - Throws: `WorldError`; it returns only by throwing.
  package static func become(_ command: [String], parent: pid_t, resolver: String?) throws -> Never {
    clinux_set_parent_death_signal(SIGKILL)
    guard getppid() == parent else { throw WorldError(.process, "the world ended before \(command[0]) was started") }
    try replaceMounts(resolver: resolver)
    let arguments = command.map { strdup($0) } + [nil]
    // This thread is a Swift task's, and blocks all signals; the program is to be interrupted like any other.
    clinux_reset_signals()
    execvp(command[0], arguments)
    throw WorldError(.process, "cannot start \(command[0])", cause: String(cString: strerror(errno)))
  }

  private static func replaceMounts(resolver: String?) throws {
    guard unshare(Int32(clinux_clone_newns)) == 0,
      mount(nil, "/", nil, UInt(MS_REC) | (1 << 19), nil) == 0  // MS_SLAVE: nothing mounted here is seen outside
    else { throw WorldError.system("cannot make a mount namespace") }
    // sysfs shows the network devices of the namespace in which it was mounted. Where the kernel does not let a user
    // namespace mount it, an empty folder hides the machine's own.
    if mount("sysfs", "/sys", "sysfs", 0, nil) != 0, mount("none", "/sys", "tmpfs", 0, "size=0") != 0 {
      throw WorldError.system("cannot hide the machine's own devices in /sys")
    }
    // A machine without this file has nothing to hide.
    if let resolver, access("/etc/resolv.conf", F_OK) == 0 {
      guard mount(resolver, "/etc/resolv.conf", nil, UInt(MS_BIND), nil) == 0 else {
        throw WorldError.system("cannot put the world's name servers in place of /etc/resolv.conf")
      }
    }
  }
}
