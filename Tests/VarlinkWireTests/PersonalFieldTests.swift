import Glibc
import Testing

@testable import VarlinkWire

/// What the values of clients in other languages print of themselves.
@Suite("Personal fields")
struct PersonalFieldTests {
  /// Names of fields with text that are printed, with those of their types that are not on the list
  /// of hidden ones. None of them holds a number, an identity, a code, a PIN or a token.
  private static let shown: Set<String> = [
    "abilities", "acr", "acrValues", "address", "addresses", "aliases", "apn", "applicationShortName", "began",
    "cause", "certificateExpires", "changedAt", "channels", "check", "claimsLocales", "clientID", "clientName",
    "code", "command", "companion", "contentType", "cookies", "correlationID", "correlator", "country",
    "coverageText", "created", "credentialsText", "currency", "damaged", "day", "device", "dialingCode", "dns",
    "endpoints", "expires", "extent", "failure", "fields", "file", "firmware", "gateway", "gid1", "guardText", "host",
    "id", "identityLabel", "identityType", "interface", "issuer", "key", "kind", "lastError", "lastSIMChange",
    "locales", "loginHintMethods", "logo", "machine", "manager", "manufacturer", "mcc", "meaning", "mnc", "model",
    "modem", "name", "network", "networkName", "networks", "next", "nextAttempt", "object", "opened", "operatorCode",
    "passedOver", "pattern", "program", "project", "provider", "reason", "received", "reference", "refused",
    "reloadFailure", "requester", "resets", "resolved", "resumptionText", "scope", "scopes", "sent", "servers",
    "service", "serviceCentre", "setCookies", "simIDType", "since", "software", "source", "standard", "summary",
    "text", "time", "tlsVersion", "tokenType", "trace", "traceparent", "trafficText", "translationPrefix",
    "uiLocales", "unresolved", "updatedAt", "verificationMethod", "verificationText", "verificationURL", "version",
    "versions", "virtualOperator",
  ]

  private static func interfaces() throws -> [InterfaceSyntax] {
    let repository = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    var found = glob_t()
    defer { globfree(&found) }
    var interfaces: [InterfaceSyntax] = []
    for pattern in ["Sources/API/*/Interfaces/*.varlink", "Sources/Providers/*/API/Interfaces/*.varlink"] {
      try #require(glob("\(repository)/\(pattern)", 0, nil, &found) == 0)
      for index in 0..<Int(found.gl_pathc) {
        let path = String(cString: try #require(found.gl_pathv[index]))
        let file = try #require(fopen(path, "re"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
        interfaces.append(try InterfaceParser.parse(String(decoding: bytes, as: UTF8.self)))
      }
      globfree(&found)
      found = glob_t()
    }
    return interfaces
  }

  /// The fields with text or objects of an interface, with the name of their type or method.
  private static func fields(of interface: InterfaceSyntax) -> [(field: InterfaceSyntax.Field, type: String)] {
    interface.members.flatMap { member -> [(InterfaceSyntax.Field, String)] in
      switch member {
      case .type(let name, _, .struct(let fields)): fields.map { ($0, name) }
      case .method(let name, _, let parameters, let reply): (parameters + reply).map { ($0, name) }
      case .type, .error: []
      }
    }.filter { field, _ in
      switch field.type.innermost {
      case .string, .object: true
      default: false
      }
    }
  }

  @Test("Each field of the public interfaces is hidden or on the list of those that are shown")
  func decided() throws {
    let interfaces = try Self.interfaces().filter { !["org.modemd.Port", "org.modemd.Web"].contains($0.name) }
    #expect(interfaces.count >= 13)
    let printed = Set(
      interfaces.flatMap(Self.fields).filter { !PersonalFields.contains($0.field, of: $0.type) }.map(\.field.name))
    #expect(
      printed.subtracting(Self.shown).isEmpty,
      "hide these by PersonalFields, or add them to the list: \(printed.subtracting(Self.shown).sorted())")
    #expect(Self.shown.subtracting(printed).isEmpty, "\(Self.shown.subtracting(printed).sorted()) are no longer shown")
  }

  @Test(
    "Numbers, identities, codes, PINs and tokens are hidden; words and numbers of enums and limits are not",
    arguments: [
      ("type A (imsi: ?string)", true), ("type A (numbers: []string)", false), ("type A (number: (a, b))", false),
      ("type A (pin: string)", true), ("type A (code: ?int)", false), ("type Outcome (code: ?string)", false),
      ("type A (links: [string]string)", true), ("type A (claims: ?object)", true), ("type A (host: string)", false),
    ])
  func rule(text: String, isHidden: Bool) throws {
    let interface = try InterfaceParser.parse("interface org.example.Test\n\(text)\nmethod Get() -> ()\n")
    guard case .type(let name, _, .struct(let fields)) = interface.members[0] else { return }
    #expect(PersonalFields.contains(fields[0], of: name) == isHidden)
  }
}
