import ArgumentParser
import Glibc
import ScenarioRunner

/// A world that lives as long as what a person does in it.
enum HeldWorld {
  /// Starts a world, and ends it after `body`.
  ///
  /// - Parameters:
  ///   - folder: the scenario's folder.
  ///   - body: what happens in the world; returns the exit status.
  /// - Throws: `ExitCode`, after a message where the world itself failed.
  static func hold(
    _ folder: String, _ options: World.Options,
    _ body: (World, Interrupts) async throws -> Int32
  ) async throws {
    let interrupts = await Interrupts.trap()
    do {
      let scenario = try Scenario(folder: folder)
      let world = try await interrupts.cancelling { try await World.start(scenario, options) }
      let status = await result { try await body(world, interrupts) }
      await world.stop()
      if try status.get() != 0 { throw ExitCode(try status.get()) }
    } catch is CancellationError {
      throw ExitCode(130)
    } catch let error as WorldError {
      Console.complain(error)
      throw ExitCode.failure
    }
  }

  /// Runs a command with this program's terminal; returns its exit status.
  static func run(_ command: [String], in world: World, _ interrupts: Interrupts) async throws -> Int32 {
    let process = try await world.begin(command, isForeground: true).process
    interrupts.handle { signal in
      // The terminal has interrupted the command itself.
      if signal != SIGINT || isatty(0) == 0 { process.send(signal) }
    }
    return await process.waitForEnd().status
  }

  private static func result(_ body: () async throws -> Int32) async -> Result<Int32, any Error> {
    do {
      return .success(try await body())
    } catch {
      return .failure(error)
    }
  }
}
