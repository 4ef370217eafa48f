import ArgumentParser
import ModemAPI
import ModemctlCore
import TruIDAPI

/// `modemctl truid phone-check`
struct TruIDPhone: FlowVerb {
  typealias Method = TruIDInterface.PhoneCheck

  static let configuration = CommandConfiguration(
    commandName: "phone-check", abstract: "Ask whether a number is that of the SIM.")

  @OptionGroup var subscriber: NumberArgument

  @OptionGroup var version: TruIDVersionOption
  @OptionGroup var options: TruIDCheckOptions
  @OptionGroup var flow: FlowOptions

  func parameters() -> TruIDInterface.PhoneCheck.Parameters {
    .init(
      number: subscriber.number, version: version.version, way: options.way.way, reference: options.reference,
      provider: flow.provider, modem: flow.modem)
  }
}

/// `modemctl truid subscriber-check`
struct TruIDSubscriber: FlowVerb {
  typealias Method = TruIDInterface.SubscriberCheck

  static let configuration = CommandConfiguration(
    commandName: "subscriber-check",
    abstract: "Ask whether a number is that of the SIM, and whether it recently moved to another SIM.")

  @OptionGroup var subscriber: NumberArgument

  @OptionGroup var period: TruIDPeriodOption
  @OptionGroup var version: TruIDVersionOption
  @OptionGroup var options: TruIDCheckOptions
  @OptionGroup var flow: FlowOptions

  func parameters() -> TruIDInterface.SubscriberCheck.Parameters {
    .init(
      number: subscriber.number, periodMinutes: period.minutes, version: version.version, way: options.way.way,
      reference: options.reference, provider: flow.provider, modem: flow.modem)
  }
}

/// `modemctl truid sim-check`
struct TruIDSIM: FlowVerb {
  typealias Method = TruIDInterface.SIMCheck

  static let configuration = CommandConfiguration(
    commandName: "sim-check", abstract: "Ask whether a number recently moved to another SIM.",
    discussion: "Nothing goes over the bearer, and the number need not be that of the SIM.")

  @OptionGroup var subscriber: NumberArgument

  @OptionGroup var period: TruIDPeriodOption
  @OptionGroup var options: TruIDCheckOptions
  @OptionGroup var flow: FlowOptions

  func parameters() -> TruIDInterface.SIMCheck.Parameters {
    .init(
      number: subscriber.number, periodMinutes: period.minutes, way: options.way.way, reference: options.reference,
      provider: flow.provider, modem: flow.modem)
  }
}
