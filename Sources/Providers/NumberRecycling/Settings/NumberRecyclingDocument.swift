import AuthFlows
import CAMARACommonalities
import NumberRecyclingFlows
import ProviderSettings
import SettingsFile
import TokenSigning

/// The file of a provider of the kind `numberRecycling`. Its secret is the credential
/// `NAME.client-secret` or `NAME.client-key`.
package struct NumberRecyclingDocument: ProviderDocument {
  private let client: CAMARAServerDocument
  private let api: API

  private struct API: Decodable {
    var version: String?
    var path: String?
    var token: String?
  }

  package init(from decoder: any Decoder) throws {
    client = try CAMARAServerDocument(from: decoder)
    api = try API(from: decoder)
  }

  package func settings(_ secrets: ProviderSecrets) throws(SettingsError) -> NumberRecyclingSettings {
    let tools = OpenIDTools(sha256: { Digest.sha256($0) })
    var settings = NumberRecyclingSettings(try client.server(try client.client(secrets), tools))
    settings.version = try SettingsError.word(api.version, "version") ?? settings.version
    settings.path = try SettingsError.path(api.path, "path")
    settings.token = try SettingsError.word(api.token, "token") ?? settings.token
    try CAMARAServerDocument.checkUse(of: settings.server)
    return settings
  }
}
