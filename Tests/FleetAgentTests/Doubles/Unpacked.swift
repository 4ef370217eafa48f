import Foundation

/// What a client does with the parts of a report.
enum Unpacked {
  /// Decodes base64 and gzip, the latter by the program of that name.
  static func bytes(_ base64: String) throws -> [UInt8] {
    guard let packed = Data(base64Encoded: base64) else { throw CocoaError(.coderInvalidValue) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/gzip")
    process.arguments = ["-dc"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    Thread.detachNewThread {
      try? input.fileHandleForWriting.write(contentsOf: packed)
      try? input.fileHandleForWriting.close()
    }
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Array(bytes)
  }
}
