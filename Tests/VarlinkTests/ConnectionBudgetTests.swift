import LimitClock
import Testing

@testable import Varlink

@Suite struct ConnectionBudgetTests {
  private static let limits: VarlinkServer.Limits = {
    var limits = VarlinkServer.Limits()
    limits.connections = 32
    limits.userConnections = 12
    limits.strangerConnections = 2
    limits.bytes = 3200
    limits.userBytes = 1600
    limits.calls = 16
    limits.userCalls = 4
    limits.idleTime = .seconds(3600)
    limits.shortIdleTime = .seconds(30)
    return limits
  }()

  private let start = LimitClock.Instant(.zero)

  /// Opens so many connections of a user; how many were let in, and their ids.
  private func open(
    _ count: Int, _ user: UInt32, _ standing: ConnectionBudget.Standing = .known, in budget: inout ConnectionBudget,
    at time: Int = 0
  ) -> [ConnectionBudget.ID] {
    (0..<count).compactMap { _ in
      switch budget.open(user, standing, now: start + .seconds(time)) {
      case .admitted(let id), .inPlace(let id, _): id
      case .refused: nil
      }
    }
  }

  @Test(
    arguments: [(1, 12), (2, 24), (3, 30), (4, 30)])
  func `users have their own share, and leave one for root`(users: Int, admitted: Int) {
    var budget = ConnectionBudget(Self.limits)
    for user in 0..<UInt32(users) {
      for id in open(40, 1000 + user, in: &budget) { budget.note(id, isIdle: false, now: start) }
    }
    #expect(budget.connectionCount == admitted)
    _ = open(2, 0, .root, in: &budget)
    #expect(budget.connectionCount(of: 0) == 2)
  }

  @Test func `root has no limit of its own but the whole`() {
    var budget = ConnectionBudget(Self.limits)
    let admitted = open(40, 0, .root, in: &budget)
    #expect(admitted.count == 32)
  }

  @Test func `a user who has little gets the place of an idle connection of one who has much`() {
    var budget = ConnectionBudget(Self.limits)
    for user: UInt32 in [1, 2, 3] { _ = open(12, user, in: &budget) }
    #expect(budget.connectionCount == 30)
    let most = budget.connectionCount(of: 1)
    _ = open(1, 4, in: &budget)
    #expect(budget.connectionCount == 30 && budget.connectionCount(of: 4) == 1)
    #expect(budget.connectionCount(of: 1) < most || budget.connectionCount(of: 2) < 12)
  }

  @Test func `nobody's connection is given up while something goes on over it`() {
    var budget = ConnectionBudget(Self.limits)
    for user: UInt32 in [1, 2, 3] {
      for id in open(12, user, in: &budget) { budget.note(id, isIdle: false, now: start) }
    }
    let admission = budget.open(4, .known, now: start)
    #expect(admission == .refused(.connections(limit: 32)))
  }

  @Test func `one's own idle connection gives way when it was idle for a while, not before`() {
    var budget = ConnectionBudget(Self.limits)
    let ids = open(12, 7, in: &budget)
    let early = budget.open(7, .known, now: start + .seconds(29))
    #expect(early == .refused(.userConnections(limit: 12)))
    guard case .inPlace(_, let old) = budget.open(7, .known, now: start + .seconds(30)) else {
      Issue.record("refused")
      return
    }
    #expect(ids.contains(old) && budget.connectionCount(of: 7) == 12)
  }

  @Test func `strangers get a few connections, and all of them four times of it`() {
    var budget = ConnectionBudget(Self.limits)
    for user: UInt32 in 100..<110 { _ = open(5, user, .stranger, in: &budget) }
    #expect(budget.connectionCount(of: 100) == 2)
    #expect(budget.connectionCount == 8)
    _ = open(12, 1, in: &budget)
    #expect(budget.connectionCount(of: 1) == 12)
  }

  @Test(
    arguments: [
      // What is charged, one after the other, and whether it is taken.
      ([(1, 1600)], [true]), ([(1, 1601)], [false]), ([(1, 1600), (2, 1400)], [true, true]),
      ([(1, 1600), (2, 1401)], [true, false]), ([(1, 1600), (2, 1400), (0, 200)], [true, true, true]),
      ([(1, 1600), (2, 1400), (0, 201)], [true, true, false]), ([(0, 3200)], [true]), ([(0, 3201)], [false]),
      ([(1, 1600), (1, 100), (1, 1600)], [true, true, true]), ([(9, 50)], [true]), ([(9, 51)], [false]),
    ] as [([(UInt32, Int)], [Bool])])
  func `bytes are charged to a user and to all`(charges: [(UInt32, Int)], taken: [Bool]) throws {
    var budget = ConnectionBudget(Self.limits)
    var ids: [UInt32: ConnectionBudget.ID] = [:]
    for (user, standing) in [(UInt32(0), ConnectionBudget.Standing.root), (1, .known), (2, .known), (9, .stranger)] {
      ids[user] = open(1, user, standing, in: &budget).first
    }
    for ((user, bytes), isTaken) in zip(charges, taken) {
      let id = try #require(ids[user])
      let wasTaken = budget.charge(id, bytes)
      #expect(wasTaken == isTaken)
    }
    for id in ids.values { budget.close(id) }
    #expect(budget.chargedBytes == 0 && budget.connectionCount == 0)
  }

  @Test func `a call counts until it ends, also behind a connection that is closed`() throws {
    var budget = ConnectionBudget(Self.limits)
    let ids = open(6, 5, in: &budget)
    var begun = ids.prefix(5).map { budget.beginCall($0) }
    #expect(begun == [true, true, true, true, false])
    budget.close(ids[0])
    begun = [budget.beginCall(ids[4])]
    budget.endCall(ids[0])
    begun.append(budget.beginCall(ids[4]))
    budget.endCall(ids[0])
    begun.append(budget.beginCall(ids[5]))
    #expect(begun == [false, true, false])
  }

  @Test func `calls of all users leave some for root, who has no limit of its own`() {
    var budget = ConnectionBudget(Self.limits)
    var under = 0
    for user: UInt32 in 1..<6 {
      for id in open(5, user, in: &budget) where budget.beginCall(id) { under += 1 }
    }
    #expect(under == 15)
    let root = open(2, 0, .root, in: &budget)
    let begun = root.map { budget.beginCall($0) }
    #expect(begun == [true, false])
  }

  @Test(
    arguments: [(1, 29, 0), (1, 31, 0), (1, 3599, 0), (1, 3600, 1), (12, 29, 0), (12, 30, 12)])
  func `what is idle for too long goes, sooner where connections are short`(count: Int, seconds: Int, gone: Int) {
    var budget = ConnectionBudget(Self.limits)
    let ids = open(count, 1, in: &budget)
    #expect(budget.outlived(now: start + .seconds(seconds)).count == gone)
    budget.note(ids[0], isIdle: false, now: start)
    #expect(!budget.outlived(now: start + .seconds(1_000_000)).contains(ids[0]))
  }

  @Test func `what is closed twice, or was never open, changes nothing`() {
    var budget = ConnectionBudget(Self.limits)
    let id = open(1, 1, in: &budget)[0]
    budget.close(id)
    budget.close(id)
    budget.endCall(id)
    let (isCharged, hasBegun) = (budget.charge(id, 1), budget.beginCall(id))
    #expect(!isCharged && !hasBegun && budget.connectionCount == 0)
  }

  @Test func `events at random leave nothing behind`() {
    var budget = ConnectionBudget(Self.limits)
    var random = SystemRandomNumberGenerator()
    var ids: [ConnectionBudget.ID] = []
    for step in 0..<20_000 {
      let id = ids.randomElement(using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: ids += open(1, UInt32.random(in: 0..<5), [.root, .known, .stranger][step % 3], in: &budget, at: step)
      case 2:
        guard let id else { continue }
        budget.close(id)
      case 3: _ = id.map { budget.charge($0, Int.random(in: 0..<2000, using: &random)) }
      case 4: _ = id.map { budget.beginCall($0) }
      default: if let id { budget.endCall(id) }
      }
      #expect(budget.connectionCount <= 32 && (0...3200).contains(budget.chargedBytes))
    }
    for id in ids {
      budget.close(id)
      budget.endCall(id)
    }
    #expect(budget.connectionCount == 0 && budget.chargedBytes == 0)
    let root = open(17, 0, .root, in: &budget)
    let begun = root.filter { budget.beginCall($0) }
    #expect(begun.count == 16)
  }

  @Test func `descriptors on their way count for their user until they are read, and root has a share`() {
    var limits = Self.limits
    limits.descriptors = 16
    limits.userDescriptors = 4
    var budget = ConnectionBudget(limits)
    let (own, others) = (open(6, 1, in: &budget), open(12, 2, in: &budget) + open(12, 3, in: &budget))
    #expect(own.map { budget.beginDescriptor($0) } == [true, true, true, true, false, false])
    // The connection's end gives nothing back: the descriptor is still unread.
    budget.close(own[0])
    let whileUnread = budget.beginDescriptor(own[5])
    budget.endDescriptor(of: 1)
    let afterwards = budget.beginDescriptor(own[5])
    #expect(!whileUnread && afterwards)
    #expect(others.filter { budget.beginDescriptor($0) }.count == 8)
    for user: UInt32 in [4, 5] { for id in open(2, user, in: &budget) { _ = budget.beginDescriptor(id) } }
    let root = open(2, 0, .root, in: &budget)
    #expect(root.map { budget.beginDescriptor($0) } == [true, false])
    budget.endDescriptor(of: 9)
  }
}

@Suite struct UserTurnsTests {
  @Test func `users take turns, and each one's come in their order`() {
    var turns = UserTurns<Int>()
    for number in 0..<100 { turns.add(number, of: 1) }
    for number in 200..<203 { turns.add(number, of: 2) }
    turns.add(300, of: 3)
    var order: [Int] = []
    while let item = turns.take() { order.append(item) }
    #expect(order.prefix(8).elementsEqual([0, 200, 300, 1, 201, 2, 202, 3]))
    #expect(order.filter { $0 < 100 } == Array(0..<100) && turns.isEmpty)
  }

  @Test func `who comes later waits for one turn of each other user`() {
    var turns = UserTurns<String>()
    for number in 0..<1000 { turns.add("flood \(number)", of: 1) }
    for _ in 0..<500 { _ = turns.take() }
    turns.add("third", of: 2)
    var next = [turns.take(), turns.take()]
    #expect(next.contains("third"))
    turns.add("again", of: 2)
    next = [turns.take(), turns.take()]
    #expect(next.contains("again"))
  }
}
