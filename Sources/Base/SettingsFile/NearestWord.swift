/// The word that somebody probably meant.
package enum NearestWord {
  /// The one of `words` that differs least from `word`, in any case of letters; nil if none is like
  /// it.
  package static func find(_ word: String, among words: some Sequence<String>) -> String? {
    // A longer one is no slip of the finger, and the comparison takes time.
    guard word.utf8.count <= 64 else { return nil }
    let given = Array(word.lowercased().utf8)
    let least = words.map { (word: $0, distance: distance(given, Array($0.lowercased().utf8))) }
      .min { ($0.distance, $0.word) < ($1.distance, $1.word) }
    guard let least, least.distance <= max(1, min(given.count, least.word.utf8.count) / 3) else { return nil }
    return least.word
  }

  /// Insertions, deletions, replacements and exchanges of neighbours (Damerau and Levenshtein,
  /// optimal string alignment).
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var before: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, before[j - 1] + 1) }
        row.append(cost)
      }
      before = last
      last = row
    }
    return last[b.count]
  }
}
