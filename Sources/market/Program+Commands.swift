/// The commands that there are, in the order of the help page.
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
      ValidateConfigCommand.command,
      ExplainCommand.command,
      SchemaCommand.command,
      AddExchangeCommand.command,
      RemoveExchangeCommand.command,
      JSONPathCommand.command,
      HelpCommand.command,
      VersionCommand.command,
    ])
}
