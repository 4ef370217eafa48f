import CAMARAAPI
import FirebaseAPI
import FlowService
import IPificationAPI
import MIRACLAPI
import MobileConnectAPI
import ModemAPI
import ModemAPIServer
import Testing
import TruIDAPI
import Varlink

@testable import modemd

@Suite("Who may do what")
struct AccessTableTests {
  /// Every interface with one of its methods, and whether members of `access.groups` may use it
  /// where the table says nothing.
  static let interfaces: [(String, String, Bool)] = [
    (ModemInterface.name, "Get", true), (BearerInterface.name, "Connect", true), (CheckInterface.name, "Open", true),
    (MessagesInterface.name, "WaitForCode", false), (VerifyInterface.name, "Number", true),
    (TruIDInterface.name, "SubscriberCheck", true), (IPificationInterface.name, "Verify", true),
    (NumberVerificationInterface.name, "DevicePhoneNumber", true), (SIMSwapInterface.name, "Check", true),
    (PhoneSignInInterface.name, "SignIn", false),
    (MIRACLInterface.name, "Login", false),
    (MobileConnectInterface.name, "Login", true),
  ]

  static let member = Peer(processID: 1, userID: 1000, groupIDs: [1000, 985])
  static let payments = Peer(processID: 1, userID: 1001, groupIDs: [1001, 500])
  static let stranger = Peer(processID: 1, userID: 1002, groupIDs: [1002])
  static let root = Peer(processID: 1, userID: 0, groupIDs: [0])
  static let own = Peer(processID: 1, userID: 990, groupIDs: [990])

  @Test("Without a table the groups may use an interface or not, and a stranger none", arguments: interfaces)
  func plain(interface: String, method: String, isOpen: Bool) {
    let policy = AccessPolicy(groupIDs: [985], ownUserID: 990, defaults: KnownProviders.defaults)
    let name = "\(interface).\(method)"
    #expect(policy.allows(Self.member, name) == isOpen)
    #expect(!policy.allows(Self.stranger, name) && !policy.allows(Self.payments, name))
    #expect(policy.allows(Self.root, name) && policy.allows(Self.own, name))
  }

  @Test("Who the SIM is, is told to whoever may call, or to the groups that are named, and to root and modemd")
  func identity() {
    let all = AccessPolicy(groupIDs: [985], ownUserID: 990)
    let some = AccessPolicy(groupIDs: [985], identityGroupIDs: [500], ownUserID: 990)
    let none = AccessPolicy(groupIDs: [985], identityGroupIDs: [], ownUserID: 990)
    for peer in [Self.member, Self.payments, Self.stranger, Self.root, Self.own] {
      let isOwn = peer == Self.root || peer == Self.own
      #expect(all.showsIdentity(to: peer))
      #expect(some.showsIdentity(to: peer) == (isOwn || peer == Self.payments))
      #expect(none.showsIdentity(to: peer) == isOwn)
    }
  }

  @Test("An interface in the table is its own groups' alone", arguments: interfaces)
  func table(interface: String, method: String, isOpen: Bool) {
    let policy = AccessPolicy(
      groupIDs: [985], table: [interface: [500]], messageGroupIDs: [985], ownUserID: 990,
      defaults: KnownProviders.defaults)
    let name = "\(interface).\(method)"
    #expect(policy.allows(Self.payments, name) && !policy.allows(Self.member, name))
    #expect(!policy.allows(Self.stranger, name) && policy.allows(Self.root, name))
    for (other, method, isOpen) in Self.interfaces where other != interface {
      #expect(!policy.allows(Self.payments, "\(other).\(method)"))
      #expect(policy.allows(Self.member, "\(other).\(method)") == (isOpen || other == MessagesInterface.name))
    }
  }

  @Test(
    "A method in the table comes before its interface, and an empty entry leaves root and modemd", arguments: interfaces
  )
  func method(interface: String, method: String, isOpen: Bool) {
    let name = "\(interface).\(method)"
    let policy = AccessPolicy(
      groupIDs: [985], table: [interface: [985], name: []], ownUserID: 990, defaults: KnownProviders.defaults)
    #expect(!policy.allows(Self.member, name) && policy.allows(Self.root, name) && policy.allows(Self.own, name))
    let others = KnownProviders.defaults.all.filter { other, right in
      other.hasPrefix("\(interface).") && other != name && right != .ownEntry
    }
    #expect(others.keys.allSatisfy { policy.allows(Self.member, $0) })
  }
}
