/// Decides which hosts belong together: those under one registered name.
package enum Site {
  /// Second levels of country domains under which unrelated parties register names, as in co.uk.
  private static let sharedSecondLevels: Set<String> = [
    "ac", "co", "com", "edu", "go", "gob", "gov", "gub", "ltd", "mil", "ne", "net", "nom", "or", "org", "plc", "sch",
  ]
  /// Other second levels that operators' countries use. Elsewhere they are ordinary registered
  /// names.
  private static let sharedNames: Set<String> = [
    "biz.id", "desa.id", "my.id", "ponpes.id", "web.id", "firm.in", "gen.in", "ind.in", "res.in", "me.uk", "nhs.uk",
    "police.uk", "nic.in", "name.my", "tur.ar", "int.ar", "musica.ar", "assn.lk", "grp.lk", "hotel.lk", "soc.lk",
    "web.lk", "web.za", "law.za", "school.za", "web.ve", "info.ve",
  ]

  /// Whether unrelated parties register names under a domain: a top level, or a usual second level
  /// of a country. The full public suffix list would be too large for a jar that only lives as long
  /// as one chain.
  package static func isPublicSuffix(_ domain: String) -> Bool {
    let labels = domain.split(separator: ".")
    guard labels.count == 2 else { return labels.count < 2 }
    return labels[1].utf8.count == 2 && sharedSecondLevels.contains(String(labels[0])) || sharedNames.contains(domain)
  }

  /// Whether two hosts, in lower case, are under the same registered name. An address only matches
  /// itself.
  package static func isOne(_ first: WebURL, _ second: WebURL) -> Bool {
    if first.host == second.host { return true }
    guard first.address == nil, second.address == nil else { return false }
    guard !isRented(first.host), !isRented(second.host) else { return false }
    return registeredName(first.host) == registeredName(second.host)
  }

  /// Domains under which a hosting provider gives names to paying customers. Neighbours there are
  /// unrelated.
  package static let rented: Set<String> = [
    "amazonaws.com", "appspot.com", "azure-api.net", "azureedge.net", "azurefd.net", "azurewebsites.net",
    "blogspot.com", "cloudapp.net", "cloudfront.net", "elasticbeanstalk.com", "firebaseapp.com", "fly.dev", "github.io",
    "gitlab.io", "herokuapp.com", "netlify.app", "ngrok.io", "ngrok-free.app", "on.aws", "ondigitalocean.app",
    "onrender.com", "pages.dev", "run.app", "trafficmanager.net", "vercel.app", "web.app", "windows.net", "workers.dev",
  ]

  /// Whether a name is a domain under which customers rent names, or is below one.
  package static func isRented(_ host: String) -> Bool {
    rented.contains(host.split(separator: ".").suffix(2).joined(separator: "."))
  }

  private static func registeredName(_ host: String) -> String {
    let labels = host.split(separator: ".")
    let pair = labels.suffix(2).joined(separator: ".")
    return isPublicSuffix(pair) ? labels.suffix(3).joined(separator: ".") : pair
  }
}

extension WebURL {
  /// Whether two URLs' hosts are under one registered name, as far as that is known without the
  /// full public suffix list. Rented names and addresses each stand alone.
  public func isOnSite(of other: WebURL) -> Bool { Site.isOne(self, other) }

  /// Whether unrelated parties register or rent names under a domain, so that the domain does not
  /// identify them.
  public static func isSharedDomain(_ domain: String) -> Bool {
    Site.isPublicSuffix(domain) || Site.rented.contains(domain)
  }
}

extension WebURL {
  /// Top levels that are never public (RFC 6761, RFC 6762, RFC 8375, and those that routers use).
  private static let localNames: Set<String> = [
    "localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "corp", "private", "onion", "arpa",
  ]

  /// Whether the host has the form of a public DNS name: at least two labels, and not a local
  /// network's name.
  public var hasPublicName: Bool {
    let labels = host.split(separator: ".")
    guard address == nil, labels.count > 1, let last = labels.last else { return false }
    return !Self.localNames.contains(String(last))
  }
}
