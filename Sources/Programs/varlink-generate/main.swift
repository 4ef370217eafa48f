import Glibc
import VarlinkWire

// varlink-generate INTERFACES OUTPUT: writes OUTPUT/NAME.swift for each INTERFACES/NAME.varlink.

func read(_ path: String) -> String? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
  return String(validating: bytes, as: UTF8.self)
}

func write(_ text: String, to path: String) -> Bool {
  guard let file = fopen(path, "w") else { return false }
  let written = Array(text.utf8).withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
  return fclose(file) == 0 && written == text.utf8.count
}

func fail(_ message: String) -> Never {
  fputs("varlink-generate: \(message)\n", stderrStream)
  exit(1)
}

// `stderr` is a C variable that Swift cannot prove unshared; this program has one thread.
nonisolated(unsafe) let stderrStream = fdopen(2, "w")!

guard CommandLine.arguments.count == 3 else { fail("usage: varlink-generate INTERFACES OUTPUT") }
let (input, output) = (CommandLine.arguments[1], CommandLine.arguments[2])
guard let folder = opendir(input) else { fail("\(input) cannot be opened as a folder") }
while let entry = readdir(folder) {
  let name = withUnsafePointer(to: &entry.pointee.d_name) {
    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
  }
  guard name.hasSuffix(".varlink") else { continue }
  guard let text = read("\(input)/\(name)") else { fail("\(input)/\(name) is not readable UTF-8 text") }
  do {
    let source = try SwiftGenerator.source(of: text, named: name)
    let path = "\(output)/\(name.dropLast(".varlink".count)).swift"
    guard write(source, to: path) else { fail("\(path) cannot be written") }
  } catch {
    fail("\(input)/\(name), \(error)")
  }
}
closedir(folder)
