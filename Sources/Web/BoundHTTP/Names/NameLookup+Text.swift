import RedirectChain

extension NameLookup.Failure {
  /// What happened to the name of a host, in one sentence without advice.
  ///
  /// - Parameter families: those that could have reached the host.
  func text(of host: String, families: [ChainHop.Family]) -> String {
    switch self {
    case .noServers: return "the bearer has no DNS server, so \(host) cannot be resolved; connect the bearer again"
    case .noSuchName: return "the bearer's DNS servers know no \(host)"
    case .noAddresses:
      let names = families.isEmpty ? "usable" : families.map(\.name).sorted().joined(separator: " or ")
      return "the bearer's DNS servers know no \(names) address of \(host)"
    case .refused(let code): return "the bearer's DNS servers answered \(code) for \(host)"
    case .noAnswer(let reason): return "the bearer's DNS servers gave no answer for \(host) (\(reason))"
    case .lost(let reason): return "the bearer was lost on the way to \(host): \(reason)"
    }
  }
}
