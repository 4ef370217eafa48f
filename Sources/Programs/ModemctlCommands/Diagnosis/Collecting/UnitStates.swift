/// The output of `systemctl show`: a block of `Key=value` lines for each unit, with empty lines
/// between.
enum UnitStates {
  static let properties = [
    "Id", "LoadState", "ActiveState", "SubState", "Result", "NRestarts", "UnitFileState", "ExecMainCode",
    "ExecMainStatus",
    "ConditionResult", "NeedDaemonReload", "DropInPaths", "Environment", "StateChangeTimestamp",
  ]

  /// The units of an output; a block without a name is left out.
  static func parse(_ text: String) -> [(unit: Observations.Unit, fields: [String: String])] {
    var units: [(Observations.Unit, [String: String])] = []
    for block in text.split(separator: "\n\n") {
      var fields: [String: String] = [:]
      for line in block.split(separator: "\n") {
        guard let mark = line.firstIndex(of: "=") else { continue }
        fields[String(line[..<mark])] = String(line[line.index(after: mark)...])
      }
      guard let name = fields["Id"], !name.isEmpty else { continue }
      let unit = Observations.Unit(
        name: name, load: fields["LoadState"] ?? "", active: fields["ActiveState"] ?? "",
        sub: fields["SubState"] ?? "", result: fields["Result"] ?? "success",
        restarts: fields["NRestarts"].flatMap { Int($0) } ?? 0, needsReload: fields["NeedDaemonReload"] == "yes")
      units.append((unit, fields))
    }
    return units
  }

  /// The value of an option in a unit's environment, as in
  /// `MODEMD_OPTIONS=--configuration /etc/modemd/modemd.json`.
  static func option(_ name: String, in environment: String) -> [String] {
    let words = environment.split { " \"'".contains($0) || $0 == "=" }.map { String($0) }
    return zip(words, words.dropFirst()).compactMap { $0 == name && $1.hasPrefix("/") ? $1 : nil }
  }
}
