import ModemModel
import NetworkAddress
import Testing

@testable import ModemPort

/// What ended between two lists of sockets: each socket once, with its last numbers.
@Suite("Sockets from list to list")
struct SocketTallyTests {
  private func socket(_ cookie: UInt64, _ sent: Int? = 0, isDatagram: Bool = false) -> BearerSockets.Socket {
    BearerSockets.Socket(cookie: cookie, isDatagram: isDatagram, sent: sent, received: sent)
  }

  private func list(_ sockets: BearerSockets.Socket..., unlisted: Int = 0) -> BearerSocketList {
    BearerSocketList(sockets: sockets, unlisted: unlisted)
  }

  @Test("a note that comes first ends the socket at the next list, with the note's numbers")
  func noteFirst() {
    var tally = SocketTally(limit: 10)
    #expect(tally.report(list(socket(1, 5), socket(2, 7))).ended == [])
    tally.note(socket(1, 9))
    let report = tally.report(list(socket(2, 8)))
    #expect(report.open == [socket(2, 8)] && report.ended == [socket(1, 9)])
    #expect(tally.report(list(socket(2, 8))).ended == [])
  }

  @Test("a note that comes a moment late is waited for, once")
  func noteLate() {
    var tally = SocketTally(limit: 10)
    _ = tally.report(list(socket(1, 5)))
    #expect(tally.report(list()) == BearerSockets(open: []))
    tally.note(socket(1, 9))
    #expect(tally.report(list()).ended == [socket(1, 9)])
    #expect(tally.report(list()).ended == [])
  }

  @Test("without a note the last list's numbers count, and a note after that changes nothing")
  func noNote() {
    var tally = SocketTally(limit: 10)
    _ = tally.report(list(socket(1, 5)))
    _ = tally.report(list())
    #expect(tally.report(list()).ended == [socket(1, 5)])
    tally.note(socket(1, 9))
    #expect(tally.report(list()).ended == [])
  }

  @Test("a socket that no list had is reported by its note")
  func betweenLists() {
    var tally = SocketTally(limit: 10)
    _ = tally.report(list())
    tally.note(socket(3, 100))
    #expect(tally.report(list()).ended == [socket(3, 100)])
    #expect(tally.report(list()).ended == [])
  }

  @Test("a datagram socket, which nothing notes, ends with the list that lacks it")
  func datagram() {
    var tally = SocketTally(limit: 10)
    _ = tally.report(list(socket(1, nil, isDatagram: true)))
    #expect(tally.report(list()).ended == [socket(1, nil, isDatagram: true)])
    #expect(tally.report(list()).ended == [])
  }

  @Test("a socket that was destroyed and connected again is open again, and ends again")
  func connectedAgain() {
    var tally = SocketTally(limit: 10)
    _ = tally.report(list(socket(1, 5)))
    _ = tally.report(list())
    #expect(tally.report(list()).ended == [socket(1, 5)])
    #expect(tally.report(list(socket(1, 6))).open == [socket(1, 6)])
    tally.note(socket(1, 7))
    #expect(tally.report(list()).ended == [socket(1, 7)])
    // Missing for one list only.
    _ = tally.report(list(socket(2, 1)))
    _ = tally.report(list())
    let again = tally.report(list(socket(2, 2)))
    #expect(again.open == [socket(2, 2)] && again.ended == [])
  }

  @Test("a note that lacks what a list had is completed by it")
  func completed() {
    var tally = SocketTally(limit: 10)
    var listed = socket(1, 50)
    listed.ends = BearerSockets.Ends(source: IPAddress("10.0.0.1")!, sourcePort: 4000, address: nil, port: nil)
    _ = tally.report(list(listed))
    tally.note(socket(1, 0))
    #expect(tally.report(list()).ended == [listed])
  }

  @Test("lists stay within their limit, and say what is beyond it")
  func bounds() {
    var tally = SocketTally(limit: 3)
    for cookie in 1...5 { tally.note(socket(UInt64(cookie), 1)) }
    let report = tally.report(list(unlisted: 4))
    #expect(report.ended.count == 3 && report.unlisted == 6)
    for round in 0..<100 {
      _ = tally.report(list(socket(UInt64(1000 + round), 1)))
      tally.note(socket(UInt64(5000 + round), 1))
    }
    #expect(tally.report(list()).ended.count <= 3)
  }
}
