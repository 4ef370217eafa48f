/// Which hosts belong together: those under one registered name.
enum Site {
  /// Second levels of countries under which strangers register names, as in co.uk.
  private static let sharedSecondLevels: Set<String> = [
    "ac", "co", "com", "edu", "go", "gob", "gov", "gub", "ltd", "mil", "ne", "net", "nom", "or", "org", "plc", "sch",
  ]
  /// Others that operators' countries have; as second levels elsewhere they are somebody's own names.
  private static let sharedNames: Set<String> = [
    "biz.id", "desa.id", "my.id", "ponpes.id", "web.id", "firm.in", "gen.in", "ind.in", "res.in", "me.uk", "nhs.uk",
    "police.uk", "nic.in", "name.my", "tur.ar", "int.ar", "musica.ar", "assn.lk", "grp.lk", "hotel.lk", "soc.lk",
    "web.lk", "web.za", "law.za", "school.za", "web.ve", "info.ve",
  ]

  /// Whether a domain is one under which strangers register names: a top level, or a usual second one of a country.
  /// The whole public suffix list would not earn its size for a jar that lives as long as one chain.
  static func isPublicSuffix(_ domain: String) -> Bool {
    let labels = domain.split(separator: ".")
    guard labels.count == 2 else { return labels.count < 2 }
    return labels[1].utf8.count == 2 && sharedSecondLevels.contains(String(labels[0])) || sharedNames.contains(domain)
  }

  /// Whether two hosts, in lower case, are under the same registered name. Addresses are only themselves.
  static func isOne(_ first: WebURL, _ second: WebURL) -> Bool {
    if first.host == second.host { return true }
    guard first.address == nil, second.address == nil else { return false }
    return registeredName(first.host) == registeredName(second.host)
  }

  private static func registeredName(_ host: String) -> String {
    let labels = host.split(separator: ".")
    let pair = labels.suffix(2).joined(separator: ".")
    return isPublicSuffix(pair) ? labels.suffix(3).joined(separator: ".") : pair
  }
}
