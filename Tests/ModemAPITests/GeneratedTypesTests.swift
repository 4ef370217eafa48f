import FoundationEssentials
import Glibc
import ModemAPI
import ModemModel
import RedirectChain
import Testing
import Varlink
import VarlinkWire

@Suite("The wire types")
struct GeneratedTypesTests {
  private static let interfaces: [any VarlinkInterface.Type] = [
    ModemInterface.self, BearerInterface.self, CheckInterface.self, PortInterface.self,
  ]
  static let names = interfaces.map { $0.name }

  private static func read(_ path: String) throws -> String {
    let top = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return String(decoding: try Data(contentsOf: URL(filePath: "\(top)/Sources/API/ModemAPI/\(path)")), as: UTF8.self)
  }

  @Test("The committed types are those of the interface files: else `make generate`", arguments: names)
  func upToDate(name: String) throws {
    let text = try Self.read("Interfaces/\(name).varlink")
    let generated = try SwiftGenerator.source(of: text, named: "\(name).varlink")
    let committed = try Self.read("Generated/\(name).swift")
    let difference = zip(generated.split(separator: "\n"), committed.split(separator: "\n")).first { $0 != $1 }
    #expect(generated == committed, "first difference: \(difference.map { "\($0)" } ?? "the length")")
    #expect(Self.interfaces.first { $0.name == name }?.text == text)
  }

  @Test("Every declaration and every field says what it is", arguments: names)
  func comments(name: String) throws {
    let interface = try InterfaceParser.parse(try Self.read("Interfaces/\(name).varlink"))
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
    expectSameWords(ModemInterface.Registration.State.self, Registration.State.self)
    expectSameWords(PortInterface.Registration.State.self, Registration.State.self)
    expectSameWords(ModemInterface.Registration.Technology.self, Registration.Technology.self)
    expectSameWords(PortInterface.Registration.Technology.self, Registration.Technology.self)
    expectSameWords(ModemInterface.PhoneNumber.Source.self, PhoneNumber.Source.self)
    expectSameWords(PortInterface.PhoneNumber.Source.self, PhoneNumber.Source.self)
    expectSameWords(ModemInterface.Modem.ProtocolKind.self, ModemProtocol.self)
    expectSameWords(PortInterface.State.ProtocolKind.self, ModemProtocol.self)
    expectSameWords(BearerInterface.Connect.Parameters.IpType.self, BearerRequest.IPType.self)
    expectSameWords(PortInterface.Connect.Parameters.IpType.self, BearerRequest.IPType.self)
    expectSameWords(PortInterface.Connect.Parameters.Authentication.self, BearerRequest.Authentication.self)
    expectSameWords(CheckInterface.Failure.Cause.self, ChainFailure.Cause.self)
    expectSameWords(BearerInterface.Bearer.State.self, PortInterface.Bearer.State.self)
  }

  private func expectSameWords<Wire, Model>(_ wire: Wire.Type, _ model: Model.Type)
  where
    Wire: CaseIterable & RawRepresentable<String>, Model: CaseIterable & RawRepresentable<String>
  {
    #expect(Set(wire.allCases.map(\.rawValue)) == Set(model.allCases.map(\.rawValue)), "\(wire)")
  }

  @Test("Null is left out when a value is encoded, and may be given or left out when one is read")
  func nulls() throws {
    let network = ModemInterface.Network(mcc: "001", mnc: "01")
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(network), as: UTF8.self) == #"{"mcc":"001","mnc":"01"}"#)
    for text in [#"{"mcc":"001","mnc":"01"}"#, #"{"mcc":"001","mnc":"01","name":null}"#] {
      #expect(try JSONDecoder().decode(ModemInterface.Network.self, from: Data(text.utf8)) == network)
    }
  }
}
