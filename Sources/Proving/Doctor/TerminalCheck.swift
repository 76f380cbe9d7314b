package import Config
package import Terminal

/// Checks the terminal.
package struct TerminalCheck {
  /// Whether the output is a terminal.
  private let isTerminal: Bool
  /// nil if unknown.
  private let columns: Int?
  private let mode: ColorMode
  private let environment: (String) -> String?

  package init(isTerminal: Bool, columns: Int?, mode: ColorMode, environment: @escaping (String) -> String?) {
    (self.isTerminal, self.columns, self.mode, self.environment) = (isTerminal, columns, mode, environment)
  }

  package func findings(_ configuration: Configuration?) -> [Finding] {
    [width, color, scheme(configuration), localeFinding]
  }

  private var width: Finding {
    guard isTerminal else {
      return Finding(.terminal, .terminal, .ok, "the output is not a terminal: nothing is truncated or coloured")
    }
    guard let columns else {
      return Finding(.terminal, .terminal, .warning, "the terminal does not report its width: nothing is truncated")
    }
    guard columns >= 80 else {
      return Finding(
        .terminal, .terminal, .warning, "\(columns) columns: tables leave some columns out",
        help: "80 show most, 120 show all")
    }
    return Finding(.terminal, .terminal, .ok, "\(columns) columns")
  }

  private var color: Finding {
    let reason: String
    switch mode {
    case .always: reason = "on, by --color always"
    case .never: reason = "off, by --color never"
    case .auto:
      if !isTerminal {
        reason = "off, since the output is not a terminal"
      } else if let value = environment("NO_COLOR"), !value.isEmpty {
        reason = "off, by NO_COLOR"
      } else if environment("TERM") == "dumb" {
        reason = "off, by TERM=dumb"
      } else {
        reason = "on, since the output is a terminal"
      }
    }
    return Finding(.terminal, .colors, .ok, "colour is \(reason)")
  }

  private func scheme(_ configuration: Configuration?) -> Finding {
    if let colors = configuration?.settings.colors, let scheme = ColorScheme(rawValue: colors) {
      return Finding(.terminal, .colors, .ok, "colour scheme \(scheme.rawValue), by the config's settings")
    }
    return Finding(.terminal, .colors, .ok, "colour scheme \(ColorScheme(locale: locale).rawValue), by the locale")
  }

  private var locale: LocaleName? { LocaleName(of: "LC_MESSAGES", environment: environment) }

  private var localeFinding: Finding {
    guard let locale else {
      return Finding(.terminal, .locale, .ok, "no locale is set; text is written in UTF-8 anyway")
    }
    guard locale.isUTF8 || !isTerminal else {
      return Finding(
        .terminal, .locale, .warning, "locale \(locale.text): its terminal may not show UTF-8, such as names in Hangul",
        help: "set LANG to a locale that ends in .UTF-8")
    }
    return Finding(.terminal, .locale, .ok, "locale \(locale.text)")
  }
}
