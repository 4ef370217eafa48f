/// The answers of an attacker in a simulated network, instead of a host or at the attacker's own
/// hosts.
///
/// He hears every request of the world, also those under TLS: no attacker knows more. What he lacks
/// are the other hosts' keys, so that he answers for them in clear alone, unless a scenario makes
/// him a provider that has turned.
package struct IntruderSettings: Sendable {
  /// One answer.
  package struct Answer: Hashable, Sendable {
    /// Selected by the word `intruder.plan`; nil for an answer that is always given.
    package var plan: String?
    /// Whether it is given over TLS.
    package var isSecure: Bool
    package var host: String
    /// A `*` at its end stands for anything.
    package var path: String
    package var status: Int
    /// Fields, with placeholders: `{NAME}` is the newest value of that name in any query,
    /// `{HOST/N}` part N of the newest path at a host, from 0.
    package var headers: [String: String]
    /// With placeholders.
    package var body: String

    package init(
      plan: String? = nil, isSecure: Bool, host: String, path: String, status: Int, headers: [String: String] = [:],
      body: String = ""
    ) {
      self.plan = plan
      self.isSecure = isSecure
      self.host = host
      self.path = path
      self.status = status
      self.headers = headers
      self.body = body
    }

    func isFor(_ request: SimulatedRequest, _ plan: String?) -> Bool {
      guard self.plan == nil || self.plan == plan, host == request.host, isSecure == request.isSecure else {
        return false
      }
      return path.hasSuffix("*") ? request.path.hasPrefix(path.dropLast()) : request.path == path
    }
  }

  package var answers: [Answer]

  package init(_ answers: [Answer]) { self.answers = answers }
}
