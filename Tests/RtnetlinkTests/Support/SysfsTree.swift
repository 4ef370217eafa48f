import Glibc
import Testing

@testable import BearerNetworking

/// A sysfs of files and links; removed with the value.
final class SysfsTree: Sendable {
  let root: String

  init() throws {
    var template = Array("/tmp/modemd-sysfs-XXXXXX".utf8CString)
    root = String(cString: try #require(mkdtemp(&template)))
  }

  deinit { Self.remove(root) }

  var files: LinkFiles { LinkFiles(sysfs: root, procfs: "/nowhere") }

  func folder(_ path: String) {
    var made = root
    for part in path.split(separator: "/") {
      made += "/\(part)"
      mkdir(made, 0o700)
    }
  }

  func link(_ path: String, to target: String) {
    folder(target)
    folder(path.split(separator: "/").dropLast().joined(separator: "/"))
    symlink("\(root)/\(target)", "\(root)/\(path)")
  }

  func file(_ path: String, _ text: String) {
    folder(path.split(separator: "/").dropLast().joined(separator: "/"))
    let file = fopen("\(root)/\(path)", "w")
    fputs(text, file)
    fclose(file)
  }

  func removeFolder(_ path: String) { Self.remove("\(root)/\(path)") }

  func text(_ path: String) -> String? { files.line(path) }

  private static func remove(_ path: String) {
    guard unlink(path) != 0, let folder = opendir(path) else { return }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    closedir(folder)
    for name in names where name != "." && name != ".." { remove("\(path)/\(name)") }
    rmdir(path)
  }
}
