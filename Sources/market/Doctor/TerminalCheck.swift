import Config
import Proving
import Shell
import Terminal

/// What is known of the screen.
enum TerminalCheck {
  static func findings(
    _ invocation: Invocation, _ configuration: Configuration?, in context: Context
  ) -> [Finding] {
    [width(in: context), color(invocation, in: context), scheme(configuration, in: context), locale(in: context)]
  }

  private static func width(in context: Context) -> Finding {
    guard context.terminal.outputIsTerminal else {
      return Finding(.terminal, .terminal, .ok, "the output is not a terminal: nothing is cut, nothing is coloured")
    }
    guard let columns = context.terminal.columns else {
      return Finding(.terminal, .terminal, .warning, "the terminal does not say how wide it is: nothing is cut")
    }
    guard columns >= 80 else {
      return Finding(
        .terminal, .terminal, .warning, "\(columns) columns: tables leave some of theirs out",
        help: "80 show the most, 120 show all")
    }
    return Finding(.terminal, .terminal, .ok, "\(columns) columns")
  }

  private static func color(_ invocation: Invocation, in context: Context) -> Finding {
    let mode = (try? invocation.choice(of: .color, as: ColorMode.self)) ?? .auto
    let reason: String
    switch mode {
    case .always: reason = "on, by --color always"
    case .never: reason = "off, by --color never"
    case .auto:
      if !context.terminal.outputIsTerminal {
        reason = "off, since the output is not a terminal"
      } else if let value = context.environment["NO_COLOR"], !value.isEmpty {
        reason = "off, by NO_COLOR"
      } else if context.environment["TERM"] == "dumb" {
        reason = "off, by TERM=dumb"
      } else {
        reason = "on, since the output is a terminal"
      }
    }
    return Finding(.terminal, .colors, .ok, "colour is \(reason)")
  }

  private static func scheme(_ configuration: Configuration?, in context: Context) -> Finding {
    let locale = ColorScheme.localeName { context.environment[$0] }
    if let colors = configuration?.settings.colors, let scheme = ColorScheme(rawValue: colors) {
      return Finding(.terminal, .colors, .ok, "colour scheme \(scheme.rawValue), by the config's settings")
    }
    let scheme = ColorScheme(locale: locale)
    return Finding(.terminal, .colors, .ok, "colour scheme \(scheme.rawValue), by the locale")
  }

  private static func locale(in context: Context) -> Finding {
    guard let locale = ColorScheme.localeName(environment: { context.environment[$0] }) else {
      return Finding(.terminal, .locale, .ok, "no locale is set; text is written in UTF-8 all the same")
    }
    let isUTF8 = ["utf-8", "utf8"].contains { locale.lowercased().contains($0) }
    guard isUTF8 || !context.terminal.outputIsTerminal else {
      return Finding(
        .terminal, .locale, .warning, "locale \(locale): its terminal may not show UTF-8, such as names in Hangul",
        help: "set LANG to one that ends in .UTF-8")
    }
    return Finding(.terminal, .locale, .ok, "locale \(locale)")
  }
}
