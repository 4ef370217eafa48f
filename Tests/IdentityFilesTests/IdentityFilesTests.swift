import AuthCore
import AuthFlows
import Glibc
import JSONTree
import Testing
import MIRACLFlows

@testable import IdentityFiles

@Suite("Identities as files", .timeLimit(.minutes(1)))
struct IdentityFilesTests {
  @Test("What is kept is found, listed and forgotten; folder and files are their owner's alone")
  func keeping() async throws {
    try await SampleIdentity.inFolder { path in
      let folder = "\(path)/state/miracl"
      let files = IdentityFiles(folder)
      #expect(try await files.list() == MIRACLIdentities())
      let (one, two) = (
        try SampleIdentity.make(user: "b@shop.example"), try SampleIdentity.make(user: "a@shop.example")
      )
      #expect(try await files.find(one.name) == nil)
      #expect(try await !files.forget(one.name))
      try await files.prepare()
      #expect(SampleIdentity.names(in: folder) == [])
      for identity in [one, two] { #expect(try await files.keep(identity, over: nil)) }
      #expect(try await files.list().whole == [two, one])
      #expect(try await IdentityFiles(folder).find(one.name) == one)
      #expect(SampleIdentity.mode(of: folder) == 0o700 && SampleIdentity.mode(of: "\(path)/state") == 0o700)
      for name in SampleIdentity.names(in: folder) {
        #expect(SampleIdentity.mode(of: "\(folder)/\(name)") == 0o600 && !name.contains("shop"))
      }
      #expect(try await files.forget(one.name))
      #expect(try await !files.forget(one.name))
      #expect(try await files.list().whole == [two])
    }
  }

  @Test("An identity is replaced only where what it is to replace is still there")
  func comparing() async throws {
    try await SampleIdentity.inFolder { path in
      let files = IdentityFiles(path)
      let (first, second, third) = (
        try SampleIdentity.make(), try SampleIdentity.make(id: 2), try SampleIdentity.make(id: 3)
      )
      try await files.keep(first, over: nil)
      #expect(try await files.keep(second, over: first))
      var dead = first
      dead.state = .revoked
      #expect(try await !files.keep(dead, over: first))
      #expect(try await files.find(first.name) == second)
      #expect(try await files.keep(third, over: nil))
      #expect(try await files.find(first.name) == third)
      #expect(SampleIdentity.names(in: path).count == 1)
    }
  }

  @Test("Many changes at once leave one whole file")
  func racing() async throws {
    try await SampleIdentity.inFolder { path in
      let identities = try (1...4).map { try SampleIdentity.make(id: $0) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for identity in identities {
          group.addTask { for _ in 1...5 { try await IdentityFiles(path).keep(identity, over: nil) } }
        }
        try await group.waitForAll()
      }
      let all = try await IdentityFiles(path).list()
      #expect(all.whole.count == 1 && all.damaged.isEmpty && identities.contains(all.whole[0]))
      #expect(SampleIdentity.names(in: path).count == 1)
    }
  }

  @Test(
    "A damaged file is named and left as it is, and the others are read",
    arguments: [
      "", "{", "[]", "null", #"{"version":2}"#, "cut", "token", String(repeating: "x", count: 2 << 20),
    ])
  func damage(text: String) async throws {
    try await SampleIdentity.inFolder { path in
      let files = IdentityFiles(path)
      let (whole, other) = (try SampleIdentity.make(user: "a"), try SampleIdentity.make(user: "b"))
      for identity in [whole, other] { try await files.keep(identity, over: nil) }
      let file = "\(path)/\(IdentityFiles.file(of: other.name))"
      let document = other.document.text
      let content =
        switch text {
        case "cut": String(document.dropLast(7))
        case "token": document.replacing(other.token.revealed, with: String(other.token.revealed.reversed()))
        default: text
        }
      try SampleIdentity.write(content, to: file)
      let all = try await files.list()
      #expect(all.whole == [whole] && all.damaged.count == 1)
      #expect(all.damaged.first?.hasPrefix(file) == true, "\(all.damaged)")
      #expect(all.damaged.first?.contains(other.token.revealed) == false)
      let error = await #expect(throws: AuthError.self) { try await files.find(other.name) }
      #expect(error?.code == .storeFailed && error?.message.contains(file) == true)
      #expect(try await files.find(whole.name) == whole)
      var left = stat()
      #expect(stat(file, &left) == 0 && left.st_size == content.utf8.count)
    }
  }

  @Test("A file under another's name is damaged, and a link is not followed")
  func strangers() async throws {
    try await SampleIdentity.inFolder { path in
      let files = IdentityFiles(path)
      let identity = try SampleIdentity.make()
      try await files.keep(identity, over: nil)
      let file = "\(path)/\(IdentityFiles.file(of: identity.name))"
      rename(file, "\(path)/00.json")
      #expect(try await files.list().damaged.first?.contains("another user") == true)
      symlink("\(path)/00.json", file)
      await #expect(throws: AuthError.self) { try await files.find(identity.name) }
      #expect(unlink(file) == 0 && mkfifo(file, 0o600) == 0)
      let pipe = await #expect(throws: AuthError.self) { try await files.find(identity.name) }
      #expect(pipe?.message.contains("it is no file") == true, "\(String(describing: pipe))")
    }
  }

  @Test("Names that differ have files that differ", arguments: [("a", "b", "c"), ("ab", "", "c"), ("a", "bc", "")])
  func fileNames(service: String, project: String, user: String) throws {
    let name = MIRACLIdentity.Name(service: service, project: project, user: try MIRACLUser(text: "u\(user)"))
    let others = [("a", "b", "c"), ("ab", "", "c"), ("a", "bc", "")].filter { $0 != (service, project, user) }
    for other in others {
      let another = MIRACLIdentity.Name(service: other.0, project: other.1, user: try MIRACLUser(text: "u\(other.2)"))
      #expect(IdentityFiles.file(of: name) != IdentityFiles.file(of: another))
    }
    #expect(IdentityFiles.file(of: name).utf8.count == 37)
  }

  @Test("Where nothing can be kept the error names the place")
  func noPlace() async throws {
    let files = IdentityFiles("/proc/modemd/miracl")
    let identity = try SampleIdentity.make()
    for change in [{ try await files.prepare() }, { _ = try await files.keep(identity, over: nil) }] {
      let error = await #expect(throws: AuthError.self) { try await change() }
      #expect(error?.code == .storeFailed && error?.message.contains("/proc/modemd") == true)
    }
  }
}
