import Testing

@testable import JournalLog

@Suite struct JournalLogTests {}
