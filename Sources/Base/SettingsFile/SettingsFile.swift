import FoundationEssentials
import Glibc

/// Reads configuration files: one JSON object, every key optional, no other key allowed.
package enum SettingsFile {
  /// Longer files are refused.
  package static let limit = 262_144

  /// Reads and decodes a file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - keys: the allowed keys.
  ///   - use: makes settings from the document; its errors also name the file.
  /// - Throws: `SettingsError`, which names the file and says what to do.
  package static func read<Document: Decodable, Settings>(
    _ path: String, keys: SettingsKeys, _ use: (Document) throws(SettingsError) -> Settings
  ) throws(SettingsError) -> Settings {
    do throws(SettingsError) {
      return try use(try decode(try contents(of: path), keys: keys))
    } catch {
      throw SettingsError(
        error.code, "\(path): \(error.message); correct it, then start or reload the service", cause: error.cause)
    }
  }

  /// Decodes the text of a file.
  ///
  /// - Throws: `SettingsError` for text that is not a JSON object, an unknown key or a value of
  ///   another type.
  package static func decode<Document: Decodable>(
    _ json: [UInt8], keys: SettingsKeys
  ) throws(SettingsError) -> Document {
    let data = Data(json)
    guard let tree = try? JSONDecoder().decode(SettingsValue.self, from: data), case .object = tree else {
      throw SettingsError(.notJSON, "it is no JSON object")
    }
    if let unknown = keys.firstUnknown(in: tree) {
      throw SettingsError(
        .unknownKey, "there is no key \(unknown); the keys are \(keys.paths.joined(separator: ", "))")
    }
    do {
      return try JSONDecoder().decode(Document.self, from: data)
    } catch DecodingError.typeMismatch(let type, let context) {
      throw SettingsError(.wrongType, "\(path(context)) is not \(word(for: type))")
    } catch DecodingError.valueNotFound(let type, let context) {
      throw SettingsError(.wrongType, "\(path(context)) is not \(word(for: type))")
    } catch DecodingError.dataCorrupted(let context) {
      throw SettingsError(.wrongValue, "\(path(context)) is not a value that can be used here")
    } catch {
      throw SettingsError(.notJSON, "it cannot be understood", cause: "\(error)")
    }
  }

  private static func path(_ context: DecodingError.Context) -> String {
    let path = context.codingPath.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }
    return path.isEmpty ? "the document" : path.joined(separator: ".")
  }

  private static func word(for type: any Any.Type) -> String {
    switch type {
    case is String.Type: "text"
    case is Bool.Type: "true or false"
    case is any FixedWidthInteger.Type: "a whole number"
    case is any BinaryFloatingPoint.Type: "a number"
    case is any Collection.Type where "\(type)".hasPrefix("Array"): "a list"
    default: "an object"
    }
  }

  private static func contents(of path: String) throws(SettingsError) -> [UInt8] {
    guard let file = fopen(path, "re") else {
      throw SettingsError(.unreadable, "it cannot be read", cause: String(cString: strerror(errno)))
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    let count = fread(&bytes, 1, bytes.count, file)
    guard ferror(file) == 0 else {
      throw SettingsError(.unreadable, "it cannot be read", cause: String(cString: strerror(errno)))
    }
    guard count <= limit else { throw SettingsError(.unreadable, "it is longer than \(limit) bytes") }
    return Array(bytes[..<count])
  }
}
