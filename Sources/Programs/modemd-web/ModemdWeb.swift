/// Three programs in one file, which share what a page may ask and learn. Each has options of its
/// own.
@main
enum ModemdWeb {
  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    if words.first == "native-host" {
      await NativeHostCommand.main(Array(words.dropFirst()))
    } else if words.first == "fetch" {
      await FetchCommand.main(Array(words.dropFirst()))
    } else {
      await ModemdWebCommand.main(words)
    }
  }
}
