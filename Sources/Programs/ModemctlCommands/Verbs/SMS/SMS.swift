import ArgumentParser

/// `modemctl sms`
struct SMS: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sms", abstract: "The SIM's short messages, and the one-time codes in them.",
    discussion: """
      Only root, and members of the groups in modemd's setting access.messageGroups, may use it. Senders' \
      numbers, and digits in texts, are masked unless --reveal is given.
      """,
    subcommands: [SMSList.self, SMSShow.self, SMSWatch.self, SMSWaitForCode.self, SMSDelete.self])
}
