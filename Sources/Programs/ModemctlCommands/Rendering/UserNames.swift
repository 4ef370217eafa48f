import Glibc
import ModemctlCore

/// Users as this machine names them.
enum UserNames {
  /// The id of a user by name, or of a number; nil if there is none.
  static func id(of name: String) -> Int? {
    if let entry = getpwnam(name) { return Int(entry.pointee.pw_uid) }
    return UInt32(name).map { Int($0) }
  }

  /// A user's name; the number where there is none.
  static func name(of id: Int) -> String {
    guard let user = UInt32(exactly: id), let entry = getpwuid(user), let name = entry.pointee.pw_name else {
      return String(id)
    }
    return String(cString: name)
  }
}
