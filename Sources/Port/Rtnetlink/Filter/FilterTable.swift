import CLinux

/// A table of nf_tables' family `inet`, which covers both address families, with one chain for each
/// hook that it uses.
package struct FilterTable: Hashable, Sendable {
  /// The hook of a chain in the kernel's path (NF_INET_*).
  package enum Hook: String, Hashable, Sendable, CaseIterable {
    case input, forward, output

    var number: UInt32 {
      switch self {
      case .input: 1
      case .forward: 2
      case .output: 3
      }
    }
  }

  package struct Chain: Hashable, Sendable {
    package var hook: Hook
    /// Tried in this order; a packet that matches none continues.
    package var rules: [FilterRule]

    package init(_ hook: Hook, _ rules: [FilterRule]) {
      self.hook = hook
      self.rules = rules
    }
  }

  package var name: String
  package var chains: [Chain]

  package init(name: String, chains: [Chain]) {
    self.name = name
    self.chains = chains
  }

  /// The table that a message of nf_tables concerns; nil for another message. Tables, chains and
  /// rules all name it first.
  static func name(of message: NetlinkMessage) -> String? {
    guard message.type >> 8 == Number.subsystem else { return nil }
    // struct nfgenmsg precedes the attributes.
    return message.reader.attributes(from: 4).text(1)
  }

  enum Number {
    /// NFNL_SUBSYS_NFTABLES.
    static let subsystem: UInt16 = 10
    /// NFPROTO_INET.
    static let family: UInt8 = 1
    static let newTable: UInt16 = 0
    static let getTable: UInt16 = 1
    static let deleteTable: UInt16 = 2
    static let newChain: UInt16 = 3
    static let newRule: UInt16 = 6
    static let getRule: UInt16 = 7
    /// NFNL_MSG_BATCH_BEGIN and NFNL_MSG_BATCH_END.
    static let begin: UInt16 = 16
    static let end: UInt16 = 17
  }
}

/// Tables of the packet filter, on a session over `KernelNetlinkSocket.filter`.
extension NetlinkSession {
  /// Replaces the table of this name in one step, or does nothing if it is already the same.
  ///
  /// - Throws: `NetlinkError`; `notFound` if the kernel lacks one of the expressions.
  package func replace(_ table: FilterTable) throws {
    guard try !has(table) else { return }
    var messages = Self.frame(FilterTable.Number.newTable, NLM_F_CREATE) { $0.attribute(1, text: table.name) }
    // To delete a table that may not exist, create and delete it in one batch.
    messages += Self.frame(FilterTable.Number.deleteTable, 0) { $0.attribute(1, text: table.name) }
    messages += Self.frame(FilterTable.Number.newTable, NLM_F_CREATE) { $0.attribute(1, text: table.name) }
    for chain in table.chains {
      messages += Self.frame(FilterTable.Number.newChain, NLM_F_CREATE) { writer in
        writer.attribute(1, text: table.name)
        writer.attribute(3, text: chain.hook.rawValue)
        writer.nested(4) { hook in
          hook.attribute(1, number: chain.hook.number.bigEndian)
          hook.attribute(2, number: Int32(0))
        }
        // NF_ACCEPT: a packet without a matching rule is left to others.
        writer.attribute(5, number: UInt32(1).bigEndian)
        writer.attribute(7, text: "filter")
      }
      for rule in chain.rules {
        messages += Self.frame(FilterTable.Number.newRule, NLM_F_CREATE | NLM_F_APPEND) { writer in
          writer.attribute(1, text: table.name)
          writer.attribute(2, text: chain.hook.rawValue)
          writer.attribute(4, rule.expressions)
          writer.attribute(7, Self.comment(rule.mark))
        }
      }
    }
    try performTogether("set the packet filter's table \(table.name)", Self.batch(messages))
  }

  /// Removes a table; a missing table is not an error.
  package func deleteFilterTable(_ name: String) throws {
    var messages = Self.frame(FilterTable.Number.newTable, NLM_F_CREATE) { $0.attribute(1, text: name) }
    messages += Self.frame(FilterTable.Number.deleteTable, 0) { $0.attribute(1, text: name) }
    try performTogether("delete the packet filter's table \(name)", Self.batch(messages))
  }

  /// Whether a table exists with its rules and no others.
  package func has(_ table: FilterTable) throws -> Bool {
    let wanted = table.chains.flatMap { chain in chain.rules.map { [chain.hook.rawValue, $0.mark] } }
    let present = try dump(
      "list the packet filter's table \(table.name)",
      type: FilterTable.Number.subsystem << 8 | FilterTable.Number.getRule,
      Self.header + Self.attributes { $0.attribute(1, text: table.name) }
    ).compactMap { message -> [String]? in
      let attributes = message.reader.attributes(from: 4)
      guard attributes.text(1) == table.name else { return nil }
      return [attributes.text(2) ?? "", attributes.bytes(7).flatMap(Self.words) ?? ""]
    }
    // The kernel lists rules by chain, in its own order.
    return FilterTable.Hook.allCases.allSatisfy { hook in
      wanted.filter { $0[0] == hook.rawValue } == present.filter { $0[0] == hook.rawValue }
    } && wanted.count == present.count
  }

  /// The names of the tables of the family `inet`.
  package func filterTables() throws -> [String] {
    try dump(
      "list the packet filter's tables", type: FilterTable.Number.subsystem << 8 | FilterTable.Number.getTable,
      Self.header
    ).compactMap(FilterTable.name(of:))
  }

  private typealias Message = (type: UInt16, flags: Int32, payload: [UInt8])

  /// struct nfgenmsg: family, version, and no resource.
  private static let header: [UInt8] = [FilterTable.Number.family, 0, 0, 0]

  private static func attributes(_ fill: (inout ByteWriter) -> Void) -> [UInt8] {
    var writer = ByteWriter()
    fill(&writer)
    return writer.bytes
  }

  private static func frame(_ type: UInt16, _ flags: Int32, _ fill: (inout ByteWriter) -> Void) -> [Message] {
    [(FilterTable.Number.subsystem << 8 | type, flags | NLM_F_ACK, header + attributes(fill))]
  }

  private static func batch(_ messages: [Message]) -> [Message] {
    // The resource of a batch is the subsystem, in network byte order.
    let edge: [UInt8] = [0, 0, 0, UInt8(FilterTable.Number.subsystem)]
    return [(FilterTable.Number.begin, 0, edge)] + messages + [(FilterTable.Number.end, 0, edge)]
  }

  /// A comment in the format that `nft` uses in a rule's user data: type 0, length, text with its
  /// zero.
  private static func comment(_ text: String) -> [UInt8] { [0, UInt8(text.utf8.count + 1)] + Array(text.utf8) + [0] }

  private static func words(_ data: ArraySlice<UInt8>) -> String? {
    guard data.first == 0, data.count > 2 else { return nil }
    return String(decoding: data.dropFirst(2).prefix { $0 != 0 }, as: UTF8.self)
  }
}
