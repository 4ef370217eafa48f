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
    let unknown = SettingsError(
      .unknownKey, "there is no key part.size", key: "part.size", knownKeys: ["part.flag", "part.number"])
    #expect(unknown.description == "there is no key part.size; the keys are part.flag, part.number")
    #expect(throws: unknown) {
      struct Whole: Decodable { var part: Document.Part? }
      let keys = SettingsKeys(of: Whole.self)
      let _: Whole = try SettingsFile.decode(Array(#"{ "part": { "number": 1, "size": 2 } }"#.utf8), keys: keys)
    }
  }

  @Test("Each key of a kind, and no other, is told to people, with the form that the document has")
  func rows() throws {
    for document in KnownProviders.documents {
      let rows = document.rows.filter { !$0.isSecret }
      #expect(rows.map(\.key).sorted() == SettingsKeys.object(document.keys).paths, "\(document)")
      #expect(Set(rows.map(\.key)).count == rows.count && !rows.contains { $0.meaning.isEmpty }, "\(document)")
      let forms = SettingsKeys.forms(of: document)
      // The words of scopes are the user's, as far as the document's type knows.
      for row in rows where !row.key.hasPrefix("scopes.") { #expect(forms[row.key] != nil, "\(document) \(row.key)") }
      for row in rows + SettingsKeyRow.common {
        #expect(Self.form(of: row.example) == forms[row.key] ?? row.commonForm, "\(document) \(row.key)")
      }
      for secret in document.rows where secret.isSecret {
        #expect(secret.companion == nil || rows.contains { $0.key == secret.companion }, "\(document) \(secret.key)")
      }
    }
    let forms = SettingsKeys.forms(of: Document.self)
    #expect(
      forms == [
        "word": .text, "level": .number, "list": .list, "part.number": .number, "part.flag": .boolean, "parts": .object,
        "free": .object,
      ])
  }

  /// What kind of value an example is: a text has no quotes in a row.
  private static func form(of example: String?) -> SettingsForm? {
    guard let example, let first = example.first, let last = example.last else { return nil }
    switch (first, last) {
    case ("[", "]"): return .list
    case ("{", "}"): return .object
    default: return ["true", "false"].contains(example) ? .boolean : Int(example) == nil ? .text : .number
    }
  }

  @Test(
    "The nearest word is found in any case, and none where nothing is like it",
    arguments: [
      ("truid", "truID"), ("TRUID", "truID"), ("trudi", "truID"), ("mobileconect", "mobileConnect"),
      ("camera", "camara"), ("x", nil), ("password", nil), (String(repeating: "truID", count: 40), nil), ("", nil),
    ] as [(String, String?)])
  func nearest(word: String, found: String?) {
    #expect(NearestWord.find(word, among: ["truID", "mobileConnect", "camara", "miracl"]) == found)
  }

  @Test("A key's line is found, and that of the object around one that is missing")
  func lines() {
    let text = #"""
      {
        "kind": "x", "a\"b": 1,
        "part": { "list": [ { "kind": 1 },
            2 ],
          "flag": true },
        "text": "{ \"part\": {",
        "last": 1
      }
      """#
    let places = KeyPlaces(Array(text.utf8))
    for (key, line) in [
      ("kind", 2), ("part", 3), ("part.list", 3), ("part.list.0.kind", 3), ("part.flag", 5), ("part.missing", 3),
      ("text", 6), ("last", 7), ("missing", nil), ("", nil),
    ] as [(String, Int?)] { #expect(places.line(of: key) == line, "\(key)") }
    for odd in [#"{"a"#, #"{"a\"#, "}}]],,", "[[[[", "{\"a\":\n{\"", "\u{0}"] {
      #expect(KeyPlaces(Array(odd.utf8)).line(of: "b") == nil)
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
