import FoundationEssentials
import ModemAPI
import RedirectChain
import Varlink
import Web

extension ChainRequest {
  /// Largest body in bytes: no check needs more.
  private static let bodyLimit = 65_536
  private static let typeLimit = 256

  /// Reads the method and body of a call.
  static func method(_ parameters: CheckInterface.Open.Parameters) throws -> Method {
    let bodies = [
      parameters.json.map { _ in "json" }, parameters.text.map { _ in "text" }, parameters.base64.map { _ in "base64" },
    ]
    .compactMap(\.self)
    guard bodies.count <= 1 else { throw invalid(bodies[1], "null beside \(bodies[0]): a request has one body") }
    let hasBody = !bodies.isEmpty
    if parameters.method == .get || parameters.method == nil && !hasBody {
      guard !hasBody else { throw invalid("method", "post, or null, for a request with a body") }
      guard parameters.contentType == nil else { throw invalid("contentType", "null for a request without a body") }
      return .get
    }
    guard let body = try body(parameters) else { return .post(WebBody([], contentType: try type(parameters))) }
    guard body.bytes.count <= bodyLimit else { throw invalid(bodies[0], "a body of at most \(bodyLimit) bytes") }
    return .post(body)
  }

  private static func body(_ parameters: CheckInterface.Open.Parameters) throws -> WebBody? {
    let type = try type(parameters)
    if let json = parameters.json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .withoutEscapingSlashes
      guard let data = try? encoder.encode(json) else { throw invalid("json", "a value that JSON can hold") }
      return WebBody([UInt8](data), contentType: type ?? "application/json")
    }
    if let text = parameters.text {
      return WebBody(Array(text.utf8), contentType: type ?? "text/plain; charset=utf-8")
    }
    guard let text = parameters.base64 else { return nil }
    guard let data = Data(base64Encoded: text) else { throw invalid("base64", "base64 as RFC 4648, 4, has it") }
    guard let type else { throw invalid("contentType", "a media type for a body in base64") }
    return WebBody([UInt8](data), contentType: type)
  }

  private static func type(_ parameters: CheckInterface.Open.Parameters) throws -> String? {
    guard let type = parameters.contentType else { return nil }
    guard (3...typeLimit).contains(type.utf8.count), type.contains("/"),
      type.utf8.allSatisfy({ (0x20...0x7e).contains($0) })
    else { throw invalid("contentType", "a media type, as in application/json") }
    return type
  }
}
