import Testing
import TokenSigning

@Suite("SHA-256")
struct DigestTests {
  @Test(
    "Known hashes (FIPS 180-2, appendix B; RFC 7636, appendix B)",
    arguments: [
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      (
        "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
        "13d31e961a1ad8ec2f16b10c4c982e0876a878ad6df144566ee1894acb70f9c3"
      ),
    ])
  func known(text: String, hash: String) {
    #expect(Digest.hex(Digest.sha256(text.utf8)) == hash)
  }
}
