import Testing

/// Marks a test as an attack: who makes it, and whether it worked before it was first written down.
///
/// Docs/security.md lists attackers and what stands against each; `AttackListTests` counts what is
/// marked.
struct Attack: TestTrait {
  /// Who attacks.
  enum Attacker: String, CaseIterable {
    /// Another user of the machine, without rights.
    case otherUser
    /// A member of the group `modemd`, who may ask for the number and nothing more.
    case neighbour
    /// What answers as a provider, an operator's page or a backend.
    case provider
    /// The network behind the bearer, or who sits on it.
    case network
    /// A modem, its firmware or its SIM.
    case modem
  }

  /// What the attack did to the code of commit 9c1fabb, on which the suite was begun.
  enum Before: String, CaseIterable {
    /// It worked.
    case broke
    /// It was held already.
    case held
  }

  let attacker: Attacker
  let before: Before
}

extension Trait where Self == Attack {
  static func attack(by attacker: Attack.Attacker, _ before: Attack.Before) -> Self {
    Attack(attacker: attacker, before: before)
  }
}
