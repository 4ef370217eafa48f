import FoundationEssentials
import Glibc
import JSONTree
import ModemModel

/// The vectors of TS.43, EAP-AKA and Milenage: those of Tests/Vectors, or of the file that
/// `MODEMD_TS43_VECTORS` names. Such a file may lack any section.
package enum TS43Vectors {
  /// A section; nil if the file lacks it.
  package static func section(_ name: String) -> JSONValue? { all[name] }

  package static func has(_ name: String) -> Bool { section(name) != nil }

  /// The members of a section that is an object, or of an object in it, in the order of their
  /// names; none if the file lacks it.
  package static func members(_ path: String...) -> [Member] {
    let place = path.reduce(Optional(all)) { value, name in value?[name] }
    guard case .object(let members)? = place else { return [] }
    return members.sorted { $0.key < $1.key }.map { Member(name: $0.key, value: $0.value) }
  }

  /// The items of a section that is a list, or of a list in it; none if the file lacks it.
  package static func items(_ path: String...) -> [Member] {
    let place = path.reduce(Optional(all)) { value, name in value?[name] }
    return (place?.items ?? []).enumerated().map {
      Member(name: "\(path.last ?? "") \($0.offset + 1)", value: $0.element)
    }
  }

  /// What foreign servers and an independent client sent: Tests/Vectors/ts43-transcript.json.
  package static let transcript = read("\(folder)/ts43-transcript.json")

  /// A part of a file, with a name for the test that runs on it.
  package struct Member: Sendable, CustomStringConvertible {
    package let name: String
    package let value: JSONValue

    package init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }

    package var description: String { name }
  }

  private static let folder = "\(#filePath.dropLast("/VectorSupport/TS43Vectors.swift".utf8.count))/Vectors"

  private static let all = read(
    getenv("MODEMD_TS43_VECTORS").map { String(cString: $0) } ?? "\(folder)/ts43-vectors.json")

  private static func read(_ file: String) -> JSONValue {
    guard let data = try? Data(contentsOf: URL(filePath: file)) else { fatalError("\(file) cannot be read") }
    guard let value = JSONValue(parsing: Array(data)), case .object = value else {
      fatalError("\(file) is no JSON object")
    }
    return value
  }
}

extension JSONValue {
  /// A member of hexadecimal digits as bytes; nil if it is missing or none of such.
  package func bytes(_ name: String) -> [UInt8]? { self[name]?.string.flatMap { Hexadecimal.bytes(of: $0) } }
}
