import JSONTree

/// An attacker in a scenario: the attacker's own hosts, with certificates that are valid for their
/// names, and answers in place of other hosts. It comes before the providers that it imitates.
package struct IntruderProvider: SimulatedProvider {
  package static let kind = "intruder"
  package static let hosts = [
    "stranger": ProviderHost("evil.example", ["203.0.113.190", "2001:db8:190::10"], cleartextPorts: [80]),
    "lookalike": ProviderHost("evil-twin.example", ["203.0.113.191", "2001:db8:190::11"]),
    "inner": ProviderHost("inner.evil.example", ["127.66.0.1"], ways: .local),
  ]
  package static let known = ["answers"]

  private let settings: IntruderSettings

  package init(hosts: [String: ProviderHost], _ fields: ScenarioFields) throws {
    let known = ["plan", "at", "status", "location", "json", "type", "body"]
    settings = IntruderSettings(try fields.list("answers", known: known)?.map(Self.answer) ?? [])
  }

  private static func answer(_ fields: ScenarioFields) throws -> IntruderSettings.Answer {
    let expected = "http:// or https://, a host and a path"
    guard let at = try fields.text("at", expected, place) else { throw fields.missing("at", expected) }
    let json = try fields.object("json")
    var headers: [String: String] = [:]
    headers["Location"] = try fields.text("location")
    headers["Content-Type"] =
      try fields.text("type", "a media type", { $0 }) ?? (json == nil ? nil : "application/json")
    let status = try fields.number("status", 200...599) ?? (headers["Location"] == nil ? 200 : 302)
    return IntruderSettings.Answer(
      plan: try fields.text("plan", "a word", { $0 }), isSecure: at.isSecure, host: at.host, path: at.path,
      status: status, headers: headers, body: try json ?? fields.text("body") ?? "")
  }

  private static func place(_ text: String) -> (isSecure: Bool, host: String, path: String)? {
    let halves = text.split(separator: "://", maxSplits: 1)
    guard halves.count == 2, ["http", "https"].contains(halves[0]), let slash = halves[1].firstIndex(of: "/"),
      slash != halves[1].startIndex
    else { return nil }
    return (halves[0] == "https", String(halves[1][..<slash]), String(halves[1][slash...]))
  }

  package func services(_ environment: ProviderEnvironment) -> [any SimulatedService] {
    [IntruderService(settings, environment)]
  }
}
