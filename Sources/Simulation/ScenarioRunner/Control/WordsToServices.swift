import Glibc

/// The words that the simulated services were given since the start, by name. A world passes them
/// to its servers through a file.
///
/// Names that the environment itself knows: `clock` is how many seconds the services' clock is
/// ahead, `sim-change:NUMBER` how many minutes before the start a SIM was changed, or `unknown`.
/// Other names are the providers' own.
struct WordsToServices: Sendable {
  private let path: String

  init(at path: String) { self.path = path }

  /// The value of a name; nil if it was not set, or was removed.
  subscript(_ name: String) -> String? { all[name] }

  private var all: [String: String] {
    var words: [String: String] = [:]
    for line in (WorldFolder.read(path) ?? "").split(separator: "\n") {
      let halves = line.split(separator: "\t", maxSplits: 1)
      if halves.count == 2 { words[String(halves[0])] = String(halves[1]) }
    }
    return words
  }

  /// Sets or removes a value.
  ///
  /// - Parameter value: nil or empty to remove it.
  /// - Throws: `WorldError`.
  func say(_ name: String, _ value: String?) throws {
    var words = all
    words[name] = value.flatMap { $0.isEmpty ? nil : $0 }
    let text = words.sorted { $0.key < $1.key }.map { "\($0.key)\t\($0.value)\n" }.joined()
    try WorldFolder.replace(path, with: text)
  }
}
