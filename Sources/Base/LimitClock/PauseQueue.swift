import Dispatch
import Synchronization

/// The waits of a process, by their ends, with one timer for all of them.
///
/// A timer of its own for each limit would wake a thread when the limit begins and again when it is
/// not needed any more, which is nearly always. This timer is set anew only for a limit that ends
/// before all others, and stays when a wait leaves.
final class PauseQueue: Sendable {
  static let machine = PauseQueue()

  fileprivate struct Contents {
    /// A heap: no wait ends before the one at half its place.
    var waits: [Pause] = []
    /// When the timer goes off; nil if it is not set.
    var alarm: UInt64?
  }

  private let contents = Mutex(Contents())
  // All threads may use dispatch sources at once, although their Swift type does not state it.
  nonisolated(unsafe) private let timer = DispatchSource.makeTimerSource(queue: .global())

  init() {
    timer.setEventHandler { [weak self] in self?.ring() }
    timer.activate()
  }

  deinit { timer.cancel() }

  /// How many waits there are.
  var count: Int { contents.withLock(\.waits.count) }

  func add(_ pause: Pause) {
    contents.withLock { contents in
      pause.place.store(contents.waits.count, ordering: .relaxed)
      contents.waits.append(pause)
      contents.rise(from: contents.waits.count - 1)
      setAlarm(&contents)
    }
  }

  /// A wait that is not there any more is no error.
  func remove(_ pause: Pause) {
    contents.withLock { contents in
      let place = pause.place.load(ordering: .relaxed)
      if place >= 0 { contents.remove(at: place) }
    }
  }

  private func ring() {
    let now = DispatchTime.now().uptimeNanoseconds
    let ended = contents.withLock { contents in
      var ended: [Pause] = []
      while let first = contents.waits.first, first.deadline <= now {
        contents.remove(at: 0)
        ended.append(first)
      }
      contents.alarm = nil
      setAlarm(&contents)
      return ended
    }
    for pause in ended { pause.end(isTimeOver: true) }
  }

  private func setAlarm(_ contents: inout Contents) {
    guard let first = contents.waits.first?.deadline, first < contents.alarm ?? .max else { return }
    contents.alarm = first
    timer.schedule(deadline: DispatchTime(uptimeNanoseconds: first))
  }
}

extension PauseQueue.Contents {
  fileprivate mutating func remove(at place: Int) {
    waits[place].place.store(-1, ordering: .relaxed)
    let last = waits.removeLast()
    guard place < waits.count else { return }
    put(last, at: place)
    sink(from: place)
    rise(from: place)
  }

  fileprivate mutating func rise(from place: Int) {
    var place = place
    while place > 0, waits[place].deadline < waits[(place - 1) / 2].deadline {
      swap(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private mutating func sink(from place: Int) {
    var place = place
    while 2 * place + 1 < waits.count {
      var child = 2 * place + 1
      if child + 1 < waits.count, waits[child + 1].deadline < waits[child].deadline { child += 1 }
      guard waits[child].deadline < waits[place].deadline else { return }
      swap(place, child)
      place = child
    }
  }

  private mutating func swap(_ one: Int, _ other: Int) {
    let moved = waits[one]
    put(waits[other], at: one)
    put(moved, at: other)
  }

  private mutating func put(_ pause: Pause, at place: Int) {
    waits[place] = pause
    pause.place.store(place, ordering: .relaxed)
  }
}
