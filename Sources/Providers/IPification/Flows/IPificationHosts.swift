import AuthCore
import RedirectChain

/// Where IPification is served by default: the only place with its host names.
package enum IPificationHosts {
  package static let production = "https://api.ipification.com"
  package static let stage = "https://api.stage.ipification.com"

  /// The allowed hosts in a configuration.
  package static let expected = "production, stage, a region by two letters, or an https URL"

  /// Domains, including their subdomains, that its redirects reach in cleartext: operators that add
  /// a header there.
  package static let cleartextDomains: Set<String> = [
    "adldigitalservice.com", "airtel.in", "celcomdigi.com", "enstreamidentity.com", "ideabiz.lk", "ipification.com",
    "jio.com", "jiolabs.com", "openxpand.com", "smartdigits.io", "smartfren.com", "vodafone.com", "xl.co.id",
  ]

  /// The allowed names instead of a host in the configuration: `production`, `stage`, or a
  /// two-letter region, as in `id`.
  ///
  /// - Throws: `AuthError` for anything that is neither such a name nor an https URL.
  package static func endpoint(_ name: String) throws(AuthError) -> Endpoint {
    let text =
      switch name {
      case "production": production
      case "stage": stage
      default: isRegion(name) ? "https://api.\(name).ipification.com" : name
      }
    guard let endpoint = try? Endpoint(text), endpoint.url.scheme == .https else {
      throw .invalid("host", expected)
    }
    return endpoint
  }

  private static func isRegion(_ name: String) -> Bool {
    name.utf8.count == 2 && name.utf8.allSatisfy { (0x61...0x7a).contains($0) }
  }
}
