import ModemModel
import SettingsFile

/// The configuration file's own form.
struct PortDocument: Decodable {
  /// Settings that exist for all modems and for a single one.
  struct Section: Decodable, Hashable, Sendable {
    struct SIM: Decodable, Hashable {
      /// The subscription's numbers in E.164, for a SIM that does not hold them.
      ///
      /// - Default: `[]`
      /// - Example: `["+447700900123"]`
      var numbers: [String]?
      /// The calling code for national numbers on the SIM, 1 to 3 digits without +.
      ///
      /// - Default: that of the home network
      /// - Example: `"44"`
      var homeCountry: String?
      /// The physical slot to use, 1 to 8.
      ///
      /// - Default: the active one
      /// - Example: `1`
      var slot: Int?
      /// How often the SIM may be asked to log in at its operator (ts43) within 24 hours, 0 to
      /// 1000.
      ///
      /// - Default: `100`
      /// - Example: `0`
      var authenticationsPerDay: Int?
    }
    struct Bearer: Decodable, Hashable {
      /// The MBIM session or QMAP mux id of modemd's own bearer, 1 to 254. It applies when the port
      /// is restarted.
      ///
      /// - Default: what sharing and the driver require
      /// - Example: `1`
      var session: Int?
      /// Whether a bearer that was requested with `modemctl connect` is brought up again when it is
      /// lost.
      ///
      /// - Default: `true`
      /// - Example: `false`
      var reconnect: Bool?
      /// When a starting port brings such a bearer up again: restart (until the machine reboots),
      /// boot (after a reboot too) or off.
      ///
      /// - Default: `"restart"`
      /// - Example: `"boot"`
      var resume: String?
      /// Whether modemd asks a new bearer's DNS servers if it carries traffic.
      ///
      /// - Default: `true`
      /// - Example: `false`
      var probe: Bool?
      /// What guards the bearer: auto, vrf, nftables or off. It applies when the port is restarted.
      ///
      /// - Default: `"auto"`, the best that the kernel has
      /// - Example: `"nftables"`
      var `guard`: String?
    }
    /// How the modem is shared with ModemManager: own, share, follow or auto. It applies when the
    /// port is restarted.
    ///
    /// - Default: `"auto"`, what the running programs allow
    /// - Example: `"share"`
    var sharing: String?
    var sim: SIM?
    var bearer: Bearer?
  }

  var common: Section
  var modems: [String: Section]?

  static let keys = SettingsKeys(of: Self.self)

  private enum CodingKeys: String, CodingKey { case modems }

  init(from decoder: any Decoder) throws {
    common = try Section(from: decoder)
    modems = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent([String: Section].self, forKey: .modems)
  }
}

extension PortDocument.Section {
  /// Applies the section to `settings`; `place` is its path in errors.
  func apply(to settings: inout ModemSettings, at place: String) throws(SettingsError) {
    if let word = sharing {
      guard let value = ModemSettings.Sharing(rawValue: word) else {
        let words = ModemSettings.Sharing.allCases.map(\.rawValue).joined(separator: ", ")
        throw SettingsError(key: "\(place)sharing", expected: "one of \(words)")
      }
      settings.sharing = value
    }
    if let sim { try apply(sim, to: &settings, at: "\(place)sim.") }
    if let bearer { try apply(bearer, to: &settings, at: "\(place)bearer.") }
  }

  private func apply(_ sim: SIM, to settings: inout ModemSettings, at place: String) throws(SettingsError) {
    if let numbers = sim.numbers {
      guard numbers.allSatisfy(Self.isInternational) else {
        throw SettingsError(key: "\(place)numbers", expected: "a list of E.164 numbers: + and 7 to 15 digits each")
      }
      settings.numbers = numbers
    }
    if let country = sim.homeCountry {
      guard (1...3).contains(country.utf8.count), Self.areDigits(country.utf8), country.utf8.first != 0x30 else {
        throw SettingsError(key: "\(place)homeCountry", expected: "a calling code: 1 to 3 digits without +, as \"44\"")
      }
      settings.homeCountry = country
    }
    if let slot = sim.slot {
      guard (1...8).contains(slot) else { throw SettingsError(key: "\(place)slot", expected: "1 to 8") }
      settings.slot = slot
    }
    if let count = sim.authenticationsPerDay {
      guard (0...1000).contains(count) else {
        throw SettingsError(key: "\(place)authenticationsPerDay", expected: "0 to 1000")
      }
      settings.authenticationsPerDay = count
    }
  }

  private func apply(_ bearer: Bearer, to settings: inout ModemSettings, at place: String) throws(SettingsError) {
    if let session = bearer.session {
      guard (1...254).contains(session) else { throw SettingsError(key: "\(place)session", expected: "1 to 254") }
      settings.session = session
    }
    settings.reconnects = bearer.reconnect ?? settings.reconnects
    if let word = bearer.resume {
      guard let value = ModemSettings.Resume(rawValue: word) else {
        let words = ModemSettings.Resume.allCases.map(\.rawValue).joined(separator: ", ")
        throw SettingsError(key: "\(place)resume", expected: "one of \(words)")
      }
      settings.resumes = value
    }
    settings.probes = bearer.probe ?? settings.probes
    if let word = bearer.guard {
      guard let value = ModemSettings.Guard(rawValue: word) else {
        let words = ModemSettings.Guard.allCases.map(\.rawValue).joined(separator: ", ")
        throw SettingsError(key: "\(place)guard", expected: "one of \(words)")
      }
      settings.guardian = value
    }
  }

  private static func isInternational(_ number: String) -> Bool {
    let digits = number.utf8.dropFirst()
    return number.utf8.first == 0x2b && (7...15).contains(digits.count) && areDigits(digits) && digits.first != 0x30
  }

  private static func areDigits(_ text: some Sequence<UInt8>) -> Bool { text.allSatisfy { (0x30...0x39).contains($0) } }
}
