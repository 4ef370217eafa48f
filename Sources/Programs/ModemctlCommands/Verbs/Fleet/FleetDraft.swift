import JSONTree
import ModemctlCore

/// modemd-fleet's settings before they are written. modemd-fleet itself says whether they are good.
struct FleetDraft {
  let host: String
  let port: Int?
  let machine: String
  var requesters: [String: [String]] = [:]
  var openHosts: [String] = []
  var numbers: String?
  var fleetSize: Int?
  /// Whether the folder has the fleet's key, as `fleet.key`.
  var hasFleetKey = false

  /// The files, as they are named in the folder.
  static let fileNames = ["authorities": "authorities.pem", "certificate": "certificate.pem", "key": "key.pem"]
  static let fleetKeyName = "fleet.key"

  /// - Parameter place: the broker, as in `broker.example`, `broker.example:8883` or `[::1]:8883`.
  /// - Throws: `ModemctlError` for another form.
  init(broker place: String, machine: String) throws {
    let wrong = ModemctlError(.usage, "the broker has the form HOST or HOST:PORT, and an IPv6 address is in brackets")
    self.machine = machine
    let name: Substring
    let rest: Substring
    if place.hasPrefix("["), let end = place.firstIndex(of: "]") {
      name = place[place.index(after: place.startIndex)..<end]
      rest = place[place.index(after: end)...]
    } else {
      let colon = place.firstIndex(of: ":") ?? place.endIndex
      (name, rest) = (place[..<colon], place[colon...])
    }
    guard !name.isEmpty, rest.isEmpty || rest.first == ":" else { throw wrong }
    host = String(name)
    if rest.isEmpty {
      port = nil
    } else {
      guard let number = UInt16(rest.dropFirst()), number > 0 else { throw wrong }
      port = Int(number)
    }
  }

  /// - Parameter words: each as in `desk=modem.list,bearer.get`.
  /// - Throws: `ModemctlError` for another form.
  mutating func allow(_ words: [String]) throws {
    for word in words {
      let (name, commands) = try SecretOptions.parts(word, "--allow REQUESTER=COMMAND,COMMAND…")
      let list = (ArgumentWords.list(commands) ?? []).filter { !$0.isEmpty }
      guard !list.isEmpty else { throw ModemctlError(.usage, "expected --allow REQUESTER=COMMAND,COMMAND…") }
      requesters[name, default: []] += list
    }
  }

  /// The file.
  ///
  /// - Parameter folder: where its certificates and the key are.
  func text(files folder: String) -> String {
    var members: [String: JSONValue] = ["machine": .string(machine)]
    members["broker"] = .members(["host": .string(host), "port": port.map { .int($0) }])
    for (key, file) in Self.fileNames { members[key] = .string("\(folder)/\(file)") }
    if hasFleetKey { members["fleetKey"] = .string("\(folder)/\(Self.fleetKeyName)") }
    members["numbers"] = numbers.map { .string($0) }
    members["fleetSize"] = fleetSize.map { .int($0) }
    var commands: [String: JSONValue] = [:]
    if !requesters.isEmpty {
      commands["requesters"] = .object(requesters.mapValues { list in .array(list.map { .string($0) }) })
    }
    if !openHosts.isEmpty { commands["open"] = .object(["hosts": .array(openHosts.map { .string($0) })]) }
    if !commands.isEmpty { members["commands"] = .object(commands) }
    return JSONText.document(JSONValue.object(members), nils: .leftOut)
  }
}
