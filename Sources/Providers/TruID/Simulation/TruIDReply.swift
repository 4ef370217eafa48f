import JSONTree
import OperatorSimulator

/// What the API says: a status and an object, which a backend passes on.
struct TruIDReply: Sendable {
  var status: Int
  var body: JSONValue
  var retryAfter: Int?

  init(_ status: Int, _ members: [String: JSONValue?]) {
    self.status = status
    body = .object(members.compactMapValues { $0 })
  }

  /// RFC 9457, with tru.ID's vocabulary in the type's fragment.
  static func problem(_ status: Int, _ code: String, retryAfter: Int? = nil) -> TruIDReply {
    var reply = TruIDReply(
      status,
      [
        "type": .string("https://developer.tru.example/docs/reference/api-errors#\(code)"),
        "title": .string("Problem \(status)"), "detail": .string("as simulated"),
      ])
    reply.retryAfter = retryAfter
    return reply
  }

  var isSuccess: Bool { (200...299).contains(status) }

  /// Each answer of the API tells how many requests are left.
  var response: SimulatedResponse {
    var headers = [
      ("Content-Type", isSuccess ? "application/hal+json" : "application/problem+json"), ("X-RateLimit-Limit", "3600"),
      ("X-RateLimit-Remaining", "3599"), ("X-RateLimit-Reset", "3600"),
    ]
    if let retryAfter { headers.append(("Retry-After", "\(retryAfter)")) }
    return SimulatedResponse(status: status, headers: headers, body: body.text)
  }
}

extension TruIDSimulationSettings.Fault {
  /// The answer that stands in place of the right one; nil where only a check's end or the time is
  /// changed.
  var response: SimulatedResponse? {
    if isPage {
      return SimulatedResponse(
        status: 200, headers: [("Content-Type", "text/html; charset=utf-8")],
        body: "<!doctype html><title>Please agree</title>")
    }
    guard let status else { return nil }
    guard let code else { return SimulatedResponse(status: status, headers: [("Content-Type", "text/plain")]) }
    return TruIDReply.problem(status, code, retryAfter: retryAfter).response
  }
}
