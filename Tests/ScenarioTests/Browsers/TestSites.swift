import FoundationEssentials
import Glibc
import JSONTree
import Testing

@testable import ScenarioRunner

/// Websites in a world, made of files, and the machine's own files that let browsers trust them.
struct TestSites: Sendable {
  /// Members of a scenario's `providers`: hosts on the Internet whose pages are files of the test.
  static func providers(_ hosts: [String]) -> String {
    hosts.enumerated().map { index, host in
      """
      { "kind": "program", "socket": "sites-socket", "hosts": { "server": { "name": "\(host)", \
      "addresses": ["203.0.113.\(200 + index)"] } } }
      """
    }.joined(separator: ", ")
  }

  let world: World
  let folder: String
  /// Lies over the machine's own files for browsers (`WorldBrowser.with`).
  let system: String

  /// Starts the websites' server in a world that has their hosts, once for each world.
  static func start(in world: World) async throws -> TestSites {
    let sites = TestSites(world: world, folder: world.folder.file("sites"), system: world.folder.file("system"))
    guard mkdir(sites.folder, 0o700) == 0 else { return sites }
    try sites.trust()
    let program = "\(Worlds.repository)/Tests/Browsers/site.py"
    let server = try await world.begin([WorldBrowser.python, program, sites.folder])
    #expect(try await world.eventually { server.output().contains("ready") || server.process.end != nil })
    #expect(server.process.end == nil, "\(server.error())")
    symlink("\(sites.folder)/socket", world.folder.file("sites-socket"))
    return sites
  }

  /// Policies are how an administrator gives browsers another authority: nothing is switched off.
  func trust() throws {
    let pem = try #require(Worlds.contents(of: world.folder.authority))
    let base64 = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
    try write(
      JSONValue.object(["CACertificates": .array([.string(base64)])]).text,
      to: "\(system)/etc/chromium/policies/managed/world.json")
    // Firefox has one file for all policies.
    let path = "\(system)/etc/firefox/policies/policies.json"
    var policies: [String: JSONValue] = [:]
    if let known = Worlds.contents(of: path),
      case .object(let members)? = JSONValue(parsing: Array(known.utf8))?["policies"]
    {
      policies = members
    }
    policies["Certificates"] = .object(["Install": .array([.string(world.folder.authority)])])
    try write(JSONValue.object(["policies": .object(policies)]).text, to: path)
  }

  /// Writes a file with the folders that lead to it.
  func write(_ text: String, to path: String) throws {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
      folder += "/\(part)"
      mkdir(folder, 0o755)
    }
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  /// Puts a page up.
  func put(_ text: String, at host: String, _ path: String) throws {
    try write(text, to: "\(folder)/\(host)\(path.hasSuffix("/") ? path + "index.html" : path)")
  }

  /// What the websites were asked so far.
  func requests() -> [JSONValue] {
    (Worlds.contents(of: "\(folder)/requests") ?? "").split(separator: "\n").compactMap {
      JSONValue(parsing: Array($0.utf8))
    }
  }
}
