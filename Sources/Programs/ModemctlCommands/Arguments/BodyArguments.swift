import ArgumentParser
import FoundationEssentials
import ModemAPI
import ModemctlCore
import Varlink

/// A body to post from the command line.
struct BodyArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Post this with the first request. @FILE reads it from a file; use that for a secret.",
      valueName: "data"))
  var data: String?

  @Option(
    help: ArgumentHelp(
      "Media type of --data (default: application/json if the data is JSON, else text/plain).", valueName: "type"))
  var contentType: String?

  func validate() throws {
    if contentType != nil, data == nil { throw ValidationError("--content-type belongs to --data") }
  }

  /// Puts the body into a call, byte for byte.
  func apply(to parameters: inout CheckInterface.Open.Parameters) throws {
    guard let data else { return }
    let bytes =
      data.hasPrefix("@") ? try ArgumentFile.read(String(data.dropFirst()), for: "the body") : Array(data.utf8)
    parameters.method = .post
    if let text = String(validating: bytes, as: UTF8.self) {
      parameters.text = text
      let isJSON = (try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))) != nil
      parameters.contentType = contentType ?? (isJSON ? "application/json" : nil)
    } else {
      guard let contentType else {
        throw ModemctlError(.usage, "--data is not text; say with --content-type what it is")
      }
      parameters.base64 = Data(bytes).base64EncodedString()
      parameters.contentType = contentType
    }
  }
}
