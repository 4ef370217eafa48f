import AuthCore
import Crypto
import Glibc
import JSONTree
import SealedFiles
import Testing

@testable import IdentityFiles

@Suite("Sealed identities", .timeLimit(.minutes(1)))
struct SealingTests {
  private static func key(_ byte: UInt8 = 7) throws -> SealingKey {
    try SealingKey([UInt8](repeating: byte, count: 48), for: .identities)
  }

  private static func content(of path: String) throws -> String {
    let file = try #require(fopen(path, "re"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  @Test("What is sealed is found, listed, replaced and forgotten with the key, and the file says nothing")
  func sealed() async throws {
    try await SampleIdentity.inFolder { path in
      let files = IdentityFiles(path, sealedWith: try Self.key())
      let (first, second) = (try SampleIdentity.make(), try SampleIdentity.make(id: 2))
      try await files.keep(first, over: nil)
      let text = try Self.content(of: "\(path)/\(IdentityFiles.file(of: first.name))")
      for secret in [first.token.revealed, first.key.mpinIdHex, "u@shop.example", "project-1"] {
        #expect(!text.contains(secret))
      }
      #expect(try await files.find(first.name) == first)
      #expect(try await files.keep(second, over: first))
      #expect(try await IdentityFiles(path, sealedWith: try Self.key()).list().whole == [second])
      #expect(try await files.forget(first.name))
    }
  }

  @Test("The same identity is sealed with another number each time")
  func fresh() throws {
    let document = try SampleIdentity.make().document
    let key = try Self.key()
    #expect(key.seal(document, as: "a") != key.seal(document, as: "a"))
  }

  @Test("Without the key, or with another, a sealed file is named and left, and opens again with the right one")
  func otherKeys() async throws {
    try await SampleIdentity.inFolder { path in
      let identity = try SampleIdentity.make()
      let right = IdentityFiles(path, sealedWith: try Self.key())
      try await right.keep(identity, over: nil)
      for (files, words) in [
        (IdentityFiles(path), "there is no credential identity-key"),
        (IdentityFiles(path, sealedWith: try Self.key(8)), "the credential identity-key does not open it"),
      ] {
        let all = try await files.list()
        #expect(all.whole.isEmpty && all.damaged.first?.contains(words) == true, "\(all.damaged)")
        #expect(try await files.sealAll() == 0)
        let error = await #expect(throws: AuthError.self) { try await files.find(identity.name) }
        #expect(error?.code == .storeFailed && error?.message.contains(words) == true)
      }
      #expect(try await right.find(identity.name) == identity)
    }
  }

  @Test("Files of the time before there was a key are sealed, each once; damaged ones are left")
  func sealing() async throws {
    try await SampleIdentity.inFolder { path in
      let (one, two) = (try SampleIdentity.make(user: "a"), try SampleIdentity.make(user: "b"))
      for identity in [one, two] { try await IdentityFiles(path).keep(identity, over: nil) }
      try SampleIdentity.write("{", to: "\(path)/00.json")
      let files = IdentityFiles(path, sealedWith: try Self.key())
      #expect(try await files.list().whole == [one, two])
      #expect(try await files.sealAll() == 2)
      #expect(try await files.sealAll() == 0)
      #expect(try await files.list().whole == [one, two])
      #expect(try await IdentityFiles(path).list().whole.isEmpty)
      #expect(try Self.content(of: "\(path)/00.json") == "{")
    }
  }

  @Test(
    "A sealed file that was changed, or has another's name, does not open", arguments: ["bit", "name", "way", "cut"])
  func changed(what: String) throws {
    let document = try SampleIdentity.make().document
    let key = try Self.key()
    let sealed = try #require(key.seal(document, as: "a.json"))
    #expect(key.open(sealed, as: "a.json") == document)
    var bytes = try #require(sealed["content"]?.string.flatMap { Base64.decode($0) })
    if what == "bit" { bytes[bytes.count / 2] ^= 1 }
    if what == "cut" { bytes.removeLast(20) }
    let other = JSONValue.object([
      "sealed": .string(what == "way" ? "other" : "aes-256-gcm"), "content": .string(Base64.encode(bytes)),
    ])
    #expect(key.open(other, as: what == "name" ? "b.json" : "a.json") == nil)
  }

  @Test("Any library that has HKDF and AES-256-GCM opens what is sealed, and seals what opens")
  func otherLibrary() throws {
    let document = try SampleIdentity.make().document
    let key = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: [UInt8](repeating: 7, count: 48)), info: Array("modemd identity".utf8),
      outputByteCount: 32)
    let name = Array("a.json".utf8)
    let sealed = try AES.GCM.seal(Array(document.text.utf8), using: key, authenticating: name)
    let content = Base64.encode(Array(try #require(sealed.combined)))
    let theirs = JSONValue.object(["sealed": .string("aes-256-gcm"), "content": .string(content)])
    #expect(try Self.key().open(theirs, as: "a.json") == document)
    let ours = try #require(
      try Self.key().seal(document, as: "a.json")?["content"]?.string.flatMap { Base64.decode($0) })
    let opened = try AES.GCM.open(try AES.GCM.SealedBox(combined: ours), using: key, authenticating: name)
    #expect(JSONValue(parsing: Array(opened)) == document)
  }

  @Test("A short credential is refused, with its length and what was expected", arguments: [0, 1, 31])
  func short(count: Int) {
    let secret = [UInt8](repeating: 1, count: count)
    let error = #expect(throws: AuthError.self) { try SealingKey(secret, for: .identities) }
    #expect(error?.code == .notConfigured && error?.message.contains("has \(count) bytes") == true)
  }
}
