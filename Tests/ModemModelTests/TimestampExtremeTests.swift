import ModemModel
import OutsideNumber
import Testing

/// Moments and times of any size.
@Suite struct TimestampExtremeTests {
  @Test(
    arguments: [
      (Int64.min, "0000-01-01T00:00:00.000Z"), (-62_167_219_200_001, "0000-01-01T00:00:00.000Z"),
      (253_402_300_800_000, "9999-12-31T23:59:59.999Z"), (Int64.max, "9999-12-31T23:59:59.999Z"),
    ] as [(Int64, String)]) func momentsAreHeldWithinTheYearsThatCanBeWritten(_ milliseconds: Int64, _ text: String)
  {
    #expect(Timestamp(milliseconds: milliseconds).description == text)
  }

  @Test(
    arguments: [
      Duration.seconds(Int64.max), .seconds(Int64.min), .milliseconds(Int64.max), .zero, .nanoseconds(1), .longest,
    ] as [Duration]) func sumsStayWithinThem(_ time: Duration)
  {
    for moment in [Timestamp.earliest, Timestamp(milliseconds: 0), .latest] {
      let sum = moment.later(by: time)
      #expect(sum >= .earliest && sum <= .latest)
      #expect(time < .zero ? sum <= moment : sum >= moment)
    }
  }

  @Test func differencesAreExact() {
    #expect(Timestamp.latest.time(since: .earliest) == .milliseconds(253_402_300_799_999 + 62_167_219_200_000))
    #expect(Timestamp.earliest.time(since: .latest) < .zero)
    #expect(Timestamp.latest.time(to: .earliest) == .zero)
  }

  @Test func secondsOfAnySizeAreMoments() {
    #expect(Timestamp(OutsideSeconds(Int64.max)) == .latest)
    #expect(Timestamp(OutsideSeconds(Int64.min)) == .earliest)
    #expect(Timestamp(OutsideSeconds(1)).milliseconds == 1000)
  }

  @Test(
    arguments: [
      "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "0000-00-00T00:00:00Z", "99999-01-01T00:00:00Z",
      "2026-02-30T00:00:00Z", "2016-12-31T23:59:60Z", "2026-01-01T24:00:00Z", "-001-01-01T00:00:00Z",
      "2026-01-01T00:00:00.Z",
      "2026-01-01T00:00:00.9999999999999Z", "", "Z", "aaaaaaaaaaaaaaaaaaaaaaaZ", "２０２６-01-01T00:00:00Z",
    ] as [String]) func textIsReadOrRefused(_ text: String)
  {
    if let moment = Timestamp(rfc3339: text) { #expect(moment >= .earliest && moment <= .latest) }
  }
}
