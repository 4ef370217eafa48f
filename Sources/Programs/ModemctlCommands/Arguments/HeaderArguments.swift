import ModemctlCore

/// Headers as they are given on the command line.
enum HeaderArguments {
  static func read(_ arguments: [String]) throws -> [String: String] {
    var headers: [String: String] = [:]
    for argument in arguments {
      for line in argument.hasPrefix("@") ? try lines(of: String(argument.dropFirst())) : [argument] {
        let (name, value) = try field(line)
        headers[name] = value
      }
    }
    return headers
  }

  /// Name and value; errors never repeat the value.
  private static func field(_ line: String) throws -> (String, String) {
    guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else {
      throw ModemctlError(.usage, "a header is written 'Name: value'; one that was given has no name or no colon")
    }
    let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
    return (String(line[..<colon]), String(value))
  }

  private static func lines(of path: String) throws -> [String] {
    String(decoding: try ArgumentFile.read(path, for: "the header file"), as: UTF8.self).split(
      whereSeparator: \.isNewline
    )
    .map(String.init)
  }
}
