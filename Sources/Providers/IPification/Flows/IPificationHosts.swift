import AuthCore
import RedirectChain

/// Where IPification is served unless the configuration says otherwise: the only place in which its host names stand.
public enum IPificationHosts {
  public static let production = "https://api.ipification.com"
  public static let stage = "https://api.stage.ipification.com"

  /// What a host may be in a configuration.
  public static let expected = "production, stage, a region by two letters, or an https URL"

  /// Domains, with the names below them, that its redirects reach in clear: operators that add a header there.
  public static let cleartextDomains: Set<String> = [
    "adldigitalservice.com", "airtel.in", "celcomdigi.com", "enstreamidentity.com", "ideabiz.lk", "ipification.com",
    "jio.com", "jiolabs.com", "openxpand.com", "smartdigits.io", "smartfren.com", "vodafone.com", "xl.co.id",
  ]

  /// What the configuration may name in place of a host: `production`, `stage`, or a region by two letters, as in `id`.
  ///
  /// - Throws: `AuthError` for anything that is neither such a name nor an https URL.
  public static func endpoint(_ name: String) throws(AuthError) -> Endpoint {
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
