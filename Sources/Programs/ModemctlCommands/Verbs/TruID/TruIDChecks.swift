import ArgumentParser
import ModemAPI
import TruIDAPI

/// `modemctl truid phone-check`
struct TruIDPhone: FlowVerb {
  typealias Method = TruIDInterface.PhoneCheck

  static let configuration = CommandConfiguration(
    commandName: "phone-check", abstract: "Ask whether a number is that of the SIM.")

  @Argument(help: "In international form, as in +447700900123.")
  var number: String

  @OptionGroup var version: TruIDVersionOption
  @OptionGroup var options: TruIDCheckOptions
  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func parameters() -> TruIDInterface.PhoneCheck.Parameters {
    .init(
      number: number, version: version.version, way: options.way.way, reference: options.reference,
      provider: options.provider.provider, modem: choice.modem)
  }
}

/// `modemctl truid subscriber-check`
struct TruIDSubscriber: FlowVerb {
  typealias Method = TruIDInterface.SubscriberCheck

  static let configuration = CommandConfiguration(
    commandName: "subscriber-check",
    abstract: "Ask whether a number is that of the SIM, and whether it moved to another SIM lately.")

  @Argument(help: "In international form, as in +447700900123.")
  var number: String

  @OptionGroup var period: TruIDPeriodOption
  @OptionGroup var version: TruIDVersionOption
  @OptionGroup var options: TruIDCheckOptions
  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func parameters() -> TruIDInterface.SubscriberCheck.Parameters {
    .init(
      number: number, periodMinutes: period.minutes, version: version.version, way: options.way.way,
      reference: options.reference, provider: options.provider.provider, modem: choice.modem)
  }
}

/// `modemctl truid sim-check`
struct TruIDSIM: FlowVerb {
  typealias Method = TruIDInterface.SIMCheck

  static let configuration = CommandConfiguration(
    commandName: "sim-check", abstract: "Ask whether a number moved to another SIM lately.",
    discussion: "Nothing goes over the bearer, and the number need not be that of the SIM.")

  @Argument(help: "In international form, as in +447700900123.")
  var number: String

  @OptionGroup var period: TruIDPeriodOption
  @OptionGroup var options: TruIDCheckOptions
  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func parameters() -> TruIDInterface.SIMCheck.Parameters {
    .init(
      number: number, periodMinutes: period.minutes, way: options.way.way, reference: options.reference,
      provider: options.provider.provider, modem: choice.modem)
  }
}
