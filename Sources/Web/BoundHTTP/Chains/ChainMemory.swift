import NIOConcurrencyHelpers
import RedirectChain

/// What the chains of one owner learnt, and later ones of the same owner profit from: what names are, and which origins come.
final class ChainMemory: Sendable {
  let names = NameCache()
  let origins = OriginMemory()

  func forget(interface index: Int32) {
    names.forget(interface: index)
    origins.forget(interface: index)
  }
}

/// The memories of all owners, each for itself: one owner is told nothing of where another's chains went, be it by a reply or by what is
/// fast. Who used his memory longest ago loses it to a newcomer; root never does.
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

  /// An owner's memory; for nobody an empty one that nobody else is given.
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

  /// Forgets what was learnt over an interface.
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
