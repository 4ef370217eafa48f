/// What the protocols ask of the card beside its files and PIN.
extension ModemEngine {
  /// Gives a challenge to the card; nil without one.
  ///
  /// - Parameters:
  ///   - rand: 16 bytes.
  ///   - autn: 16 bytes.
  mutating func challenge(rand: [UInt8], autn: [UInt8]) -> ChallengeAnswer? {
    guard card != nil else { return nil }
    noteChallenge()
    return useCard { [authentication] in $0.authenticate(rand: rand, autn: autn, as: authentication) }
  }

  /// Sends a command to the card on a channel; nil without a card.
  mutating func send(
    _ command: CardCommand, on channel: UInt8
  ) -> (data: [UInt8], words: SIMFile.StatusWords)? {
    if command.instruction == CardCommand.authenticate, command.challenge != nil, card != nil { noteChallenge() }
    return useCard { [authentication] card in
      card.perform(command, on: channel, usesGetResponse: authentication.usesGetResponse) { card, rand, autn in
        card.authenticate(rand: rand, autn: autn, as: authentication)
      }
    }
  }

  /// Counts a challenge, and moves a card ahead that is to be out of step.
  private mutating func noteChallenge() {
    challenges += 1
    if authentication.delay > .zero { cardDelay = authentication.delay }
    guard authentication.card == .outOfStep else { return }
    authentication.card = .working
    _ = useCard { $0.moveAhead() }
  }

  /// How much later the answer to the command comes that has just been carried out; nil where the
  /// card was not asked, or is quick.
  mutating func takeCardDelay() -> Duration? {
    defer { cardDelay = nil }
    return cardDelay
  }
}

/// Logical channels.
extension ModemEngine {
  /// Opens a channel.
  ///
  /// - Returns: its number, 0 for none, and why.
  mutating func openChannel(to application: [UInt8], group: UInt32) -> (number: UInt8, words: SIMFile.StatusWords) {
    let taken = authentication.takenChannels
    let opened = useCard { card -> (UInt8, SIMFile.StatusWords) in
      do throws(SIMFile.StatusWords) {
        return (try card.openChannel(to: application, group: group, taken: taken), .done)
      } catch {
        return (0, error)
      }
    }
    return opened ?? (0, .noChannel)
  }

  /// Whether there was such a channel.
  mutating func closeChannel(_ number: UInt8) -> Bool { useCard { $0.closeChannel(number) } ?? false }

  mutating func closeChannels(ofGroup group: UInt32) { _ = useCard { $0.closeChannels(ofGroup: group) } }

  mutating func closeChannels() { _ = useCard { $0.closeChannels() } }
}
