import Files
import MarketData

/// The process: runs the command line and leaves with its exit code.
@main
enum MarketProgram {
  static func main() {
    ProcessControl.openStandardStreams()
    ProcessControl.ignoreBrokenPipes()
    ProcessControl.allowOpenFiles()
    ProcessControl.growHeapInLargePages()
    MarketSession.prepare(for: CommandLine.arguments.dropFirst())
    switch Program.market.begin(in: .process()) {
    case .finished(let code):
      ProcessControl.leave(with: code)
    case .awaiting(let rest):
      if let lack = ProcessControl.lack {
        _ = FileSystem.send(Array("error: \(lack)\n".utf8), to: 2, named: "standard error")
        ProcessControl.leave(with: .noAnswer)
      }
      // `main` itself is not async: that alone would start the concurrency runtime for `--version` too.
      Task.detached { ProcessControl.leave(with: await rest()) }
      ProcessControl.waitForever()
    }
  }
}

/// All commands, in the order of the help page.
extension Program {
  static let market = Program(
    name: "market",
    summary: "compare one asset across exchanges",
    examples: [
      .init("market show BTC USDT", "BTC/USDT on every exchange"),
      .init("market help show", "all about one command"),
    ],
    commands: [
      ShowCommand.command,
      TickersCommand.command,
      PremiumCommand.command,
      FxCommand.command,
      ExchangesCommand.command,
      TestExchangeCommand.command,
      DoctorCommand.command,
      ConfigCommand.command,
      ValidateConfigCommand.command,
      ExplainCommand.command,
      SchemaCommand.command,
      AddExchangeCommand.command,
      RemoveExchangeCommand.command,
      JSONPathCommand.command,
      HelpCommand.command,
      VersionCommand.command,
    ],
    discussion: [
      "The config is the file of --config, else of MARKET_CONFIG, else ~/.config/market/exchanges.json, else the one that "
        + "ships with the program; 'market config path' says which."
    ])
}
