import FlowService
import Glibc
import ModemAPIServer
import Testing
import Varlink

@testable import modemd

/// What Docs/security.md says of each method, the defaults of access, and the interfaces
/// themselves: one and the same.
@Suite("The rights to methods") struct MethodRightsTests {
  private struct Row {
    let method: String
    let who: String
    let columns: [String]
  }

  private static let repository = String(#filePath).split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

  private static func contents(of path: String) throws -> String {
    let file = try #require(fopen(path, "re"), "\(path)")
    defer { fclose(file) }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { content += buffer[..<count] }
    return String(decoding: content, as: UTF8.self)
  }

  /// The full names of all methods of all interfaces, from their own descriptions.
  private static func methods() throws -> Set<String> {
    var found = glob_t()
    defer { globfree(&found) }
    try #require(glob("\(repository)/Sources/API/*/Interfaces/*.varlink", 0, nil, &found) == 0)
    let providers = "\(repository)/Sources/Providers/*/API/Interfaces/*.varlink"
    try #require(glob(providers, GLOB_APPEND, nil, &found) == 0)
    var names: Set<String> = []
    for index in 0..<Int(found.gl_pathc) {
      let text = try contents(of: String(cString: try #require(found.gl_pathv[index])))
      var interface = ""
      for line in text.split(separator: "\n") {
        if line.hasPrefix("interface ") { interface = String(line.dropFirst("interface ".count)) }
        if line.hasPrefix("method ") {
          names.insert("\(interface).\(line.dropFirst("method ".count).prefix { $0 != "(" })")
        }
      }
    }
    return names
  }

  /// The rows of Docs/security.md, and those of providers that have a page of their own.
  private static func rows() throws -> [Row] {
    let security = try contents(of: "\(repository)/Docs/security.md")
    var lines = Array(security.split(separator: "\n").drop { $0 != "## Methods" }.dropFirst())
    lines = Array(lines.prefix { !$0.hasPrefix("## ") })
    var pages = glob_t()
    defer { globfree(&pages) }
    glob("\(repository)/Docs/providers/*.md", 0, nil, &pages)
    for index in 0..<Int(pages.gl_pathc) {
      lines += try contents(of: String(cString: try #require(pages.gl_pathv[index]))).split(separator: "\n")
    }
    var rows: [Row] = []
    for line in lines where line.hasPrefix("| `org.modemd.") || line.hasPrefix("| `io.systemd.") {
      let cells = line.split(separator: "|").map { Self.trimmed($0) }.filter { !$0.isEmpty }
      rows.append(
        Row(method: String(cells[0].dropFirst().dropLast()), who: cells.count > 1 ? cells[1] : "", columns: cells))
    }
    return rows
  }

  private static func trimmed(_ cell: Substring) -> String {
    var cell = cell.drop { $0 == " " }
    while cell.last == " " { cell.removeLast() }
    return String(cell)
  }

  private static let words: [AccessDefault: String] = [
    .groups: "`access.groups`", .messageGroups: "`access.messageGroups`", .root: "root", .ownEntry: "root, own entry",
  ]

  @Test("Each method has one row that says what it can break, spend and tell, and each row has a method")
  func rowsOfMethods() throws {
    let (methods, rows) = (try Self.methods(), try Self.rows())
    #expect(methods.count > 60)
    #expect(rows.map(\.method).sorted() == methods.sorted())
    for row in rows { #expect(row.columns.count == 5 && row.columns.allSatisfy { !$0.isEmpty }, "\(row.method)") }
  }

  @Test("No interface but the port's takes a challenge of the SIM or a packet of EAP from a caller")
  func oracle() throws {
    let words = ["rand", "autn", "challenge", "packet", "eappacket", "res", "auts"]
    var found = glob_t()
    defer { globfree(&found) }
    try #require(glob("\(Self.repository)/Sources/API/*/Interfaces/*.varlink", 0, nil, &found) == 0)
    glob("\(Self.repository)/Sources/Providers/*/API/Interfaces/*.varlink", GLOB_APPEND, nil, &found)
    var port = 0
    for index in 0..<Int(found.gl_pathc) {
      let path = String(cString: try #require(found.gl_pathv[index]))
      for line in try Self.contents(of: path).split(separator: "\n") {
        let text = Self.trimmed(line).lowercased()
        let isAsked =
          (text.hasPrefix("method ") && (text.contains("eap") || text.contains("authenticate")))
          || words.contains { text.hasPrefix("\($0):") }
        guard isAsked else { continue }
        if path.hasSuffix("/org.modemd.Port.varlink") { port += 1 } else { Issue.record("\(path): \(line)") }
      }
    }
    // That the search finds what it looks for: two methods, and the packets in and out.
    #expect(port == 4)
  }

  @Test("What a row says of who may call is what the code holds to")
  func rights() throws {
    for row in try Self.rows() {
      if row.method.hasPrefix("org.modemd.Port.") {
        // What goes over the control channel is not the service's business.
        #expect(row.who == (row.method == "org.modemd.Port.Capture" ? "root" : "root, `modemd`"), "\(row.method)")
      } else if row.method.hasPrefix("org.modemd.Web.") {
        // Nor what goes to modemd-web.
        #expect(row.who == "root, `inspectors`", "\(row.method)")
      } else if row.method.hasPrefix("org.modemd.Fleet.") {
        // Nor what goes to modemd-fleet.
        #expect(row.who == "root, `modemd-fleet`", "\(row.method)")
      } else if row.method.hasPrefix("io.systemd.Metrics.") {
        // Nor what goes to the sockets of the figures.
        #expect(row.who == "root, `modemd-metrics`", "\(row.method)")
      } else {
        #expect(KnownProviders.defaults.all[row.method].flatMap { Self.words[$0] } == row.who, "\(row.method)")
      }
    }
  }

  @Test("Each method of modemd has a default that was decided on, and no default is of a method that is gone")
  func defaults() throws {
    let others = ["org.modemd.Port.", "org.modemd.Web.", "org.modemd.Fleet.", "io.systemd.Metrics."]
    let methods = try Self.methods().filter { method in !others.contains { method.hasPrefix($0) } }
    #expect(Set(KnownProviders.defaults.all.keys).symmetricDifference(methods) == [])
  }

  @Test("The policy lets a member of each kind of group in as the defaults say, and nobody else")
  func policy() throws {
    let policy = AccessPolicy(
      groupIDs: [985], messageGroupIDs: [986], ownUserID: 990, defaults: KnownProviders.defaults)
    let (member, reader) = (Self.peer(985), Self.peer(986))
    for (method, right) in KnownProviders.defaults.all {
      #expect(policy.allows(member, method) == (right == .groups), "\(method)")
      #expect(policy.allows(reader, method) == (right == .messageGroups), "\(method)")
      #expect(!policy.allows(Self.peer(1), method) && policy.allows(AccessTableTests.root, method), "\(method)")
    }
  }

  @Test("What may lock or spend a SIM is not given away with its interface", arguments: ["UnlockPIN", "SwitchSlot"])
  func ownEntry(method: String) {
    let name = "org.modemd.Modem.\(method)"
    let all = AccessPolicy(
      groupIDs: [985], table: ["org.modemd.Modem": [500]], ownUserID: 990, defaults: KnownProviders.defaults)
    #expect(!all.allows(Self.peer(500), name) && !all.allows(Self.peer(985), name))
    #expect(all.allows(Self.peer(500), "org.modemd.Modem.Get"))
    let named = AccessPolicy(groupIDs: [985], table: [name: [500]], ownUserID: 990, defaults: KnownProviders.defaults)
    #expect(named.allows(Self.peer(500), name) && !named.allows(Self.peer(985), name))
    #expect(named.allows(AccessTableTests.root, name) && named.allows(AccessTableTests.own, name))
  }

  @Test("A method that nobody decided on is root's and modemd's, whatever its interface")
  func undecided() {
    let policy = AccessPolicy(
      groupIDs: [985], table: ["org.modemd.Modem": [985]], ownUserID: 990, defaults: KnownProviders.defaults)
    #expect(!policy.allows(Self.peer(985), "org.modemd.Modem.New") && !policy.allows(Self.peer(985), "org.new.A.B"))
    #expect(policy.allows(AccessTableTests.root, "org.modemd.Modem.New"))
  }

  private static func peer(_ group: UInt32) -> Peer { Peer(processID: 1, userID: 1000, groupIDs: [1000, group]) }
}
