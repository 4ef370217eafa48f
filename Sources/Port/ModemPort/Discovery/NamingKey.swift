import ModemModel
import SmallFiles

/// This machine's key for modem names: a file of random bytes that only its owner can read. It is
/// made once and shared by all ports of the machine.
package struct NamingKey: Sendable {
  /// Bytes of a key.
  package static let count = 32

  package let bytes: [UInt8]

  /// Reads the file, and makes it if it is missing. Several ports that make it at the same time all
  /// get the same key.
  ///
  /// - Parameter path: in a folder that exists.
  /// - Throws: `ModemError` `failed` if it cannot be read or made, or holds something else.
  package init(path: String) throws {
    if let present = try Self.read(path) {
      bytes = present
    } else {
      do throws(FileFailure) {
        // Another port may be faster. Its key is the one then.
        _ = try SmallFile.makeOnce(path, Self.random())
      } catch {
        throw Self.failure("cannot be made", path, error)
      }
      guard let made = try Self.read(path) else {
        throw ModemError(
          .failed, "the key \(path) vanished right after it was made; find out which program removes files there")
      }
      bytes = made
    }
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A key for this process alone: names made with it change when it ends.
  package static func forThisProcess() -> NamingKey { NamingKey(random()) }

  private static func random() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in .random(in: .min ... .max, using: &generator) }
  }

  private static func read(_ path: String) throws -> [UInt8]? {
    let present: [UInt8]?
    do throws(FileFailure) {
      // Whoever wrote it may know the key. Whoever else can read it can try IMEIs.
      present = try SmallFile.beginning(path, limit: count + 1, from: .owner)
    } catch {
      guard case .access(let mode) = error.step else { throw failure("cannot be read", path, error) }
      throw ModemError(
        .failed,
        "the key \(path) is accessible to other users (mode \(String(mode, radix: 8))); remove it, and the next start makes a new one, which changes the modems' ids"
      )
    }
    guard let present else { return nil }
    guard present.count == count else {
      throw ModemError(
        .failed,
        "the key \(path) does not have \(count) bytes; remove it, and the next start makes a new one, which changes the modems' ids"
      )
    }
    return present
  }

  private static func failure(_ what: String, _ path: String, _ failure: FileFailure) -> ModemError {
    ModemError(
      .failed,
      "the key \(path) for the modems' ids \(what); check that its folder exists and belongs to this user",
      cause: failure.reason)
  }
}
