import AuthCore
import AuthFlows
import CAMARACommonalities
import FoundationEssentials
import JSONTree
import ProviderSettings
import SettingsFile
import SystemdSupport
import Testing

@testable import NumberRecyclingConfiguration
@testable import NumberRecyclingFlows

@Suite("A provider's file of the kind numberRecycling")
struct NumberRecyclingDocumentTests {
  private static let least =
    #""kind": "numberRecycling", "root": "https://api.example", "tokenEndpoint": "https://auth.example/token", "clientID": "a""#

  private static func read(_ more: String = "") throws -> NumberRecyclingSettings {
    let tree = try #require(JSONValue(parsing: Array("{\(least)\(more)}".utf8)))
    let folder = FileManager.default.temporaryDirectory.path + "/number-recycling-\(UInt64.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data("s3cret".utf8).write(to: URL(filePath: "\(folder)/op.client-secret"))
    let credentials = CredentialsDirectory(ServiceEnvironment(["CREDENTIALS_DIRECTORY": folder], process: 1))
    var providers = ProviderSet()
    try ProviderFolder.add(
      tree, ProviderSecrets(name: "op", credentials: credentials), to: &providers, kinds: [NumberRecyclingDocument.self]
    )
    return try providers.find(NumberRecyclingSettings.self, named: nil, for: nil).settings(for: nil)
  }

  @Test func theLeastThatAFileMayHold() throws {
    let settings = try Self.read()
    #expect(settings.version == .v0_2 && settings.path == nil && settings.token == .byNumber)
    #expect(settings.url.text == "https://api.example/number-recycling/v0.2/check")
  }

  @Test func allThatIsItsOwn() throws {
    let settings = try Self.read(#", "version": "v0.3", "path": "/x", "token": "client""#)
    #expect(settings.version == .v0_3 && settings.path == "/x" && settings.token == .client)
  }

  @Test(arguments: [
    (#", "version": "v2""#, "version is not one of v0.1, v0.2, v0.3"), (#", "path": "x/""#, "path is not a path"),
    (#", "token": "both""#, "token is not one of byNumber, client, subscriber"),
    (#", "since": "2026-10-31""#, "there is no key since"),
  ]) func aMistakeIsNamedByItsKey(_ more: String, _ message: String) {
    let error = #expect(throws: SettingsError.self) { try Self.read(more) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }
}
