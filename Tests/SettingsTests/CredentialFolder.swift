import Glibc
import SystemdSupport
import Testing

/// A folder of credentials as the service manager makes one.
enum CredentialFolder {
  static func with<Result>(
    _ secrets: [String: String], _ body: (CredentialsDirectory?) throws -> Result
  ) throws -> Result {
    var template = Array("/tmp/modemd-credentials-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } }
    let folder = String(cString: try #require(made))
    defer {
      for name in secrets.keys { unlink("\(folder)/\(name)") }
      rmdir(folder)
    }
    for (name, text) in secrets {
      let file = try #require(fopen("\(folder)/\(name)", "we"))
      fputs(text, file)
      fclose(file)
    }
    return try body(CredentialsDirectory(ServiceEnvironment(["CREDENTIALS_DIRECTORY": folder], process: 1)))
  }
}
