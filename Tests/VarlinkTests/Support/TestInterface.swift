import Varlink

/// A service for the tests, with a method of each kind.
enum TestInterface: VarlinkInterface {
  static let name = "org.example.Test"
  static let text = """
    # A service for the tests.
    interface org.example.Test

    # Gives `text` back.
    method Echo(text: string, count: ?int, kind: ?(small, large), tone: ?Tone, list: ?[](at: int)) -> (text: string, tone: ?Tone)

    # Stands in parameters and in replies.
    type Tone (loud, quiet)

    # Answers when the test lets it.
    method Wait() -> (text: string)

    # With `more`: the numbers from 1 to `to`.
    method Count(to: int) -> (number: int)

    # With `more`: one reply, and then nothing until the caller leaves.
    method Forever() -> (number: int)

    # With `more`: replies of 64 KiB each, as many as there are.
    method Flood(replies: int) -> (text: string)

    # Who asks.
    method Who() -> (user: int, process: int, groups: []int)

    # Always fails.
    method Fail(how: (declared, undeclared)) -> ()

    # The error that is declared.
    error Declared (why: string, hint: ?string)

    """

  enum Kind: String, Codable { case small, large }
  struct Item: Codable { var at: Int }
  struct Text: Codable, Sendable, Hashable {
    var text: String
    var tone: Tone?
  }
  enum Tone: OpenWord {
    case loud, quiet
    case other(String)

    static let known: [Self] = [.loud, .quiet]
    var rawValue: String {
      switch self {
      case .loud: "loud"
      case .quiet: "quiet"
      case .other(let word): word
      }
    }
  }
  struct Number: Codable, Sendable, Hashable { var number: Int }
  struct Nothing: VarlinkParameters { static let fieldNames: Set<String> = [] }

  enum Echo: VarlinkMethod {
    static let name = "org.example.Test.Echo"
    struct Parameters: VarlinkParameters {
      static let fieldNames: Set<String> = ["text", "count", "kind", "tone", "list"]
      var text: String
      var count: Int?
      var kind: Kind?
      var tone: Tone?
      var list: [Item]?
    }
    typealias Reply = Text
  }

  enum Wait: VarlinkMethod {
    static let name = "org.example.Test.Wait"
    typealias Parameters = Nothing
    typealias Reply = Text
  }

  enum Count: VarlinkMethod {
    static let name = "org.example.Test.Count"
    struct Parameters: VarlinkParameters {
      static let fieldNames: Set<String> = ["to"]
      var to: Int
    }
    typealias Reply = Number
  }

  enum Forever: VarlinkMethod {
    static let name = "org.example.Test.Forever"
    typealias Parameters = Nothing
    typealias Reply = Number
  }

  enum Flood: VarlinkMethod {
    static let name = "org.example.Test.Flood"
    struct Parameters: VarlinkParameters {
      static let fieldNames: Set<String> = ["replies"]
      var replies: Int
    }
    typealias Reply = Text
  }

  enum Who: VarlinkMethod {
    static let name = "org.example.Test.Who"
    typealias Parameters = Nothing
    struct Reply: Codable, Sendable {
      var user: Int
      var process: Int
      var groups: [Int]
    }
  }

  enum Fail: VarlinkMethod {
    static let name = "org.example.Test.Fail"
    struct Parameters: VarlinkParameters {
      static let fieldNames: Set<String> = ["how"]
      var how: How
    }
    enum How: String, Codable { case declared, undeclared }
    struct Reply: Codable, Sendable {}
  }

  /// Declared by the interface, and answered by no handler.
  enum Missing: VarlinkMethod {
    static let name = "org.example.Test.Missing"
    typealias Parameters = Nothing
    typealias Reply = Text
  }

  struct Declared: VarlinkErrorParameters, Hashable {
    static let name = "org.example.Test.Declared"
    var why: String
    var hint: String?
  }
}

/// A text that grows by doubling, to the byte.
func text(bytes: Int) -> String { String(repeating: "x", count: bytes) }
