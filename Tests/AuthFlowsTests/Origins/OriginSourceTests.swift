import Glibc
import Testing

/// The sources themselves: the doors by which provenance could be forged are not used where flows
/// are written.
@Suite("Flows cannot say whose an answer is")
struct OriginSourceTests {
  private static let folder =
    "/" + String(#filePath).split(separator: "/").dropLast(4).joined(separator: "/") + "/Sources/Providers"

  /// Path below the folder, and text.
  private static let files: [(String, String)] = {
    var found: [(String, String)] = []
    // The kit's driver and what providers share, and the flows of each provider.
    for depth in [
      "/Kit/AuthFlows/*/*.swift", "/Kit/CAMARACommonalities/*.swift", "/*/Flows/*.swift", "/*/Flows/*/*.swift",
    ] {
      var list = glob_t()
      defer { globfree(&list) }
      guard glob(folder + depth, 0, nil, &list) == 0 else { continue }
      for index in 0..<Int(list.gl_pathc) {
        guard let path = list.gl_pathv[index].map({ String(cString: $0) }), let text = contents(path) else { continue }
        found.append((String(path.dropFirst(folder.count + 1)), text))
      }
    }
    return found
  }()

  private static func contents(_ path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&part, 1, part.count, file), count > 0 { bytes += part[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func noFlowImportsWhatMakesAnswers() {
    #expect(Self.files.count > 80)
    for (path, text) in Self.files { #expect(!text.contains("@_spi(Exchange)"), "\(path)") }
  }

  /// Where a text becomes a URL, and why it may: it is written here or configured, it is a redirect
  /// URI that was compared with the configured one, or it is looked at and never asked.
  private static let makers: Set<String> = [
    "Kit/CAMARACommonalities/CAMARAAccess.swift", "CAMARA/Flows/CAMARAHosts.swift",
    "Firebase/Flows/FirebaseHosts.swift",
    "IPification/Flows/IPificationHosts.swift", "IPification/Flows/IPificationMachine.swift",
    "IPification/Flows/IPificationVerifier.swift",
    "MobileConnect/Flows/AppServer/AppServerRedirects.swift",
    "MobileConnect/Flows/Settings/MobileConnectSettings.swift",
    "Kit/AuthFlows/Providers/ProviderSet.swift", "TruID/Flows/TruIDCheckRequest.swift", "TruID/Flows/TruIDHosts.swift",
    "TruID/Flows/TruIDVerifier.swift",
    // The server's name is made of the digits of the SIM's own network. An answer of the SIM goes
    // to where the packet came from, without the query.
    "TS43/Flows/EntitlementContext.swift", "TS43/Flows/EntitlementExchange.swift",
  ]

  @Test func noAnswersTextBecomesAURLByAnotherDoor() {
    for (path, text) in Self.files where !Self.makers.contains(path) {
      let lines = text.split(separator: "\n").filter { !$0.drop(while: { $0 == " " }).hasPrefix("//") }
      let makes = lines.contains { line in
        ["WebURL(", "Endpoint("].contains { word in
          line.ranges(of: word).contains { range in
            // `init(_ endpoint: Endpoint)` and other names that end so are none.
            let before = range.lowerBound == line.startIndex ? " " : line[line.index(before: range.lowerBound)]
            return !before.isLetter
          }
        }
      }
      #expect(!makes, "\(path): read an answer's URL by AnsweredURL")
    }
  }
}
