import AuthFlows
import ProviderSettings
import SettingsFile
import SystemdSupport

/// What `modemd --check` says: a line for each file.
struct FileCheck {
  let lines: [String]
  /// Whether the service would start, with every provider.
  let isGood: Bool

  /// - Parameters:
  ///   - configuration: the configuration file; nil for none.
  ///   - folder: the folder of the providers' files.
  ///   - credentials: those of the service; nil if there are none at hand.
  init(configuration: String?, folder: String, credentials: CredentialsDirectory?) {
    var lines: [String] = []
    var isGood = true
    if let configuration {
      do {
        _ = try Settings.read(configuration, credentials: credentials)
        lines.append("\(configuration): good")
      } catch {
        lines.append("\(error)")
        isGood = false
      }
    }
    do throws(SettingsError) {
      let found = try ProviderFolder.read(folder, kinds: KnownProviders.documents, credentials: credentials)
      lines += Self.lines(of: found, in: folder)
      isGood = isGood && found.faults.isEmpty
      if !found.faults.isEmpty, credentials == nil {
        lines.append("no credentials are at hand: run this as root while modemd runs, or set CREDENTIALS_DIRECTORY")
      }
    } catch {
      lines.append("\(error)")
      isGood = false
    }
    self.lines = lines.isEmpty ? ["\(folder): there are no providers' files"] : lines
    self.isGood = isGood
  }

  private static func lines(of found: ProviderSet, in folder: String) -> [String] {
    let good = found.descriptions().map { provider in
      let networks = provider.networks.map { "for \($0.joined(separator: ", "))" } ?? "for all networks"
      return (provider.name, "\(folder)/\(provider.name).json: good: \(provider.kind), \(networks)")
    }
    return (good + found.faults.map { ($0.name, "\($0)") }).sorted { $0.0 < $1.0 }.map(\.1)
  }
}
