import ModemctlCore

/// The QR code in an image file, read by zbar's `zbarimg`.
enum QRImage {
  /// The largest image in bytes.
  static let maximumSize = 16 << 20
  /// The largest content of a QR code (ISO/IEC 18004, version 40-L), and some more for a second
  /// one.
  private static let maximumText = 8192
  private static let seconds = 20

  /// Kinds of images, by their first bytes. zbarimg is told the kind, because it would otherwise
  /// also accept formats that name other files or hosts.
  private static let kinds: [(start: [UInt8], name: String)] =
    [
      (Array("\u{89}PNG".unicodeScalars.map { UInt8($0.value) }), "png"), ([0xff, 0xd8, 0xff], "jpeg"),
      (Array("GIF8".utf8), "gif"), (Array("BM".utf8), "bmp"),
    ] + (1...6).map { (Array("P\($0)".utf8), "pnm") }

  /// Reads the text of the only QR code in an image: PNG, JPEG, GIF, BMP or PNM.
  ///
  /// - Parameters:
  ///   - path: the image.
  ///   - folders: where to look for `zbarimg`; nil for those of `PATH`.
  /// - Throws: `ModemctlError`, which names what is missing (the file, the program or the code), or
  ///   reports more than one code.
  static func text(of path: String, in folders: [String]? = nil) throws -> String {
    let image = try ArgumentFile.read(path, for: "the image", limit: maximumSize + 1)
    guard image.count <= maximumSize else {
      throw ModemctlError(.usage, "\(path) has more than \(maximumSize >> 20) MiB; give a smaller image of the QR code")
    }
    guard let kind = kinds.first(where: { image.starts(with: $0.start) })?.name else {
      throw ModemctlError(.usage, "\(path) is no image in PNG, JPEG, GIF, BMP or PNM; save the QR code in one of them")
    }
    guard let program = BoundedCommand.find("zbarimg", in: folders) else {
      throw ModemctlError(
        .failed,
        "zbarimg is not installed, which reads QR codes from images; install it with `sudo apt-get install zbar-tools`, or give the code's text"
      )
    }
    // Without D-Bus: zbar would announce what it read to the whole machine.
    let arguments = ["--nodbus", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", "\(kind):-"]
    let command = BoundedCommand(program, arguments, seconds: seconds, maximumOutput: maximumText)
    switch try command.run(input: image) {
    case .output(let bytes): return try only(bytes, path)
    case .tooLong:
      throw ModemctlError(
        .failed, "zbarimg had not read \(path) after \(seconds) s; give a smaller image of the QR code")
    case .tooMuch: throw ModemctlError(.usage, "\(path) has more than one QR code; cut the image to one of them")
    }
  }

  private static func only(_ output: [UInt8], _ path: String) throws -> String {
    let codes = Set(String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline))
    guard let code = codes.first else {
      throw ModemctlError(
        .usage, "\(path) has no QR code that can be read; give a sharp image of it, with its white margin")
    }
    guard codes.count == 1 else {
      throw ModemctlError(.usage, "\(path) has more than one QR code; cut the image to one of them")
    }
    return String(code)
  }
}
