import NIOHTTP1
import RedirectChain
import Web

extension HTTPRequestHead {
  /// The head of a request, with the fields that every request has.
  ///
  /// - Parameters:
  ///   - method: as in the request line.
  ///   - headers: User-Agent, Accept and Accept-Encoding replace the defaults; framing fields are
  ///     not allowed.
  ///   - bodyBytes: the length of the body that follows; nil without a body.
  package init(
    _ method: String, _ url: WebURL, headers: [WebHeader], bodyBytes: Int?, userAgent: String
  ) {
    var fields = HTTPHeaders([("Host", url.hostField)])
    for header in headers { fields.add(name: header.name, value: header.value) }
    if let bodyBytes { fields.add(name: "Content-Length", value: "\(bodyBytes)") }
    for (name, value) in [
      ("User-Agent", userAgent), ("Accept", "*/*"), ("Accept-Encoding", ContentCoding.accepted),
    ]
    where !fields.contains(name: name) {
      fields.add(name: name, value: value)
    }
    self.init(version: .http1_1, method: HTTPMethod(rawValue: method), uri: url.requestTarget, headers: fields)
  }
}

extension ExchangeHandler.Head {
  /// The decompressed body, up to the given number of bytes.
  package func decoded(_ body: [UInt8], limit: Int) throws(ContentCoding.Failure) -> [UInt8] {
    let codings = headers.filter { $0.name.lowercased() == "content-encoding" }.map(\.value)
    return try ContentCoding.decoded(body, codings, limit: limit)
  }
}
