// Written by varlink-generate from org.modemd.Service.varlink: change that file, then `make generate`.

import Varlink

/// The service itself. Later versions may add fields, and new words to the enums of replies and
/// errors. Replies and errors always have all their fields; a field without a value is null.
public enum ServiceInterface: VarlinkInterface {
  public static let name = "org.modemd.Service"
  public static let text = #"""
    # The service itself. Later versions may add fields, and new words to the enums of replies and
    # errors. Replies and errors always have all their fields; a field without a value is null.
    interface org.modemd.Service

    # Reads the settings and the providers' files anew, as `systemctl reload modemd` does, and replies
    # when what they say applies. Calls under way end with what they began with. Only root may call it,
    # and groups that access.table gives it under its own name.
    #
    # summary: what is configured now, in one line
    method Reload() -> (summary: string)

    # A file cannot be used, and nothing has changed.
    error ReloadFailed(
      # Which file, what is wrong with it, and what was expected.
      message: string
    )

    """#

  /// Reads the settings and the providers' files anew, as `systemctl reload modemd` does, and replies
  /// when what they say applies. Calls under way end with what they began with. Only root may call it,
  /// and groups that access.table gives it under its own name.
  ///
  /// summary: what is configured now, in one line
  public enum Reload: VarlinkMethod {
    public static let name = "org.modemd.Service.Reload"

    /// What `Reload` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = []

      public init() {}
    }

    /// What `Reload` answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var summary: String

      public init(summary: String) {
        self.summary = summary
      }
    }
  }

  /// A file cannot be used, and nothing has changed.
  public struct ReloadFailed: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Service.ReloadFailed"
    /// Which file, what is wrong with it, and what was expected.
    public var message: String

    public init(message: String) {
      self.message = message
    }
  }
}
