/// A key as a terminal reports it.
package struct Key: Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    /// A single scalar, as sent by terminals; a letter with Ctrl is lower case.
    case character(Character)
    case enter, tab, escape, backspace, delete, insert
    case up, down, left, right, home, end, pageUp, pageDown
    /// From 1.
    case function(Int)
  }

  package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    // The bits of xterm's parameter, which is one more.
    package static let shift = Modifiers(rawValue: 1)
    package static let alt = Modifiers(rawValue: 2)
    package static let control = Modifiers(rawValue: 4)
  }

  package var code: Code
  package var modifiers: Modifiers

  package init(_ code: Code, _ modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }

  /// A character typed without Ctrl or Alt: `key == "q"`.
  package var character: Character? {
    if case .character(let character) = code, modifiers.isDisjoint(with: [.alt, .control]) { return character }
    return nil
  }

  package static func control(_ letter: Character) -> Key { Key(.character(letter), .control) }
}

extension Key: ExpressibleByExtendedGraphemeClusterLiteral {
  package init(extendedGraphemeClusterLiteral character: Character) { self.init(.character(character)) }
}

/// A mouse event, in cells.
package struct MouseEvent: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    case press, drag, release, wheelUp, wheelDown
  }

  package let action: Action
  /// 0 = left, 1 = middle, 2 = right; meaningless for the wheel.
  package let button: Int
  package let place: ScreenPlace

  package init(action: Action, button: Int, place: ScreenPlace) {
    self.action = action
    self.button = button
    self.place = place
  }
}

/// A terminal's answer to a question, or an unsolicited report.
package enum TerminalReply: Hashable, Sendable {
  /// "Device attributes": ends a list of questions, as every terminal answers it.
  case attributes
  /// "Device status: ready": everything sent before has been read.
  case ready
  case cursor(ScreenPlace)
  /// OSC 11: the background colour, each part from 0 to 1.
  case background(red: Double, green: Double, blue: Double)
  /// XTVERSION: name and version, sanitized.
  case version(String)
  /// The background is now light or dark (mode 2031).
  case ground(Ground)
}

package enum TerminalInput: Hashable, Sendable {
  case key(Key)
  /// Pasted text: lines separated by `\n`, without any other control characters.
  case paste(String)
  case mouse(MouseEvent)
  case focus(Bool)
  case reply(TerminalReply)
}
