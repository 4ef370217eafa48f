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
    /// The version of Number Recycling: v0.1, v0.2 or v0.3.
    ///
    /// - Default: `"v0.2"`
    /// - Example: `"v0.3"`
    var version: String?
    /// Replaces the whole path of the API.
    ///
    /// - Default: `"/number-recycling/VERSION"`
    /// - Example: `"/number-recycling/v0.2"`
    var path: String?
    /// Whose token is used: byNumber, client or subscriber.
    ///
    /// - Default: `"byNumber"`
    /// - Example: `"client"`
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
    return settings
  }
}
