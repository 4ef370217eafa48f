import JSONTree

/// What an entitlement server answers (TS.43, 2.9.1): characteristics with parameters, as XML or as
/// JSON.
struct EntitlementDocument: Hashable, Sendable {
  struct Characteristic: Hashable, Sendable {
    var type: String
    var parameters: [Parameter] = []
    var inner: [Characteristic] = []
  }

  struct Parameter: Hashable, Sendable {
    var name: String
    var value: String
  }

  enum Form: String, Hashable, Sendable, CaseIterable {
    case xml, json

    var mediaType: String { self == .xml ? "text/vnd.wap.connectivity-xml" : "application/json" }
  }

  struct Token: Hashable, Sendable {
    var text: String
    var seconds: Int
  }

  /// Nil without one.
  var token: Token?
  /// What the operation answered.
  var operation: [Parameter] = []
  /// A characteristic inside of it, as SubscriberInfo.
  var inner: Characteristic?
  let app: String
  let validity: Int

  init(app: String, validity: Int = 172_800) {
    self.app = app
    self.validity = validity
  }

  func text(_ form: Form) -> String {
    switch form {
    case .xml: xml
    case .json: json
    }
  }

  private var characteristics: [Characteristic] {
    var all = [
      Characteristic(
        type: "VERS",
        parameters: [Parameter(name: "version", value: "1"), Parameter(name: "validity", value: "\(validity)")])
    ]
    if let token {
      all.append(
        Characteristic(
          type: "TOKEN",
          parameters: [
            Parameter(name: "token", value: token.text), Parameter(name: "validity", value: "\(token.seconds)"),
          ]))
    }
    all.append(
      Characteristic(
        type: "APPLICATION", parameters: [Parameter(name: "AppID", value: app)] + operation,
        inner: inner.map { [$0] } ?? []))
    return all
  }

  private var xml: String {
    "<?xml version=\"1.0\"?>\n<wap-provisioningdoc version=\"1.1\">\n"
      + characteristics.map { Self.xml($0, " ") }.joined() + "</wap-provisioningdoc>\n"
  }

  private static func xml(_ characteristic: Characteristic, _ indent: String) -> String {
    let parameters = characteristic.parameters.map {
      "\(indent) <parm name=\"\(escaped($0.name))\" value=\"\(escaped($0.value))\"/>\n"
    }
    return "\(indent)<characteristic type=\"\(escaped(characteristic.type))\">\n" + parameters.joined()
      + characteristic.inner.map { xml($0, indent + " ") }.joined() + "\(indent)</characteristic>\n"
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.append(character)
      }
    }
  }

  private var json: String {
    var members: [String: JSONValue] = [
      "Vers": .object(["version": .string("1"), "validity": .string("\(validity)")])
    ]
    if let token {
      members["Token"] = .object(["token": .string(token.text), "validity": .string("\(token.seconds)")])
    }
    var own = Dictionary(operation.map { ($0.name, JSONValue.string($0.value)) }, uniquingKeysWith: { $1 })
    if let inner {
      own[inner.type] = .object(
        Dictionary(inner.parameters.map { ($0.name, JSONValue.string($0.value)) }, uniquingKeysWith: { $1 }))
    }
    members[app] = .object(own)
    return JSONValue.object(members).text
  }
}
