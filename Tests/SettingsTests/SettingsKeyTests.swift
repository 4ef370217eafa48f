import FoundationEssentials
import ProviderSettings
import Testing

@testable import SettingsFile
@testable import modemd

@Suite("Keys of settings")
struct SettingsKeyTests {
  private struct Document: Decodable {
    struct Part: Decodable {
      var number: Int?
      var flag: Bool?
    }
    var word: String?
    var level: Double?
    var list: [String]?
    var part: Part?
    var parts: [String: Part]?
    var free: [String: [String]]?
  }

  @Test("The properties of a document are its keys")
  func properties() {
    #expect(
      SettingsKeys(of: Document.self).paths == [
        "free.NAME", "level", "list", "part.flag", "part.number", "parts.NAME.flag", "parts.NAME.number", "word",
      ])
    #expect(throws: SettingsError(.unknownKey, "there is no key part.size; the keys are part.flag, part.number")) {
      struct Whole: Decodable { var part: Document.Part? }
      let keys = SettingsKeys(of: Whole.self)
      let _: Whole = try SettingsFile.decode(Array(#"{ "part": { "number": 1, "size": 2 } }"#.utf8), keys: keys)
    }
  }

  /// As people read it in an error: a misspelt one would send them looking for a key that there is
  /// not.
  @Test("Every key that an error of a provider's file names is one of its kind", arguments: KnownProviders.names)
  func errors(_ name: String) throws {
    let document = try #require(KnownProviders.documents.first { "\($0)" == name })
    let paths = SettingsKeys.object(document.keys).paths
    let source =
      URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path() + "Sources/Providers/\(name.dropLast("Document".count))/Settings"
    var keys: [String] = []
    for file in try FileManager.default.contentsOfDirectory(atPath: source) {
      let bytes = try #require(FileManager.default.contents(atPath: "\(source)/\(file)"))
      let text = String(decoding: bytes, as: UTF8.self)
      keys += text.matches(of: /SettingsError\(\s*key: "([A-Za-z.]+)"/).map { String($0.1) }
      keys += text.matches(of: /SettingsError\.\w+\([\w?.]+, "([A-Za-z.]+)"/).map { String($0.1) }
    }
    #expect(!keys.isEmpty)
    for key in keys { #expect(paths.contains { $0 == key || $0.hasPrefix(key + ".") }, "\(key)") }
  }
}

extension KnownProviders {
  fileprivate static var names: [String] { documents.map { "\($0)" } }
}
