import ModemModel

/// The service's access to the short messages of one port.
package protocol MessageLink: Sendable {
  /// A snapshot, then every change. It ends or throws when the port does.
  func messageUpdates() async throws -> AsyncThrowingStream<MessageUpdate, any Error>

  /// Deletes one. Throws `ModemError`, or `ServiceError` with `portUnavailable`.
  func deleteMessage(at reference: String) async throws
}

extension ModemLink {
  package var messages: (any MessageLink)? { nil }
}
