import Glibc
import ModemModel
import SmallFiles
import Synchronization

/// PINs that a SIM was given and did not accept, for as long as they might be entered again
/// automatically.
package protocol PINMemory: Sendable {
  /// Whether the SIM was given this PIN and has not accepted it.
  func contains(_ pin: PIN, for card: String) -> Bool
  /// Records that the SIM will be given this PIN, before it is.
  ///
  /// - Throws: if it cannot be recorded in a way that outlives this process.
  func note(_ pin: PIN, for card: String) throws
  /// The SIM accepted this PIN, or has not received it.
  func forget(_ pin: PIN, for card: String)
}

/// A memory in files, one per SIM. They identify neither a SIM nor a PIN: they only hold salted
/// digests.
package struct PINMemoryFolder: PINMemory {
  /// Makes a digest of bytes, at least 32 characters that a file name may contain.
  package typealias Digest = @Sendable ([UInt8]) -> String

  /// Beyond this number, the oldest ones are forgotten. A SIM blocks after three wrong PINs.
  private static let limit = 16

  private let path: String
  private let digest: Digest

  /// - Parameters:
  ///   - path: an existing folder that no other user may read.
  ///   - digest: a cryptographic digest such as SHA-256.
  package init(path: String, digest: @escaping Digest) {
    self.path = path
    self.digest = digest
  }

  package func contains(_ pin: PIN, for card: String) -> Bool {
    lines(of: card).contains { matches($0, pin, card) }
  }

  package func note(_ pin: PIN, for card: String) throws {
    guard !contains(pin, for: card) else { return }
    let salt = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
    let kept = lines(of: card).suffix(Self.limit - 1)
    try write(kept + ["\(salt) \(fingerprint(salt, pin, card))"], for: card)
  }

  package func forget(_ pin: PIN, for card: String) {
    let lines = lines(of: card)
    let kept = lines.filter { !matches($0, pin, card) }
    guard kept.count < lines.count else { return }
    if kept.isEmpty { unlink(file(of: card)) } else { try? write(kept, for: card) }
  }

  private func matches(_ line: String, _ pin: PIN, _ card: String) -> Bool {
    let parts = line.split(separator: " ").map(String.init)
    return parts.count == 2 && parts[1] == fingerprint(parts[0], pin, card)
  }

  private func fingerprint(_ salt: String, _ pin: PIN, _ card: String) -> String {
    let beginning = Array("pin \(salt) \(card) ".utf8)
    // Allocated at full size, because growing would leave a copy of the PIN behind.
    var bytes = [UInt8](unsafeUninitializedCapacity: beginning.count + 8) { buffer, count in
      count = beginning.count
      _ = buffer.initialize(from: beginning)
      pin.withDigits { digits in
        for digit in digits {
          buffer.initializeElement(at: count, to: digit)
          count += 1
        }
      }
    }
    defer { bytes.withUnsafeMutableBytes { WipedText.wipe($0) } }
    return digest(bytes)
  }

  private func file(of card: String) -> String {
    "\(path)/refused-pins-\(digest(Array("card \(card)".utf8)).prefix(32))"
  }

  private func lines(of card: String) -> [String] {
    // Whoever wrote it: a PIN that is counted as refused costs less than one that is entered again.
    guard let bytes = try? SmallFile.beginning(file(of: card), limit: 8192) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func write(_ lines: [String], for card: String) throws {
    do throws(FileFailure) {
      try SmallFile.replace(file(of: card), with: Array(lines.map { $0 + "\n" }.joined().utf8))
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ failure: FileFailure) -> ModemError {
    ModemError(
      .failed, "refused PINs cannot be recorded in \(path); check that the folder exists and can be written",
      cause: failure.reason)
  }
}

/// A memory that ends with the process, for a port without a folder of its own.
package final class PINMemoryInProcess: PINMemory {
  private struct Entry: Hashable {
    let card: String
    let pin: PIN
  }

  private let entries = Mutex<Set<Entry>>([])

  package init() {}

  package func contains(_ pin: PIN, for card: String) -> Bool {
    entries.withLock { $0.contains(Entry(card: card, pin: pin)) }
  }

  package func note(_ pin: PIN, for card: String) {
    _ = entries.withLock { $0.insert(Entry(card: card, pin: pin)) }
  }

  package func forget(_ pin: PIN, for card: String) {
    _ = entries.withLock { $0.remove(Entry(card: card, pin: pin)) }
  }
}
