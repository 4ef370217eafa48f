import AuthFlows
import Glibc
import IdentityFiles
import JSONTree
import MIRACLFlows

// Replaces an identity by another and back until it is killed: `identity-writer FOLDER FIRST
// SECOND`, the last two files with an identity's document each. A byte on standard output tells of
// each replacement.

func identity(_ path: String) throws -> MIRACLIdentity {
  var text = ""
  guard let file = fopen(path, "re") else { exit(2) }
  defer { fclose(file) }
  while case let byte = fgetc(file), byte != EOF { text.unicodeScalars.append(UnicodeScalar(UInt8(byte))) }
  guard let document = JSONValue(parsing: text.utf8) else { exit(2) }
  return try MIRACLIdentity(document: document)
}

let arguments = CommandLine.arguments
guard arguments.count == 4 else { exit(2) }
let identities = try [identity(arguments[2]), identity(arguments[3])]
let files = IdentityFiles(arguments[1])
var count = 0
while true {
  try await files.keep(identities[count % 2], over: nil)
  var byte: UInt8 = 0x2e
  guard write(STDOUT_FILENO, &byte, 1) == 1 else { exit(1) }
  count += 1
}
