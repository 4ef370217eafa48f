/// Where the keys of a JSON text stand, so that an error can name the line.
///
/// It reads any bytes, as far as they look like JSON.
struct KeyPlaces {
  /// Deeper keys have no place: settings have few levels.
  private static let depth = 16

  private var lines: [String: Int] = [:]

  init(_ text: [UInt8]) {
    var line = 1
    var levels: [Level] = []
    var position = 0
    while position < text.count {
      let byte = text[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\n"): line += 1
      case UInt8(ascii: "{"):
        levels.append(Level(path: levels.last?.place ?? "", isObject: true, isKnown: levels.count < Self.depth))
      case UInt8(ascii: "["):
        levels.append(Level(path: levels.last?.place ?? "", isObject: false, isKnown: false))
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = levels.popLast()
      case UInt8(ascii: ","):
        if !levels.isEmpty { levels[levels.count - 1].key = nil }
      case UInt8(ascii: "\""):
        let string = Self.string(in: text, from: &position)
        guard let level = levels.last, level.isObject, level.isKnown, level.key == nil else { continue }
        levels[levels.count - 1].key = string
        lines[levels[levels.count - 1].place] = line
      default: break
      }
    }
  }

  /// The line of a key, else of the nearest object around it that is there.
  ///
  /// - Parameter path: as in `bearer.session`.
  func line(of path: String) -> Int? {
    var path = path[...]
    while !path.isEmpty {
      if let line = lines[String(path)] { return line }
      path = path.prefix(upTo: path.lastIndex(of: ".") ?? path.startIndex)
    }
    return nil
  }

  /// The line of a byte.
  static func line(of offset: Int, in text: [UInt8]) -> Int {
    text.prefix(max(offset, 0)).count { $0 == UInt8(ascii: "\n") } + 1
  }

  /// The bytes of a string up to its closing quote, with escapes as they are written.
  private static func string(in text: [UInt8], from position: inout Int) -> String {
    let start = position
    while position < text.count, text[position] != UInt8(ascii: "\""), text[position] != UInt8(ascii: "\n") {
      position += text[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(position, text.count)
    defer {
      position = min(position + (position < text.count && text[position] == UInt8(ascii: "\"") ? 1 : 0), text.count)
    }
    return String(decoding: text[start..<position], as: UTF8.self)
  }

  private struct Level {
    let path: String
    let isObject: Bool
    let isKnown: Bool
    /// The key whose value follows.
    var key: String?

    var place: String {
      guard isObject, isKnown, let key else { return path }
      return path.isEmpty ? key : "\(path).\(key)"
    }
  }
}
