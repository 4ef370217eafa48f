import FleetSettings
import FoundationEssentials
import ProviderSettings
import Testing

@testable import ModemModel
@testable import PortSettings
@testable import SettingsFile
@testable import modemd

/// The manual pages and the default files, which scripts/settings-pages makes from the documents.
@Suite("Pages of settings") struct SettingsPageTests {
  private static let repository = String(#filePath).split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

  private static func read(_ path: String) throws -> String {
    try String(contentsOfFile: "\(repository)/\(path)", encoding: .utf8)
  }

  /// The keys that a page describes in a section.
  private static func keys(in page: String, from section: String) -> Set<String> {
    let lines = page.split(separator: "\n").map(String.init)
      .drop { $0 != ".SH \(section)" }.dropFirst().prefix { !$0.hasPrefix(".SH") }
    let names = zip(lines, lines.dropFirst()).filter { $0.0 == ".TP" && $0.1.hasPrefix(".B ") }.map(\.1)
    return Set(names.map { String($0.dropFirst(".B ".count)) })
  }

  /// A key whose own members the user names is described as one key.
  private static func described(_ paths: [String]) -> Set<String> {
    Set(paths.map { path in path.firstRange(of: ".NAME").map { String(path[..<$0.lowerBound]) } ?? path })
  }

  @Test("modemd.conf(5) has every key, and no other")
  func settings() throws {
    let page = try Self.read("Docs/man/modemd.conf.5")
    #expect(Self.keys(in: page, from: "MODEMD.JSON") == Self.described(SettingsDocument.keys.paths))
    #expect(
      Self.keys(in: page, from: "KEYS OF EACH BUDGET") == Set(SettingsKeys(of: SettingsDocument.Budget.self).paths))
    #expect(
      Self.keys(in: page, from: "KEYS OF EACH DESTINATION")
        == Set(SettingsKeys(of: SettingsDocument.Destination.self).paths))
    let ports = PortDocument.keys.paths.filter { !$0.hasPrefix("modems.") }
    #expect(Self.keys(in: page, from: "MODEMD\\-PORT.JSON") == Set(ports).union(["modems.NAME"]))
  }

  @Test("modemd.fleet(5) has every key, and no other; its whole file can be used")
  func fleet() throws {
    let page = try Self.read("Docs/man/modemd.fleet.5")
    #expect(Self.keys(in: page, from: "KEYS") == Self.described(FleetDocument.keys.paths))
    let file = try #require(page.split(separator: ".nf\n").last?.split(separator: ".fi\n").first)
    let settings = try FleetSettings(json: Array(file.replacing("\\-", with: "-").utf8))
    #expect(settings.machine == "kiosk-0042" && settings.commands.requesters["desk"]?.count == 2)
    // The page names every command that a file can allow.
    let text = page.replacing("\n", with: " ")
    for name in FleetSettings.commandNames { #expect(text.contains(name), "\(name)") }
  }

  @Test("modemd.providers(5) says of each kind what its rows say", arguments: KnownProviders.documents.indices)
  func providers(_ index: Int) throws {
    let document = KnownProviders.documents[index]
    let page = try Self.read("Docs/man/modemd.providers.5")
    let head = ".SH KIND \(document.kind)\n"
    let start = try #require(page.firstRange(of: head))
    let section = page[start.upperBound...]
    let body = section[..<(section.firstRange(of: ".SH ")?.lowerBound ?? section.endIndex)]
    let forms = SettingsKeys.forms(of: document)
    // The same entries, in whatever order the page has them.
    let told = body.components(separatedBy: ".TP\n").dropFirst().sorted()
    #expect(told == document.rows.map { Self.entry($0, forms[$0.key] ?? $0.commonForm) }.sorted())
  }

  private static func entry(_ row: SettingsKeyRow, _ form: SettingsForm) -> String {
    var lines = [".B \(row.isSecret ? "NAME." : "")\(row.key)", row.meaning]
    if row.isSecret {
      lines += [".br", "A credential\(row.companion.map { ", needed with \($0)" } ?? "")."]
    } else {
      let standard = row.standard ?? (row.need == .required ? "none: it is needed" : "none")
      let example = row.example ?? ""
      lines += [".br", "Default: \(standard).", ".br", "Example: \(form == .text ? "\"\(example)\"" : example)"]
    }
    return lines.joined(separator: "\n").replacing("\\", with: "\\\\").replacing("-", with: "\\-") + "\n"
  }

  @Test("A default file sets nothing; with every comment before a key taken away, it sets every key")
  func defaults() throws {
    let service = try Self.read("systemd/modemd.json")
    #expect(try Settings(json: Array(service.utf8)) == Settings())
    let ports = try Self.read("systemd/modemd-port.json")
    #expect(try PortSettings(json: Array(ports.utf8)).settings(for: ["cdc-wdm1"]) == ModemSettings())
    for (text, paths) in [(service, SettingsDocument.keys.paths), (ports, PortDocument.keys.paths)] {
      for path in paths where !path.contains("NAME") {
        #expect(text.contains("// \"\(path.split(separator: ".").last ?? "")\": "), "\(path)")
      }
    }
    #expect(try Settings(json: Self.uncommented(service)) != Settings())
    #expect(try PortSettings(json: Self.uncommented(ports)).settings(for: []).slot == 1)
  }

  private static func uncommented(_ text: String) -> [UInt8] {
    Array(text.replacing("// \"", with: "\"").utf8)
  }

  @Test("A comment and a comma behind the last member are allowed; a wrong key between them is still found")
  func comments() throws {
    let text = "// a\n{ \"check\": { \"historyLimit\": 5, // b\n }, }"
    #expect(try Settings(json: Array(text.utf8)).historyLimit == 5)
    let wrong = "{ // \"tls\": 1\n \"chekc\": {}, }"
    #expect(throws: SettingsError.self) { try Settings(json: Array(wrong.utf8)) }
  }
}
