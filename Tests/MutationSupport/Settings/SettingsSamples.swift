import FoundationEssentials
import JSONTree

/// Documents of settings, with every key that may stand in them: the keys are those that the reader
/// itself names when it refuses one, so that a new key is covered without another line here.
package struct SettingsSamples: Sendable {
  /// A document that is read without a fault.
  package struct Sample: Sendable {
    package let name: String
    package let tree: JSONValue
    /// Names on the way to every value that may be there.
    package let keys: [[String]]
  }

  /// What reads a document.
  ///
  /// - Returns: nil where it was read, else the error's text.
  package typealias Reader = @Sendable (_ text: [UInt8]) -> String?

  package let samples: [Sample]

  /// - Parameter documents: names and texts.
  package init(_ documents: [(name: String, text: String)], _ reader: Reader) {
    samples = documents.compactMap { name, text in
      guard let tree = JSONValue(parsing: Array(text.utf8)) else { return nil }
      var odd = tree
      odd.set(.null, at: ["no such key"])
      let keys = Self.keys(in: reader(Array(odd.text.utf8)) ?? "")
      return Sample(name: name, tree: tree, keys: Self.own(tree) + keys.filter { !$0.contains("NAME") })
    }
  }

  /// Those of a sentence like `there is no key x; the keys are a, b.c`.
  private static func keys(in sentence: String) -> [[String]] {
    guard let range = sentence.firstRange(of: "the keys are ") else { return [] }
    let list = sentence[range.upperBound...].prefix { $0 != ";" }
    return list.split(separator: ",").map { key in
      key.split(separator: ".").map { $0.filter { $0 != " " } }
    }
  }

  private static func own(_ tree: JSONValue) -> [[String]] {
    guard case .object(let members) = tree else { return [] }
    return members.sorted { $0.key < $1.key }.flatMap { name, value in [[name]] + own(value).map { [name] + $0 } }
  }
}

extension SettingsSamples.Sample {
  /// The document with something else at one key.
  package func text(_ extreme: Extreme?, at key: [String]) -> [UInt8] {
    let mark = "\u{1}here\u{1}"
    var tree = tree
    tree.set(extreme == nil ? nil : .string(mark), at: key)
    let text = tree.text
    guard let extreme else { return Array(text.utf8) }
    return Array(text.replacing(Extreme.quoted(mark), with: extreme.json).utf8)
  }
}

extension JSONValue {
  /// Sets a member, and makes the objects on the way to it; nil takes it away.
  fileprivate mutating func set(_ value: JSONValue?, at names: [String]) {
    guard let name = names.first else { return }
    var members: [String: JSONValue] = [:]
    if case .object(let own) = self { members = own }
    if names.count == 1 {
      members[name] = value
    } else {
      var inner = members[name] ?? .object([:])
      inner.set(value, at: Array(names.dropFirst()))
      members[name] = inner
    }
    self = .object(members)
  }
}
