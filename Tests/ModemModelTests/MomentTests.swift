import ModemModel
import Testing

@Suite struct `A moment` {
  @Test(
    arguments: [
      // Each field beyond its end, another form, other digits.
      "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z",
      "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00",
      "2026-01-01T00:00:00+00:00", "2026-01-01t00:00:00z", "2026-01-01 00:00:00Z", "2026-1-01T00:00:000Z",
      "2026-01-01T00:00:00.1Z", "2026-01-01T00:00:00.1234Z", "2026-01-01T00:00:00,123Z", "+026-01-01T00:00:00Z",
      "２０26-01-01T00:00:00Z", "", "Z",
      // Days that their months do not have.
      "2026-02-29T00:00:00Z", "2026-02-30T00:00:00Z", "2026-04-31T00:00:00Z", "2100-02-29T00:00:00Z",
    ])
  func `is not read from another form, or of a day that there is not`(text: String) {
    #expect(Timestamp(rfc3339: text) == nil)
  }

  @Test(arguments: ["2000-02-29", "2024-02-29", "2026-02-28", "2026-04-30", "0000-02-29", "9999-12-31"])
  func `is read of each day that there is, with a fraction or without`(date: String) throws {
    let moment = try #require(Timestamp(rfc3339: "\(date)T12:34:56Z"))
    #expect(moment.description == "\(date)T12:34:56.000Z")
    #expect(Timestamp(rfc3339: "\(date)T12:34:56.789Z")?.time(since: moment) == .milliseconds(789))
  }

  @Test func `of any day in four centuries is written and read back, in order`() {
    // Every day of four years, and every 61st of all: that comes to each month's beginning and end.
    for days in [Array(-1...1461), Array(stride(from: -36_523, through: 109_573, by: 61))] {
      var previous = Timestamp.earliest
      for day in days {
        let moment = Timestamp(milliseconds: Int64(day) * 86_400_000)
        #expect(Timestamp(rfc3339: moment.description) == moment && previous.description < moment.description)
        previous = moment
      }
    }
  }

  @Test func `goes on and back by times, cut off to milliseconds`() {
    let moment = Timestamp(milliseconds: 1_000_000)
    #expect(moment.later(by: .seconds(2)).milliseconds == 1_002_000)
    #expect(moment.later(by: .seconds(-2)).milliseconds == 998_000)
    #expect(moment.later(by: .microseconds(1999)).milliseconds == 1_000_001)
    #expect(moment.time(to: moment.later(by: .seconds(3))) == .seconds(3))
    #expect(moment.time(to: moment.later(by: .seconds(-3))) == .zero)
    #expect(moment.time(since: moment.later(by: .seconds(3))) == .seconds(-3))
    #expect(Timestamp(milliseconds: 1999).seconds == 1)
  }

  @Test func `stays within the years that can be written`() {
    #expect(Timestamp.latest.later(by: .seconds(1)) == .latest)
    #expect(Timestamp.earliest.later(by: .seconds(-1)) == .earliest)
    #expect(Timestamp.earliest.description == "0000-01-01T00:00:00.000Z")
    #expect(Timestamp.latest.description == "9999-12-31T23:59:59.999Z")
    #expect(Timestamp.earliest < .latest && !(Timestamp.latest < .latest))
  }
}
