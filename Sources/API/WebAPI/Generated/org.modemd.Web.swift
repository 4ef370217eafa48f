// Written by varlink-generate from org.modemd.Web.varlink: change that file, then `make generate`.

import Varlink

/// Opens the inspector of modemd-web: a page that shows modems, bearers and checks as they change,
/// and changes nothing. modemd-web answers this interface at a socket of its own,
/// /run/modemd-web/control. Only root, and the users in modemd-web's setting `inspectors`, may call
/// it. Later versions may add fields. Replies and errors always have all their fields; a field
/// without a value is null.
public enum WebInterface: VarlinkInterface {
  public static let name = "org.modemd.Web"
  public static let text = #"""
    # Opens the inspector of modemd-web: a page that shows modems, bearers and checks as they change,
    # and changes nothing. modemd-web answers this interface at a socket of its own,
    # /run/modemd-web/control. Only root, and the users in modemd-web's setting `inspectors`, may call
    # it. Later versions may add fields. Replies and errors always have all their fields; a field
    # without a value is null.
    interface org.modemd.Web

    # Makes a link to the inspector. It is good once, for a minute, and for one user's browser.
    method Open(
      # User id of the browser; null for the caller's own. Only root may name another.
      user: ?int
    ) -> (
      # An address on 127.0.0.1. Keep it to yourself: it is the right to look.
      url: string,
      # User id of the browser that it is good for.
      user: int,
      # How long it is good.
      expiresInSeconds: int
    )

    # There is no such user, or the caller may not name another.
    error InvalidUser (
      # What is wrong, in one sentence.
      reason: string
    )

    """#

  /// Makes a link to the inspector. It is good once, for a minute, and for one user's browser.
  public enum Open: VarlinkMethod {
    public static let name = "org.modemd.Web.Open"

    /// What `Open` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["user"]
      /// User id of the browser; null for the caller's own. Only root may name another.
      public var user: Int?

      public init(user: Int? = nil) {
        self.user = user
      }
    }

    /// What `Open` answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// An address on 127.0.0.1. Keep it to yourself: it is the right to look.
      public var url: String
      /// User id of the browser that it is good for.
      public var user: Int
      /// How long it is good.
      public var expiresInSeconds: Int

      public init(url: String, user: Int, expiresInSeconds: Int) {
        self.url = url
        self.user = user
        self.expiresInSeconds = expiresInSeconds
      }
    }
  }

  /// There is no such user, or the caller may not name another.
  public struct InvalidUser: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Web.InvalidUser"
    /// What is wrong, in one sentence.
    public var reason: String

    public init(reason: String) {
      self.reason = reason
    }
  }
}
