import Web

/// What a server says of the connection after its answer (the field Keep-Alive, of RFC 2068,
/// 19.7.1.1, which servers still send).
struct KeepAliveField: Hashable {
  /// How long the server keeps the connection; nil if it does not say.
  let timeout: Duration?
  /// Whether the server takes no further request.
  let isLast: Bool

  /// Reads the fields of an answer. What is no number says nothing; of several, the lowest counts.
  init(_ headers: [WebHeader]) {
    let values = headers.filter { $0.name.lowercased() == "keep-alive" }.flatMap { $0.value.split(separator: ",") }
    func least(_ name: String) -> Int32? {
      values.compactMap { value -> Int32? in
        let halves = value.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
        guard halves.count == 2, halves[0].lowercased() == name, halves[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
          return nil
        }
        return Int32(halves[1])
      }.min()
    }
    timeout = least("timeout").map { .seconds($0) }
    isLast = least("max") == 0
  }
}
