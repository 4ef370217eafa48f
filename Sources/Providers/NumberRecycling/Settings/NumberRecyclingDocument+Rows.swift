import ProviderSettings

extension NumberRecyclingDocument {
  package static let rows: [SettingsKeyRow] =
    CAMARAServerDocument.serverRows + [
      .key("version", "The version of Number Recycling: v0.1, v0.2 or v0.3.", standard: "v0.2", example: "v0.3"),
      .key(
        "path", "Replaces the whole path of the API.", standard: "/number-recycling/VERSION",
        example: "/number-recycling/v0.2"),
      .key("token", "Whose token is used: byNumber, client or subscriber.", standard: "byNumber", example: "client"),
    ]
}
