import Glibc
import JournalLog
import LocalUsers
import Logging
import NetworkAddress
import SettingsFile
import SystemdSupport
import TrafficLedger
import Web

extension Settings {
  /// Bytes of a budget. More would be none: it is a petabyte.
  private static let byteRange = 0...1_000_000_000_000_000

  mutating func apply(_ usage: SettingsDocument.Usage?) throws(SettingsError) {
    for (name, document) in (usage?.budgets ?? [:]).sorted(by: { $0.key < $1.key }) {
      let key = "usage.budgets.\(name)"
      try Self.check(name: name, key)
      budgets[name] = BudgetLimits(
        dayBytes: try Self.read(document.dayBytes, Self.byteRange, "\(key).dayBytes"),
        monthBytes: try Self.read(document.monthBytes, Self.byteRange, "\(key).monthBytes"),
        roamingDayBytes: try Self.read(document.roamingDayBytes, Self.byteRange, "\(key).roamingDayBytes"),
        connections: try Self.read(document.connections, 0...65_536, "\(key).connections"),
        dayConnections: try Self.read(document.dayConnections, 0...1_000_000_000, "\(key).dayConnections"))
    }
    for (name, document) in (usage?.destinations ?? [:]).sorted(by: { $0.key < $1.key }) {
      let key = "usage.destinations.\(name)"
      try Self.check(name: name, key)
      destinations[name] = try DestinationRule(document, key)
    }
  }

  private static func check(name: String, _ key: String) throws(SettingsError) {
    guard !name.isEmpty, name != "@" else {
      throw SettingsError(key: key, expected: "the name of a user, @ and the name of a group, or *")
    }
  }

  private static func read(
    _ value: Int?, _ range: ClosedRange<Int>, _ key: String
  ) throws(SettingsError) -> Int? {
    guard let value else { return nil }
    var field = value
    try read(value, range, key, into: &field)
    return field
  }

  /// What the ledger holds users to. Names of users and groups that there are not are told of, and
  /// hold nobody.
  func traffic(_ logger: Logger) -> TrafficPolicy {
    TrafficPolicy(
      budgets: Self.resolved(budgets, "usage.budgets", logger),
      destinations: Self.resolved(destinations, "usage.destinations", logger),
      allowedAddresses: reach.allowedAddresses)
  }

  private static func resolved<Value>(_ named: [String: Value], _ key: String, _ logger: Logger) -> ByCaller<Value> {
    var result = ByCaller<Value>()
    for (name, value) in named {
      let entry = ByCaller<Value>.Entry(key: "\(key).\(name)", value: value)
      if name == "*" {
        result.general = entry
      } else if name.hasPrefix("@") {
        let group = String(name.dropFirst())
        if let id = getgrnam(group)?.pointee.gr_gid ?? UInt32(group) {
          result.groups[id] = entry
        } else {
          logger.notice("there is no group \(group), so \(entry.key) holds nobody")
        }
      } else if let id = getpwnam(name)?.pointee.pw_uid ?? UInt32(name) {
        result.users[id] = entry
      } else {
        logger.notice("there is no user \(name), so \(entry.key) holds nobody")
      }
    }
    return result
  }
}

extension DestinationRule {
  fileprivate init(_ document: SettingsDocument.Destination, _ key: String) throws(SettingsError) {
    self.init(allowsSockets: document.allowsSockets ?? false)
    if let names = document.domains {
      let canonical = names.map { Self.canonical($0) }
      guard canonical.allSatisfy({ IPAddress($0) == nil && (try? WebURL("http://\($0)/"))?.host == $0 }) else {
        throw SettingsError(
          key: "\(key).domains", expected: "names of domains, in ASCII, without scheme, port or dot before")
      }
      domains = Set(canonical)
    }
    if let texts = document.ports {
      var ranges: [ClosedRange<Int>] = []
      for text in texts {
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard let first = ends.first, let last = ends.last, first >= 1, first <= last, last <= 65_535 else {
          throw SettingsError(key: "\(key).ports", expected: "ports as text, as in \"443\" or \"8000-8099\"")
        }
        ranges.append(first...last)
      }
      ports = ranges
    }
    if let texts = document.addresses {
      var kinds: [Addresses] = []
      for text in texts {
        guard let kind = Addresses(text) else {
          throw SettingsError(
            key: "\(key).addresses", expected: "public, private, IP addresses or prefixes as in 10.20.0.0/16")
        }
        kinds.append(kind)
      }
      addresses = kinds
    }
  }
}

extension TrafficLedger.Means {
  /// Those of this program.
  init(_ means: ProviderMeans) {
    self.init(folder: "\(means.stateFolder)/usage")
    groups = { UserGroups.of($0) }
    tell = { [logger = means.logger] in logger.notice("\($0)") }
    tellOfBudget = { [logger = means.logger] text, isSpent in
      isSpent ? logger.event(.budgetExceeded, level: .warning, "\(text)") : logger.notice("\(text)")
    }
  }
}
