import Glibc
import VarlinkWire

// varlink-generate [--package] INTERFACES OUTPUT [HOMES MODULE]: writes OUTPUT/NAME.swift for each
// INTERFACES/NAME.varlink. With --package only targets of the same package see the types.
//
// If an interface shares a type with one of those that the file `homes` names, it is that one's
// type in Swift. The file and its interfaces are in INTERFACES, or in the folder HOMES, whose types
// are generated into MODULE.
//
// varlink-generate --language python|typescript OUTPUT INTERFACE…: writes the generated modules of
// a client into the folder OUTPUT, from all interfaces at once. INTERFACE is the path of a .varlink
// file.

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

/// The interfaces whose types others share, in the order of the file `homes`; none if there is no
/// such file.
func homes(in folder: String, module: String?) -> [TypeHome] {
  guard let list = read("\(folder)/homes") else { return [] }
  return TypeHome.names(in: list).map { name in
    guard let text = read("\(folder)/\(name).varlink") else {
      fail("\(folder)/homes names \(name), which does not exist")
    }
    do {
      return TypeHome(try InterfaceParser.parse(text), module: module)
    } catch {
      fail("\(folder)/\(name).varlink, \(error)")
    }
  }
}

/// The names of the `.varlink` files of a folder.
func interfaces(in path: String) -> [String] {
  guard let folder = opendir(path) else { fail("\(path) cannot be opened as a folder") }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name.hasSuffix(".varlink") { names.append(name) }
  }
  return names
}

/// Writes the files of a client in another language.
func writeClient(_ language: String, _ output: String, _ paths: [String]) {
  let texts = paths.map { path in
    guard let text = read(path) else { fail("\(path) is not readable UTF-8 text") }
    return text
  }
  do {
    let files: [(path: String, text: String)]
    switch language {
    case "python": files = try PythonGenerator.files(of: texts).map { ($0.path, $0.text) }
    case "typescript": files = try TypeScriptGenerator.files(of: texts).map { ($0.path, $0.text) }
    default: fail("there is no language \(language); expected python or typescript")
    }
    for file in files {
      guard write(file.text, to: "\(output)/\(file.path)") else { fail("\(output)/\(file.path) cannot be written") }
    }
  } catch {
    fail("\(error)")
  }
}

var arguments = CommandLine.arguments.dropFirst().map(\.self)
if arguments.first == "--language" {
  guard arguments.count >= 4 else { fail("usage: varlink-generate --language LANGUAGE OUTPUT INTERFACE…") }
  writeClient(arguments[1], arguments[2], Array(arguments[3...]))
  exit(0)
}
let access = arguments.first == "--package" ? SwiftGenerator.Access.package : .public
if access == .package { arguments.removeFirst() }
guard arguments.count == 2 || arguments.count == 4 else {
  fail("usage: varlink-generate [--package] INTERFACES OUTPUT [HOMES MODULE]")
}
let (input, output) = (arguments[0], arguments[1])
let shared = arguments.count == 4 ? homes(in: arguments[2], module: arguments[3]) : homes(in: input, module: nil)
for name in interfaces(in: input) {
  guard let text = read("\(input)/\(name)") else { fail("\(input)/\(name) is not readable UTF-8 text") }
  do {
    let source = try SwiftGenerator.source(of: text, named: name, homes: shared, access: access)
    let path = "\(output)/\(name.dropLast(".varlink".count)).swift"
    guard write(source, to: path) else { fail("\(path) cannot be written") }
  } catch {
    fail("\(input)/\(name), \(error)")
  }
}
