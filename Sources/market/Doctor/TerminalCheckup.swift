import Config
import Terminal

/// What is known of the screen.
enum TerminalCheckup {
  static func checkups(_ invocation: Invocation, _ config: ConfigCheckup, in context: Context) -> [Checkup] {
    [width(in: context), color(invocation, in: context), scheme(config, in: context), locale(in: context)]
  }

  private static func width(in context: Context) -> Checkup {
    guard context.terminal.outputIsTerminal else {
      return Checkup(.terminal, .ok, "the output is no terminal: nothing is cut, nothing is coloured")
    }
    guard let columns = context.terminal.columns else {
      return Checkup(.terminal, .warning, "the terminal does not say how wide it is: nothing is cut")
    }
    guard columns >= 80 else {
      return Checkup(
        .terminal, .warning, "\(columns) columns: tables leave some of theirs out",
        help: "80 show the most, 120 show all")
    }
    return Checkup(.terminal, .ok, "\(columns) columns")
  }

  private static func color(_ invocation: Invocation, in context: Context) -> Checkup {
    let mode = (try? invocation.choice(of: .color, as: ColorMode.self)) ?? .auto
    let reason: String
    switch mode {
    case .always: reason = "on, by --color always"
    case .never: reason = "off, by --color never"
    case .auto:
      if !context.terminal.outputIsTerminal {
        reason = "off, since the output is no terminal"
      } else if let value = context.environment["NO_COLOR"], !value.isEmpty {
        reason = "off, by NO_COLOR"
      } else if context.environment["TERM"] == "dumb" {
        reason = "off, by TERM=dumb"
      } else {
        reason = "on, since the output is a terminal"
      }
    }
    return Checkup(.terminal, .ok, "colour is \(reason)")
  }

  private static func scheme(_ config: ConfigCheckup, in context: Context) -> Checkup {
    let locale = ColorScheme.localeName { context.environment[$0] }
    if let colors = config.configuration?.settings.colors, let scheme = ColorScheme(rawValue: colors) {
      return Checkup(.terminal, .ok, "colour scheme \(scheme.rawValue), by the config's settings")
    }
    let scheme = ColorScheme(locale: locale)
    return Checkup(.terminal, .ok, "colour scheme \(scheme.rawValue), by the locale")
  }

  private static func locale(in context: Context) -> Checkup {
    guard let locale = ColorScheme.localeName(environment: { context.environment[$0] }) else {
      return Checkup(.terminal, .ok, "no locale is set; text is written in UTF-8 all the same")
    }
    let isUTF8 = ["utf-8", "utf8"].contains { locale.lowercased().contains($0) }
    guard isUTF8 || !context.terminal.outputIsTerminal else {
      return Checkup(
        .terminal, .warning, "locale \(locale): its terminal may not show UTF-8, such as names in Hangul",
        help: "set LANG to one that ends in .UTF-8")
    }
    return Checkup(.terminal, .ok, "locale \(locale)")
  }
}
