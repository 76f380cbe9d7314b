import TestSupport
import Testing

/// The accounts on the screen of `market watch`, with exchanges on this machine.
@Suite(.waitsForPrograms) struct LiveAccountTests {
  /// The key B of `market watch` shows the accounts, which are not requested before.
  @Test func liveScreenShowsAccounts() throws {
    let home = try AccountHome(#"[{"a": "BTC", "f": "0.5", "l": "1.50"}]"#)
    let session = try home.screen("-e", "alpha")
    #expect(!home.server.received.contains { $0.target.hasPrefix("/balances") })
    session.terminal.write("B")
    #expect(session.play(untilWritten: "own KRW pair"), "\(session.text)")
    // Within the minimum pause there is no second request.
    #expect(home.server.received.count { $0.target.hasPrefix("/balances") } == 1)
    session.terminal.write("q")
    session.terminal.write("q")
    #expect(session.ending() == 0)
    for secret in AccountHome.secrets { #expect(!session.text.contains(secret)) }
  }

  /// An exchange whose account blocks are invalid is missing from the sum, which says so; its prices are there.
  @Test func invalidBlockIsNamed() throws {
    let home = try AccountHome(#"[{"a": "BTC", "f": "0.5", "l": "1.50"}]"#)
    try home.addBeta()
    try home.addKeyOfBeta()
    let session = try home.screen("-e", "alpha,beta")
    session.terminal.write("B")
    #expect(
      session.repaints(
        "own KRW pair", "not in it: 1 account without an answer (Beta)",
        "Beta: no-answer config: its block is invalid; run: market validate-config"), "\(session.text)")
    session.terminal.write("qq")
    #expect(session.ending() == 0)
  }

  /// What the screen advises works while it is open, and a key that is removed is not used any more.
  @Test func followsKeys() throws {
    let home = try AccountHome(#"[{"a": "BTC", "f": "0.5", "l": "1.50"}]"#)
    let keys = try home.keys()
    try home.write(keys: "{}")
    let session = try home.screen("-e", "alpha")
    session.terminal.write("B")
    let advice = "no API keys stored; add a read-only key with: market keys add NAME"
    #expect(session.repaints(advice), "\(session.text)")
    try home.write(keys: keys)
    #expect(session.repaints("own KRW pair"), "\(session.text)")
    // A file that cannot be used changes nothing.
    try home.write(keys: "{")
    #expect(session.repaints("own KRW pair", "/credentials.json:1:"), "\(session.text)")
    try home.write(keys: "{}")
    #expect(session.repaints(advice), "\(session.text)")
    session.terminal.write("qq")
    #expect(session.ending() == 0)
    for secret in AccountHome.secrets { #expect(!session.text.contains(secret)) }
  }
}

extension LiveSession {
  /// Returns whether a picture appears that has these texts: repainted, as otherwise only what differs is written.
  fileprivate func repaints(_ texts: String...) -> Bool {
    let start = written.count
    return play {
      terminal.write("\u{C}")
      let shown = text(since: start)
      return texts.allSatisfy { shown.contains($0) }
    }
  }
}
