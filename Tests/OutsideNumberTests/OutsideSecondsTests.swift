import OutsideNumber
import Testing

@Suite struct OutsideSecondsTests {
  @Test(
    arguments: [
      (Int64.min, -1_000_000_000_000), (-1_000_000_000_001, -1_000_000_000_000), (-1, -1), (0, 0), (1, 1),
      (9_007_199_254_740_993, 1_000_000_000_000), (Int64.max, 1_000_000_000_000),
    ] as [(Int64, Int64)]) func whatIsTooMuchIsHeldWithinTheRange(_ count: Int64, _ held: Int64)
  {
    #expect(OutsideSeconds(count).count == held)
  }

  @Test func unsignedAndWiderNumbersAreHeldToo() {
    #expect(OutsideSeconds(UInt64.max).count == OutsideSeconds.range.upperBound)
    #expect(OutsideSeconds(Int128.min).count == OutsideSeconds.range.lowerBound)
  }

  @Test(
    arguments: [
      ("0", 0), ("7", 7), ("+7", 7), ("-7", -7), ("00000000000000000000000000007", 7),
      ("9223372036854775807", 1_000_000_000_000), ("9223372036854775808", 1_000_000_000_000),
      ("99999999999999999999", 1_000_000_000_000), ("-99999999999999999999", -1_000_000_000_000),
    ] as [(String, Int64)]) func textIsReadWhateverItsLength(_ text: String, _ count: Int64)
  {
    #expect(OutsideSeconds(text)?.count == count)
  }

  @Test(arguments: ["", " ", "+", "-", "--1", "1.5", "1e9", "0x10", "NaN", "inf", "٣", "1 ", "-+1"])
  func textThatIsNoNumberIsNone(_ text: String) {
    #expect(OutsideSeconds(text) == nil)
  }

  @Test(
    arguments: [
      (1e308, Int64(1_000_000_000_000)), (-1e308, -1_000_000_000_000), (.infinity, 1_000_000_000_000), (0.9, 0),
      (-0.9, 0), (7.5, 7), (.leastNonzeroMagnitude, 0),
    ] as [(Double, Int64)]) func fractionsAreDropped(_ seconds: Double, _ count: Int64)
  {
    #expect(OutsideSeconds(seconds)?.count == count)
  }

  @Test func whatIsNoNumberIsNone() {
    #expect(OutsideSeconds(Double.nan) == nil)
  }

  @Test func sumsAndUnitsAreHeldWithinTheRange() {
    let (most, least) = (OutsideSeconds(Int64.max), OutsideSeconds(Int64.min))
    #expect(most + most == most)
    #expect(least - most == least)
    #expect(most - most == OutsideSeconds(0))
    #expect(OutsideSeconds.days(Int.max) == most)
    #expect(OutsideSeconds.days(Int.min) == least)
    #expect(OutsideSeconds.hours(UInt64.max) == most)
    #expect(OutsideSeconds.minutes(2).count == 120)
    #expect(most.milliseconds == 1_000_000_000_000_000)
    #expect(most.clamped(to: 0...60) == 60)
    #expect(least.clamped(to: 0...60) == 0)
  }

  @Test func delaysAreNoneToAWeek() {
    #expect(RetryDelay.bounded(Int.max) == 604_800)
    #expect(RetryDelay.bounded(Int.min) == 0)
    #expect(RetryDelay.bounded(30) == 30)
  }
}

@Suite struct WholeDurationTests {
  @Test(
    arguments: [
      (Duration.seconds(Int64.max), Int64.max), (.seconds(Int64.min), .min), (.zero, 0), (.milliseconds(-1), -1),
      (.microseconds(1), 0), (.microseconds(-1500), -1), (.milliseconds(Int64.max), .max),
      (.milliseconds(Int64.min), .min),
    ] as [(Duration, Int64)]) func millisecondsSaturate(_ duration: Duration, _ milliseconds: Int64)
  {
    #expect(duration.saturatedMilliseconds == milliseconds)
  }

  @Test(
    arguments: [
      (Duration.seconds(Int64.max), Int.max), (.seconds(Int64.min), .min), (.microseconds(1), 1), (.milliseconds(5), 5),
      (.microseconds(-1500), -1),
    ] as [(Duration, Int)]) func roundingUpSaturates(_ duration: Duration, _ milliseconds: Int)
  {
    #expect(duration.millisecondsRoundedUp == milliseconds)
  }

  @Test func nanosecondsSaturate() {
    #expect(Duration.seconds(Int64.max).saturatedNanoseconds == .max)
    #expect(Duration.seconds(Int64.min).saturatedNanoseconds == .min)
    #expect(Duration.nanoseconds(Int64.max).saturatedNanoseconds == .max)
    #expect(Duration.milliseconds(2).saturatedNanoseconds == 2_000_000)
  }

  @Test func whatIsWaitedForIsBounded() {
    #expect(Duration.seconds(Int64.max).bounded == .longest)
    #expect(Duration.seconds(Int64.min).bounded == .zero)
    #expect(ContinuousClock.now + Duration.seconds(Int64.max).bounded > .now)
  }
}
