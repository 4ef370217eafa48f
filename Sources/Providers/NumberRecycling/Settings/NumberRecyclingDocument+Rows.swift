import ProviderSettings

extension NumberRecyclingDocument {
  package static let rows: [SettingsKeyRow] =
    CAMARAServerDocument.serverRows(hasFrontEnd: false) + [
      .key("version", "v0.1, v0.2 or v0.3", standard: "v0.2"),
      .key("path", "replaces the whole path /number-recycling/VERSION"),
      .key("token", "byNumber, client or subscriber: whose token is used", standard: "byNumber"),
    ]
}
