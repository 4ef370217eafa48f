import Glibc

/// What the system refused to do with a file, or what was wrong with the file.
package struct FileFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What failed.
  package enum Step: Hashable, Sendable {
    case open
    /// It is a folder, a pipe, or something else that is no file.
    case kind
    /// It belongs to another user, or other users may read or write it. With its permissions.
    case access(mode_t)
    case read
    /// It is longer than its reader accepts.
    case size
    /// The draft of a replacement could not be made.
    case draft
    case write
    case flush
    case replace
    case remove
    case openFolder
    case lockFolder
    case readFolder
    case flushFolder
  }

  package let step: Step
  /// Of the file, its draft or its folder: whatever the step is about.
  package let path: String
  /// The system's number; 0 for `access`, which the system had no part in.
  package let errno: Int32

  init(_ step: Step, _ path: String, _ errno: Int32 = Glibc.errno) {
    self.step = step
    self.path = path
    self.errno = errno
  }

  /// What is wrong, as a clause that goes on from the path: "it cannot be read".
  package var what: String {
    switch step {
    case .open: "it cannot be opened"
    case .kind: "it is no file"
    case .access: "other users may read or write it"
    case .read: "it cannot be read"
    case .size: "it is too long"
    case .draft: "it cannot be made"
    case .write: "it cannot be written"
    case .flush: "it cannot be written to the disk"
    case .replace: "it cannot be replaced"
    case .remove: "it cannot be removed"
    case .openFolder: "the folder cannot be opened"
    case .lockFolder: "the folder cannot be locked"
    case .readFolder: "the folder cannot be read"
    case .flushFolder: "the folder cannot be written to the disk"
    }
  }

  /// The system's words for its number.
  package var reason: String { String(cString: strerror(errno)) }

  /// What is wrong, without the path, and with the system's reason where it gave one.
  package var clause: String {
    switch step {
    case .kind, .access, .size: what
    default: "\(what): \(reason)"
    }
  }

  package var description: String { "\(path): \(clause)" }
}
