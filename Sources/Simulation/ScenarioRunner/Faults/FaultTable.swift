import Glibc
import ModemModel
import OutsideNumber

/// The rows of a trial as a Markdown table, between two marks of a file.
package enum FaultTable {
  package static func text(_ rows: [FaultRow]) -> String {
    let faults = Set(rows.map(\.title)).count
    var lines = [
      "\(rows.count) rows, \(faults) faults; the limits were \(FaultTrial.limits.joined(separator: ", ")) seconds.", "",
      "| fault | over | asked | the caller is told | after | events | works again after |",
      "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows {
      let cells = [
        row.title, row.kind == .mbim ? "MBIM" : "QMI", row.asked, row.sight, row.toldAfter.words,
        row.events.joined(separator: "; "), row.worksAfter.words,
      ]
      lines.append("| " + cells.map(cell).joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Puts a text between the marks `NAME: begin` and `NAME: end` of a file.
  /// - Throws: `WorldError`, when the file has no such marks or cannot be written.
  package static func write(_ text: String, between name: String, to path: String) throws {
    let (begin, end) = ("<!-- \(name): begin -->", "<!-- \(name): end -->")
    guard let old = WorldFolder.read(path), let first = old.firstRange(of: begin), let last = old.firstRange(of: end),
      first.upperBound <= last.lowerBound
    else { throw WorldError(.process, "\(path) has no lines '\(begin)' and '\(end)' to write between") }
    let new = old[..<first.upperBound] + "\n\n" + text + "\n" + old[last.lowerBound...]
    let file = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
    guard file >= 0 else { throw WorldError.system("cannot write \(path)") }
    defer { close(file) }
    let bytes = Array(new.utf8)
    guard Glibc.write(file, bytes, bytes.count) == bytes.count else { throw WorldError.system("cannot write \(path)") }
  }

  private static func cell(_ text: String) -> String {
    String(text.map { $0 == "|" ? "/" : $0 == "\n" ? " " : $0 })
  }
}
