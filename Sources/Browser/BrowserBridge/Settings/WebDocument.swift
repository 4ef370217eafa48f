import SettingsFile

/// The form of modemd-web's configuration file.
package struct WebDocument: Decodable {
  package struct Backend: Decodable {
    /// The name that people see, 1 to 80 characters.
    ///
    /// - Default: none: it is needed
    /// - Example: `"The Shop"`
    var name: String?
    /// Where the backend has its tickets: https, with `/` at the end. A ticket's address is this
    /// one with the ticket's id, and nothing else is fetched.
    ///
    /// - Default: none: it is needed
    /// - Example: `"https://shop.example/modem/tickets/"`
    var tickets: String?
    /// Where verdicts are posted, over https.
    ///
    /// - Default: the ticket's address with `/verdict`
    /// - Example: `"https://shop.example/modem/verdicts"`
    var verdicts: String?
    /// The https address that the browser is led back to. It gets the ticket's id and a code that
    /// works once.
    ///
    /// - Default: none: it is needed
    /// - Example: `"https://shop.example/modem/back"`
    var `return`: String?
    /// Who agrees: `click`, the person at the browser with a button; `configured`, this file, so
    /// that the page goes on by itself.
    ///
    /// - Default: `"click"`
    /// - Example: `"configured"`
    var consent: String?
    /// What tickets may ask: verify, simChange, signIn, login. modemd has to allow the last two to
    /// the group modemd-web (`access.table` of modemd.conf(5)).
    ///
    /// - Default: `["verify"]`
    /// - Example: `["verify", "simChange"]`
    var asks: [String]?
    /// What the page shows of a number: `hidden` for nothing, `masked` for its last two digits.
    ///
    /// - Default: `"hidden"`
    /// - Example: `"masked"`
    var number: String?
    /// Whether the backend may be at an address that is not public: in this machine's network, or
    /// on the machine itself.
    ///
    /// - Default: `false`
    /// - Example: `true`
    var privateAddresses: Bool?
    /// Tickets of one user that are fetched in a minute, 1 to 600.
    ///
    /// - Default: `10`
    /// - Example: `30`
    var startsPerMinute: Int?
    /// Flows at one time, 1 to 64.
    ///
    /// - Default: `4`
    /// - Example: `16`
    var flows: Int?
    /// Whether the site is told of the trace of each flow (W3C Trace Context).
    ///
    /// - Default: `false`
    /// - Example: `true`
    var traceparent: Bool?
  }
  package struct Fetch: Decodable {
    package struct Origin: Decodable {
      /// What its pages may ask: verify, simChange, signIn. There is no login, because no page is
      /// to have a PIN.
      ///
      /// - Default: `["verify"]`
      /// - Example: `["verify", "simChange"]`
      var asks: [String]?
      /// Calls in a minute, 1 to 600.
      ///
      /// - Default: `10`
      /// - Example: `30`
      var startsPerMinute: Int?
      /// Calls at one time, 1 to 8.
      ///
      /// - Default: `2`
      /// - Example: `4`
      var flows: Int?
    }
    /// The one user of the kiosk, by name or number: `modemd-web fetch` runs as this user, answers
    /// this user's programs alone, and asks modemd with this user's rights.
    ///
    /// - Default: none: it is needed
    /// - Example: `"kiosk"`
    var user: String?
    /// Its port on 127.0.0.1 and [::1], 1024 to 65535.
    ///
    /// - Default: `61978`
    /// - Example: `61979`
    var port: Int?
    /// The origins of pages that may ask, 1 to 32: each as in `https://kiosk.example`, or as in
    /// `http://localhost:8080` for pages that this machine serves to itself.
    ///
    /// - Default: none: one is needed
    /// - Example: `{ "https://kiosk.example": { "asks": ["verify"] } }`
    var origins: [String: Origin]?
  }
  /// The port on 127.0.0.1 and [::1], 1024 to 65535. Sites link to it.
  ///
  /// - Default: `61977`
  /// - Example: `61978`
  var port: Int?
  /// Users of this machine whose browsers are answered, by name.
  ///
  /// - Default: `[]`, root alone
  /// - Example: `["kiosk"]`
  var users: [String]?
  /// Groups whose members' browsers are answered.
  ///
  /// - Default: `[]`
  /// - Example: `["customers"]`
  var groups: [String]?
  /// Users of this machine who may open the inspector with `modemctl web open`, by name, besides
  /// root. They see modems, bearers and checks, numbers masked.
  ///
  /// - Default: `[]`, root alone
  /// - Example: `["technician"]`
  var inspectors: [String]?
  /// The pages' language: `auto` as the browser asks, `en` or `de`.
  ///
  /// - Default: `"auto"`
  /// - Example: `"de"`
  var language: String?
  /// A PEM file of authorities to trust beside the system's own.
  ///
  /// - Default: none
  /// - Example: `"/etc/modemd/extra-roots.pem"`
  var extraRoots: String?
  /// Sites that may ask, by a name of small letters, digits and dashes; 1 to 32. The file has the
  /// keys of each below its name, and the credential `NAME.token` its secret.
  ///
  /// - Default: none: one is needed
  /// - Example: `{ "shop": { "name": "The Shop", "tickets": "https://shop.example/modem/tickets/",
  ///   "return": "https://shop.example/modem/back" } }`
  var backends: [String: Backend]?
  /// Pages that ask by `fetch`, on a kiosk with one user. It is off unless it is there, and is not
  /// the service's: `modemd-web fetch` reads it, which runs as that user.
  var fetch: Fetch?

  static let keys = SettingsKeys(of: Self.self)
}
