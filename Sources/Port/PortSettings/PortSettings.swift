import ModemModel
import SettingsFile

/// The hardware side's configuration file: settings for every modem, and different ones for some.
///
///     { "sharing": "auto",
///       "sim": { "numbers": ["+447700900123"], "homeCountry": "44", "slot": 1 },
///       "bearer": { "session": 1, "reconnect": true, "resume": "restart",
///                   "probe": true, "guard": "auto" },
///       "modems": { "/dev/cdc-wdm1": { "sharing": "follow" },
///                   "cdc-wdm2": { "sim": { "slot": 2 } } } }
package struct PortSettings: Hashable, Sendable {
  private var common = PortDocument.Section()
  private var modems: [String: PortDocument.Section] = [:]

  /// Makes the settings of a machine without a configuration file.
  package init() {}

  /// Reads a configuration file.
  ///
  /// - Throws: `SettingsError`, which names the file, the key and what was expected.
  package init(path: String) throws(SettingsError) {
    self = try SettingsFile.read(path, keys: PortDocument.keys) { (document: PortDocument) throws(SettingsError) in
      try PortSettings(document)
    }
  }

  /// Reads the text of a configuration file.
  ///
  /// - Throws: `SettingsError`.
  package init(json: [UInt8]) throws(SettingsError) {
    self = try PortSettings(try SettingsFile.decode(json, keys: PortDocument.keys) as PortDocument)
  }

  private init(_ document: PortDocument) throws(SettingsError) {
    common = document.common
    modems = document.modems ?? [:]
    // Every section is tried now, so that a mistake shows at the start and not when a modem
    // appears.
    var settings = ModemSettings()
    try common.apply(to: &settings, at: "")
    for (name, section) in modems.sorted(by: { $0.key < $1.key }) {
      var settings = settings
      try section.apply(to: &settings, at: "modems.\(name).")
    }
  }

  /// The settings of one modem: the common ones, overridden by its own.
  ///
  /// - Parameter names: all names of the modem, the weakest first, such as the path and name of its
  ///   control port.
  package func settings(for names: [String]) -> ModemSettings {
    var settings = ModemSettings()
    for section in [common] + names.compactMap({ modems[$0] }) {
      // Checked when the file was read.
      try? section.apply(to: &settings, at: "")
    }
    return settings
  }
}
