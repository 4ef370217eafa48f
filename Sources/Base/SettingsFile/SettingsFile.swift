import FoundationEssentials
import Glibc
import JSONTree

/// Reads configuration files: one JSON object, every key optional, no other key allowed. Comments,
/// and a comma behind the last member, are allowed as in JSON5: the default files have every key as
/// a comment.
package enum SettingsFile {
  /// Where a file is.
  package enum Place: Hashable, Sendable {
    /// It must be there.
    case named(String)
    /// It may be missing.
    case usual(String)

    /// The path to read; nil if the file may be missing, and is.
    package var path: String? {
      switch self {
      case .named(let path): path
      case .usual(let path): access(path, F_OK) == 0 ? path : nil
      }
    }
  }

  /// Longer files are refused.
  package static let limit = 262_144

  /// Reads and decodes a file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - keys: the allowed keys.
  ///   - use: makes settings from the document; its errors also name the file.
  /// - Throws: `SettingsError`, which names the file with the line, and says what to do.
  package static func read<Document: Decodable, Settings>(
    _ path: String, keys: SettingsKeys, _ use: (Document) throws(SettingsError) -> Settings
  ) throws(SettingsError) -> Settings {
    do throws(SettingsError) {
      return try settings(contentsOf: path, keys: keys, use)
    } catch {
      let place = error.line.map { "\(path):\($0)" } ?? path
      throw SettingsError(
        error.code, "\(place): \(error.message); correct it, then start or reload the service", key: error.key,
        line: error.line, knownKeys: error.knownKeys, cause: error.cause)
    }
  }

  /// Reads and decodes a file, for callers that name the file themselves.
  ///
  /// - Throws: `SettingsError` with the line where one is known.
  package static func settings<Document: Decodable, Settings>(
    contentsOf path: String, keys: SettingsKeys, _ use: (Document) throws(SettingsError) -> Settings
  ) throws(SettingsError) -> Settings {
    try settings(in: try contents(of: path), keys: keys, use)
  }

  /// The same for a text.
  package static func settings<Document: Decodable, Settings>(
    in text: [UInt8], keys: SettingsKeys, _ use: (Document) throws(SettingsError) -> Settings
  ) throws(SettingsError) -> Settings {
    do throws(SettingsError) {
      guard text.count <= limit else { throw SettingsError(.unreadable, "it is longer than \(limit) bytes") }
      return try use(try decode(text, keys: keys))
    } catch {
      throw SettingsError(
        error.code, error.message, key: error.key, line: error.line ?? line(of: error, in: text),
        knownKeys: error.knownKeys, cause: error.cause)
    }
  }

  private static func line(of error: SettingsError, in text: [UInt8]) -> Int? {
    if let key = error.key { return KeyPlaces(text).line(of: key) }
    guard error.code == .notJSON else { return nil }
    do throws(JSONReader.Flaw) {
      _ = try JSONReader.read(text)
      return nil
    } catch {
      guard case .syntax(let offset) = error else { return nil }
      return KeyPlaces.line(of: offset, in: text)
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
    guard let tree = try? decoder.decode(SettingsValue.self, from: data), case .object = tree else {
      throw SettingsError(.notJSON, "it is no JSON object")
    }
    if let unknown = keys.firstUnknown(in: tree) { throw unknown.error(keys) }
    do {
      return try decoder.decode(Document.self, from: data)
    } catch DecodingError.typeMismatch(let type, let context) {
      throw SettingsError(.wrongType, "\(path(context)) is not \(word(for: type))", key: path(context))
    } catch DecodingError.valueNotFound(let type, let context) {
      throw SettingsError(.wrongType, "\(path(context)) is not \(word(for: type))", key: path(context))
    } catch DecodingError.dataCorrupted(let context) {
      throw SettingsError(
        .wrongValue, "\(path(context)) is not a value that can be used here", key: path(context))
    } catch {
      throw SettingsError(.notJSON, "it cannot be understood", cause: "\(error)")
    }
  }

  private static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    return decoder
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
