import Files
import TestSupport
import Testing

/// The scripts in their respective shells, with the built program.
@Suite(.waitsForPrograms) struct CompletionScriptTests {
  private static func path(of program: String) -> String? {
    ["/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(program)" }
      .first(where: FileSystem.isExecutable)
  }

  private static let bash = path(of: "bash")
  private static let zsh = path(of: "zsh")
  private static let fish = path(of: "fish")

  /// An unfinished command line, and the shell's completions.
  struct Case: Sendable, CustomTestStringConvertible {
    let line: String
    let result: String

    init(_ line: String, _ result: String) {
      self.line = line
      self.result = result
    }

    var testDescription: String { line }
  }

  /// Runs a script with the command line as `$1`, in a home folder with the files `one.json`, `two/` and
  /// `my file`.
  private static func run(_ shell: String?, _ script: String, _ line: String) throws -> String {
    let program = try Subprocess.market()
    let folder = try TemporaryFolder()
    try FileSystem.writeAtomically(Array("{}".utf8), to: "\(folder.path)/one.json")
    try FileSystem.writeAtomically([], to: "\(folder.path)/my file")
    try FileSystem.createFolder("\(folder.path)/two")
    let place = program.prefix(upTo: program.lastIndex(of: "/") ?? program.startIndex)
    let run = try Subprocess(
      #require(shell), ["-c", "cd '\(folder.path)' || exit 9\n" + script] + (shell == fish ? [] : ["sh"]) + [line],
      environment: ["PATH": "\(place):/usr/bin:/bin:/usr/local/bin", "HOME": folder.path, "TERM": "dumb"])
    #expect(run.errorOutput == "")
    return run.output
  }

  /// Splits the line as readline does, which breaks words at `=`.
  @Test(
    .enabled(if: bash != nil, "needs bash"),
    arguments: [
      Case("sho", "show"), Case("show -f j", "json"), Case("show --format = j", "json"),
      Case("show BTC KRW -e upbit,bithu", "upbit,bithumb"), Case("tickers Upbi", "Upbit"),
      Case("chart BTC USDT --premium upbit : K", "KRW"),
      Case("chart BTC USDT --premium upbit : KRW,binan", "KRW,binance"),
      Case("chart BTC USDT --premium binance,upbit :", "KRW USDT"),
      Case("tickers nothing", ""), Case("tickers Upbit -r pairs = on", "one.json"),
    ])
  func inBash(_ sample: Case) throws {
    let script = """
      source <(market completions bash)
      read -ra COMP_WORDS <<<"market $1"
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      complete -p market >/dev/null || echo 'nothing is completed'
      # Outside of a completion there is no default for readline to use.
      compopt() { COMPREPLY=($(compgen -f "${COMP_WORDS[COMP_CWORD]}")); }
      _market market "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
      echo "${COMPREPLY[*]}"
      """
    #expect(try Self.run(Self.bash, script, sample.line) == sample.result + "\n")
  }

  /// Types the line into an interactive zsh and presses the tab key.
  @Test(
    .enabled(if: zsh != nil, "needs zsh"),
    arguments: [
      Case("sho", "show "), Case("show -f j", "show -f json "), Case("show --format=j", "show --format=json "),
      Case("show BTC KRW -e upbit,bithu", "show BTC KRW -e upbit,bithumb "), Case("tickers Upbi", "tickers Upbit "),
      Case("chart BTC USDT --premium upbit:K", "chart BTC USDT --premium upbit:KRW "),
      Case("validate-config on", "validate-config one.json "), Case("show BTC --replay t", "show BTC --replay two/"),
      Case("show BTC --config=o", "show BTC --config=one.json "), Case("tickers nothing", "tickers nothing"),
      Case("tickers Upbit -r pairs=on", "tickers Upbit -r pairs=one.json "),
      Case("validate-config ~/on", "validate-config ~/one.json "),
    ])
  func inZsh(_ sample: Case) throws {
    let script = #"""
      mkdir functions; market completions zsh >functions/_market
      zmodload zsh/zpty
      zpty inner zsh -f -i
      zpty -w inner 'PS1=; fpath=($PWD/functions $fpath); autoload -Uz compinit; compinit -D -u'
      zpty -w inner 'said() { zle complete-word; print -r -- "<<$BUFFER>>" >>said; exit }; zle -N said; bindkey "^I" said; print rea""dy'
      zpty -r inner text '*ready*'
      zpty -w -n inner "market $1"$'\t'
      while zpty -r inner text; do :; done
      sed 's/^<<market //; s/>>$//' said
      """#
    #expect(try Self.run(Self.zsh, script, sample.line) == sample.result + "\n")
  }

  @Test(
    .enabled(if: fish != nil, "needs fish"),
    arguments: [
      Case("sho", "show"), Case("show -f j", "json"), Case("show --format=j", "--format=json"),
      Case("show BTC KRW -e upbit,bithu", "upbit,bithumb"), Case("tickers Upbi", "Upbit"),
      Case("validate-config on", "one.json"), Case("show BTC --replay t", "two/"),
      Case("show BTC --config=o", "--config=one.json"), Case("show BTC --config=~/o", "--config=~/one.json"),
      Case("tickers Upbit -r ~/o", "~/one.json"), Case("tickers Upbit -r $HOME/o", "$HOME/one.json"),
      Case("tickers Upbit -r pairs=o", "pairs=one.json"), Case("validate-config my\\ f", "my file"),
      Case("validate-config \"my f", "my file"), Case("validate-config 'my f", "my file"),
      Case("show BTC KRW -e \"bithu", "bithumb"), Case("tickers \"Upbi", "Upbit"),
    ])
  func inFish(_ sample: Case) throws {
    let script = """
      market completions fish | source
      complete -C "market $argv[1]" | string replace -r '\\t.*' ''
      """
    #expect(try Self.run(Self.fish, script, sample.line) == sample.result + "\n")
  }
}
