import OutsideNumber
import Testing

@Suite struct DurationWordsTests {
  @Test(
    arguments: [
      (.zero, "0 ms"), (.microseconds(999), "0 ms"), (.milliseconds(12), "12 ms"), (.milliseconds(999), "999 ms"),
      (.seconds(1), "1 s"), (.milliseconds(1049), "1 s"), (.milliseconds(1300), "1.3 s"),
      (.milliseconds(9999), "9.9 s"), (.milliseconds(10_500), "10 s"), (.seconds(30), "30 s"),
      (.seconds(3600), "3600 s"), (.milliseconds(-250), "-250 ms"), (.seconds(-3), "-3 s"),
      (.seconds(Int64.max), "9223372036854775 s"), (.seconds(Int64.min), "-9223372036854775 s"),
    ] as [(Duration, String)]) func wholeSecondsHaveNoFraction(_ duration: Duration, _ words: String)
  {
    #expect(duration.words == words)
  }
}
