/// Decides from its fields alone whether a request may be answered: it must come from a browser's
/// own page here, or be a person's navigation to the start.
///
/// A browser sets `Host`, `Origin` and the fields of Fetch Metadata itself, and no script can
/// change them (Fetch, 2.2.2). A local program can: what it may do is decided by its user.
package enum SenderRules {
  /// What a request is for.
  package enum Purpose: Hashable, Sendable {
    /// A page that other sites may link to.
    case start
    /// Any other page.
    case page
    case script
    case style
    /// What a script of a page here reads.
    case stream
    /// A form of a page here.
    case form
  }

  /// Why a request is refused. None of it depends on what the service holds.
  package enum Refusal: Error, Hashable, Sendable {
    /// `Host` is not this machine's loopback address with the port: a name of somebody else's leads
    /// here (DNS rebinding), or the request is for another server.
    case wrongHost
    case wrongMethod(allowed: String)
    /// The fields of Fetch Metadata are missing, or stand there twice: no browser of today.
    case notABrowser
    /// An image, a frame, a script or a prefetch of some page, and nobody's navigation.
    case notANavigation
    /// It comes from a page of another origin.
    case otherOrigin
    /// A form in another encoding.
    case notAForm

    package var status: Int {
      switch self {
      case .wrongHost: 421
      case .wrongMethod: 405
      case .notAForm: 415
      case .notABrowser, .notANavigation, .otherOrigin: 403
      }
    }

    /// One sentence for whoever looks.
    package var text: String {
      switch self {
      case .wrongHost: "the request is for another server: this one is 127.0.0.1, localhost or [::1] with its port"
      case .wrongMethod(let allowed): "\(allowed) is expected here"
      case .notABrowser: "a browser of today is expected, which sends Sec-Fetch-Site, Sec-Fetch-Mode and Sec-Fetch-Dest"
      case .notANavigation: "this page is shown in a tab of its own, and to nothing else"
      case .otherOrigin: "pages of other sites are not answered here"
      case .notAForm: "a form is expected"
      }
    }
  }

  /// The values of `Host` that name this server.
  package static func hosts(port: Int) -> [String] { ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"] }

  /// Looks at a request.
  ///
  /// - Throws: `Refusal`, the first of its kinds that applies.
  package static func check(_ request: BrowserRequest, for purpose: Purpose) throws(Refusal) {
    let host = try checkHost(request)
    let method = purpose == .form ? "POST" : "GET"
    guard request.method == method else { throw .wrongMethod(allowed: method) }
    guard let site = request.field("sec-fetch-site"), let mode = request.field("sec-fetch-mode"),
      let destination = request.field("sec-fetch-dest")
    else { throw .notABrowser }
    // A page that is loaded ahead is seen by nobody.
    guard !request.has("sec-purpose"), !request.has("purpose"), !request.has("x-moz") else { throw .notANavigation }
    switch purpose {
    case .start:
      try demand(mode == "navigate" && destination == "document", .notANavigation)
    case .page:
      try demand(mode == "navigate" && destination == "document", .notANavigation)
      // `none`: a person typed or restored it.
      try demand(site == "same-origin" || site == "none", .otherOrigin)
    case .script: try demand(site == "same-origin" && destination == "script", .otherOrigin)
    case .style: try demand(site == "same-origin" && destination == "style", .otherOrigin)
    case .stream:
      try demand(
        site == "same-origin" && destination == "empty" && (mode == "cors" || mode == "same-origin"), .otherOrigin)
    case .form:
      try demand(site == "same-origin" && request.field("origin") == "http://\(host)", .otherOrigin)
      try demand(mode == "navigate" && destination == "document", .notANavigation)
      try demand(request.field("content-type")?.lowercased() == "application/x-www-form-urlencoded", .notAForm)
    }
  }

  /// - Returns: the value of `Host`.
  @discardableResult
  package static func checkHost(_ request: BrowserRequest) throws(Refusal) -> String {
    guard let host = request.field("host"), hosts(port: request.port).contains(host) else { throw .wrongHost }
    return host
  }

  private static func demand(_ isSo: Bool, _ refusal: Refusal) throws(Refusal) {
    guard isSo else { throw refusal }
  }
}
