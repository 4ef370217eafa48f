import JSONTree
import Testing
import VectorSupport

/// The messages of one section of TS.43's vectors.
struct AuthenticationVectors {
  private let section: JSONValue

  /// A test that needs a section is skipped without it.
  static func has(_ section: String) -> Bool { TS43Vectors.has(section) }

  init(_ section: String) throws { self.section = try #require(TS43Vectors.section(section)) }

  /// The bytes under a name, or under names of objects that lead to it.
  func callAsFunction(_ path: String...) throws -> [UInt8] {
    let place = path.dropLast().reduce(Optional(section)) { value, name in value?[name] }
    return try #require(place?.bytes(path.last ?? ""), "\(path)")
  }
}
