import FoundationEssentials
import Glibc
import ModemAPI
import ModemModel
import PortAPI
import RedirectChain
import Testing
import Varlink
import VarlinkWire

@Suite("The wire types")
struct GeneratedTypesTests {
  /// A folder of interfaces, and the module whose types they share; nil for their own.
  private struct Folder {
    /// Below Sources.
    let path: String
    let home: (path: String, module: String)?

    init(_ path: String) {
      self.path = path
      home =
        path.hasPrefix("Providers/")
        ? ("API/ModemAPI", "ModemAPI") : path == "API/PortAPI" ? ("API/DeviceAPI", "DeviceAPI") : nil
    }

    func homes() throws -> [TypeHome] {
      let place = home?.path ?? path
      let list = "\(place)/Interfaces/homes"
      // An interface alone in its folder shares no type.
      guard FileManager.default.fileExists(atPath: "\(GeneratedTypesTests.top)/Sources/\(list)") else { return [] }
      return try TypeHome.names(in: try GeneratedTypesTests.read(list)).map { name in
        TypeHome(
          try InterfaceParser.parse(try GeneratedTypesTests.read("\(place)/Interfaces/\(name).varlink")),
          module: home?.module)
      }
    }
  }

  private static let top = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  /// The interfaces of all folders, with their folders.
  private static let folders: [String: Folder] = {
    var found = glob_t()
    defer { globfree(&found) }
    glob("\(top)/Sources/*/*/Interfaces/*.varlink", 0, nil, &found)
    glob("\(top)/Sources/Providers/*/API/Interfaces/*.varlink", GLOB_APPEND, nil, &found)
    var folders: [String: Folder] = [:]
    for index in 0..<Int(found.gl_pathc) {
      guard let path = found.gl_pathv[index].map({ String(cString: $0) }) else { continue }
      let parts = path.dropFirst("\(top)/Sources/".count).split(separator: "/")
      folders[String(parts[parts.count - 1].dropLast(".varlink".count))] =
        Folder(parts.dropLast(2).joined(separator: "/"))
    }
    return folders
  }()
  static let names: [String] = folders.keys.sorted()

  private static func read(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: "\(top)/Sources/\(path)")), as: UTF8.self)
  }

  private static func folder(of name: String) throws -> Folder {
    try #require(folders[name])
  }

  private static func text(of name: String) throws -> String {
    try read("\(try folder(of: name).path)/Interfaces/\(name).varlink")
  }

  @Test("The interfaces of the device, the port and the providers are found")
  func whole() {
    for name in ["Modem", "Port", "Verify", "TruID", "SIMSwap"] { #expect(Self.names.contains("org.modemd.\(name)")) }
  }

  @Test("The committed types are those of the interface files: else `make generate`", arguments: names)
  func upToDate(name: String) throws {
    let folder = try Self.folder(of: name)
    let text = try Self.text(of: name)
    // Only this package uses the port's types.
    let generated = try SwiftGenerator.source(
      of: text, named: "\(name).varlink", homes: try folder.homes(),
      access: name == PortInterface.name ? .package : .public)
    let committed = try Self.read("\(folder.path)/Generated/\(name).swift")
    let difference = zip(generated.split(separator: "\n"), committed.split(separator: "\n")).first { $0 != $1 }
    #expect(generated == committed, "first difference: \(difference.map { "\($0)" } ?? "the length")")
  }

  @Test(
    "Every declaration and every field says what it is",
    arguments: [
      ModemInterface.name, BearerInterface.name, CheckInterface.name, MessagesInterface.name, PortInterface.name,
    ])
  func comments(name: String) throws {
    let interface = try InterfaceParser.parse(try Self.text(of: name))
    #expect(!interface.comment.isEmpty)
    for member in interface.members {
      let (comment, fields) = Self.parts(of: member)
      #expect(!comment.isEmpty, "\(member.name)")
      for field in fields { #expect(!field.comment.isEmpty, "\(member.name).\(field.name)") }
      if case .error = member { #expect(!fields.isEmpty, "\(member.name) has no field") }
    }
  }

  private static func parts(of member: InterfaceSyntax.Member) -> ([String], [InterfaceSyntax.Field]) {
    switch member {
    case .type(_, let comment, .struct(let fields)), .error(_, let comment, let fields): (comment, fields)
    case .type(_, let comment, _): (comment, [])
    case .method(_, let comment, let parameters, let reply): (comment, parameters + reply)
    }
  }

  @Test("Enums have the words of the model")
  func words() {
    expectSameWords(ModemInterface.SIM.State.self, SIMStatus.State.self)
    expectSameWords(PortInterface.SIM.State.self, SIMStatus.State.self)
    expectSameWords(ModemInterface.Slot.Card.self, SIMSlot.Card.self)
    expectSameWords(ModemInterface.Registration.State.self, Registration.State.self)
    expectSameWords(ModemInterface.Registration.Technology.self, Registration.Technology.self)
    expectSameWords(ModemInterface.PhoneNumber.Source.self, PhoneNumber.Source.self)
    expectSameWords(PortInterface.PhoneNumber.Source.self, PhoneNumber.Source.self)
    expectSameWords(ModemInterface.Modem.ProtocolKind.self, ModemProtocol.self, more: ["unknown"])
    expectSameWords(PortInterface.State.ProtocolKind.self, ModemProtocol.self, more: ["unknown"])
    expectSameWords(ModemInterface.Sharing.Way.self, SharingWay.self)
    expectSameWords(ModemInterface.Sharing.ManagerState.self, Sharing.ManagerState.self)
    expectSameWords(BearerInterface.Bearer.ApnSource.self, AccessPoint.Source.self)
    expectSameWords(PortInterface.Bearer.ApnSource.self, AccessPoint.Source.self)
    expectSameWords(CheckInterface.Failure.Cause.self, ChainFailure.Cause.self)
    #expect(BearerInterface.Bearer.State.known.map(\.rawValue) == PortInterface.Bearer.State.known.map(\.rawValue))
    expectSameParameters(BearerInterface.Connect.Parameters.IpType.self, BearerRequest.IPType.self)
    expectSameParameters(PortInterface.Connect.Parameters.IpType.self, BearerRequest.IPType.self)
    expectSameParameters(PortInterface.Connect.Parameters.Authentication.self, BearerRequest.Authentication.self)
    expectSameParameters(PortInterface.Connect.Parameters.ApnSource.self, AccessPoint.Source.self)
  }

  private func expectSameWords<Wire: OpenWord, Model: CaseIterable & RawRepresentable<String>>(
    _ wire: Wire.Type, _ model: Model.Type, more: Set<String> = []
  ) {
    #expect(Set(wire.known.map(\.rawValue)) == Set(model.allCases.map(\.rawValue)).union(more), "\(wire)")
  }

  private func expectSameParameters<Wire, Model>(_ wire: Wire.Type, _ model: Model.Type)
  where
    Wire: CaseIterable & RawRepresentable<String>, Model: CaseIterable & RawRepresentable<String>
  {
    #expect(Set(wire.allCases.map(\.rawValue)) == Set(model.allCases.map(\.rawValue)), "\(wire)")
  }

  /// Names that stand for another thing in another interface, and why.
  private static let differing: [String: String] = [
    "Address": "an IP address of a bearer, and a postal one of Mobile Connect",
    "Authorization": "Mobile Connect's has the operator's version and always a nonce",
    "Bearer": "org.modemd.Bearer's names its modem",
    "Hop": "a chain's with all that a trace has, and a flow's with what all flows have",
    "Outcome": "a chain's, and a flow's",
    "PhoneNumber": "the port leaves it to modemd to say what E.164 is",
    "SIM": "holds PhoneNumber",
    "Settings": "the port's have the interface's index",
    "Socket": "the port's is what the kernel lists, and Usage's says who has it",
    "Way": "how tru.ID is asked, and how an operator is found",
  ]

  @Test("A type that two interfaces declare under one name is the same in both, or there is a reason")
  func sharedNames() throws {
    let interfaces = try Self.names.map { try InterfaceParser.parse(try Self.text(of: $0)) }
    var unlike: Set<String> = []
    for (position, interface) in interfaces.enumerated() {
      for other in interfaces[(position + 1)...] {
        for case .type(let name, _, _) in interface.members where other.type(named: name) != nil {
          if !interface.declaresSameType(name, as: other) { unlike.insert(name) }
        }
      }
    }
    #expect(unlike == Set(Self.differing.keys))
  }

  @Test("Null may be given or left out when a value is read")
  func nulls() throws {
    let network = ModemInterface.Network(mcc: "001", mnc: "01")
    for text in [#"{"mcc":"001","mnc":"01"}"#, #"{"mcc":"001","mnc":"01","name":null}"#] {
      #expect(try JSONDecoder().decode(ModemInterface.Network.self, from: Data(text.utf8)) == network)
    }
  }
}
