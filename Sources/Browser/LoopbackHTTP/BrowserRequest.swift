/// One request, as it came over a connection whose user is known.
package struct BrowserRequest: Sendable {
  package let method: String
  /// Begins with `/`; percent-encoding stays as it came.
  package let path: String
  package let query: String?
  /// Names in lower case, in the order in which they came.
  package let fields: [(name: String, value: String)]
  package let body: [UInt8]
  /// The user whose socket the other end is, as the kernel says.
  package let user: UInt32
  /// The port that the connection came to.
  package let port: Int

  package init(
    method: String, path: String, query: String? = nil, fields: [(name: String, value: String)] = [],
    body: [UInt8] = [], user: UInt32, port: Int
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.fields = fields
    self.body = body
    self.user = user
    self.port = port
  }

  /// The value of a field that stands there exactly once; nil otherwise.
  package func field(_ name: String) -> String? {
    let found = fields.filter { $0.name == name }
    return found.count == 1 ? found[0].value : nil
  }

  /// Whether a field is there at all.
  package func has(_ name: String) -> Bool { fields.contains { $0.name == name } }
}

/// What a request gets.
package struct BrowserAnswer: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    /// Each item is sent as it comes. The sequence is cancelled if the browser leaves.
    case stream(AsyncStream<[UInt8]>)
  }

  package let status: Int
  /// In addition to those that every answer has (`SafeFields`).
  package let fields: [(name: String, value: String)]
  package let body: Body

  package init(_ status: Int, fields: [(name: String, value: String)] = [], body: Body) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// A short text, for whoever is not shown a page.
  package static func text(
    _ status: Int, _ text: String, fields: [(name: String, value: String)] = []
  ) -> BrowserAnswer {
    BrowserAnswer(
      status, fields: fields + [("Content-Type", "text/plain; charset=utf-8")], body: .bytes(Array((text + "\n").utf8)))
  }

  /// Leads the browser elsewhere with a GET (RFC 9110, 15.4.4).
  package static func seeOther(_ location: String) -> BrowserAnswer {
    BrowserAnswer(303, fields: [("Location", location)], body: .bytes([]))
  }
}

/// The fields of every answer.
package enum SafeFields {
  /// Scripts, styles, forms and calls of this origin only; nothing inline, no frame around a page.
  package static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; "
    + "base-uri 'none'; frame-ancestors 'none'"

  package static let all: [(name: String, value: String)] = [
    ("Cache-Control", "no-store"),
    ("Content-Security-Policy", policy),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    // Not no-referrer: with it a browser sends its own forms with `Origin: null` (Fetch, 3.2). No
    // other site learns an address of a page here from either.
    ("Referrer-Policy", "same-origin"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Connection", "close"),
  ]
}
