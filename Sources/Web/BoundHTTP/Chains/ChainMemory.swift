import NIOConcurrencyHelpers
import RedirectChain

/// What the chains of one owner learned for that owner's later chains: the addresses of names, and
/// which origins follow.
final class ChainMemory: Sendable {
  let names = NameCache()
  let origins = OriginMemory()

  func forget(interface index: Int32) {
    names.forget(interface: index)
    origins.forget(interface: index)
  }
}

/// The memories of all owners, each kept apart. An owner cannot learn where another owner's chains
/// went, neither from a reply nor from how fast it comes. A new owner replaces the one whose memory
/// was used longest ago; root is never replaced.
final class ChainMemories: Sendable {
  /// Owners beside root.
  static let maximumOwners = 32

  private struct Place {
    let memory = ChainMemory()
    var used: UInt64
  }

  private struct Contents {
    var places: [ChainRequest.Owner: Place] = [:]
    var uses: UInt64 = 0
  }

  private let contents = NIOLockedValueBox(Contents())

  /// The memory of an owner. Without an owner, it is empty and not shared.
  func memory(of owner: ChainRequest.Owner?) -> ChainMemory {
    guard let owner else { return ChainMemory() }
    return contents.withLockedValue { contents in
      contents.uses += 1
      if contents.places[owner] == nil { Self.makeRoom(for: owner, in: &contents.places) }
      var place = contents.places[owner] ?? Place(used: 0)
      place.used = contents.uses
      contents.places[owner] = place
      return place.memory
    }
  }

  /// Forgets everything learned over an interface.
  func forget(interface index: Int32) {
    let memories = contents.withLockedValue { $0.places.values.map(\.memory) }
    for memory in memories { memory.forget(interface: index) }
  }

  private static func makeRoom(for owner: ChainRequest.Owner, in places: inout [ChainRequest.Owner: Place]) {
    guard !owner.isRoot else { return }
    let others = places.filter { !$0.key.isRoot }
    guard others.count >= maximumOwners, let oldest = others.min(by: { $0.value.used < $1.value.used })?.key else {
      return
    }
    places[oldest] = nil
  }
}
