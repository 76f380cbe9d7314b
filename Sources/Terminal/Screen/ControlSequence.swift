/// A complete control sequence (ECMA-48 §5.4) from the terminal, and its meaning.
struct ControlSequence {
  /// `<`, `=`, `>` or `?` before the parameters.
  private let prefix: UInt8?
  /// A missing one is nil.
  private let parameters: [Int?]
  private let intermediates: [UInt8]
  private let final: UInt8

  /// - Parameter body: The bytes between `CSI` and the final one: 0x20...0x3F.
  init(_ body: [UInt8], final: UInt8) {
    var rest = body[...]
    if let first = rest.first, (UInt8(ascii: "<")...UInt8(ascii: "?")).contains(first) {
      prefix = rest.removeFirst()
    } else {
      prefix = nil
    }
    let numbers = rest.prefix { $0 >= 0x30 }
    intermediates = Array(rest.dropFirst(numbers.count))
    parameters = numbers.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { part in
      // Parts after a colon are subparameters, which are not used here.
      Int(String(decoding: part.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self))
    }
    self.final = final
  }

  /// `CSI 200 ~`
  var isPasteBeginning: Bool {
    prefix == nil && intermediates.isEmpty && final == UInt8(ascii: "~") && parameter(0) == 200
  }

  /// The input that the sequence stands for; nil if it is not supported.
  var input: TerminalInput? {
    switch (prefix, final) {
    case (nil, _) where intermediates.isEmpty: report ?? key.map(TerminalInput.key)
    case (UInt8(ascii: "<"), UInt8(ascii: "M")), (UInt8(ascii: "<"), UInt8(ascii: "m")): mouse.map(TerminalInput.mouse)
    case (UInt8(ascii: "?"), UInt8(ascii: "c")): .reply(.attributes)
    case (UInt8(ascii: "?"), UInt8(ascii: "n")) where parameters.first == 997:
      // 1 = dark, 2 = light: https://contour-terminal.org/vt-extensions/color-palette-update-notifications/
      parameter(1) == 1 ? .reply(.ground(.dark)) : parameter(1) == 2 ? .reply(.ground(.light)) : nil
    default: nil
    }
  }

  private func parameter(_ index: Int) -> Int? { index < parameters.count ? parameters[index] : nil }

  /// An input other than a key: focus, the cursor's position, readiness.
  private var report: TerminalInput? {
    switch final {
    case UInt8(ascii: "I"): return .focus(true)
    case UInt8(ascii: "O"): return .focus(false)
    // F3 with Shift looks the same, but is not used, whereas the cursor's position is requested.
    case UInt8(ascii: "R"):
      guard let row = parameter(0), let column = parameter(1), row > 0, column > 0 else { return nil }
      return .reply(.cursor(ScreenPlace(column: column - 1, row: row - 1)))
    case UInt8(ascii: "n"): return parameter(0) == 0 ? .reply(.ready) : nil
    default: return nil
    }
  }

  private var key: Key? {
    let modifiers = Key.Modifiers(xterm: parameter(1))
    switch final {
    case UInt8(ascii: "Z"): return Key(.tab, .shift)
    case UInt8(ascii: "u"):
      // A scalar and its modifiers, as some terminals send keys without another form.
      return parameter(0).flatMap { Self.key(ofScalar: $0, modifiers) }
    case UInt8(ascii: "~"):
      if parameter(0) == 27, let scalar = parameter(2) { return Self.key(ofScalar: scalar, modifiers) }
      return parameter(0).flatMap(Self.numbered).map { Key($0, modifiers) }
    default:
      return KeyReader.letterKey(final).map { Key($0, modifiers) }
    }
  }

  private static func key(ofScalar value: Int, _ modifiers: Key.Modifiers) -> Key? {
    switch value {
    case 9: return Key(.tab, modifiers)
    case 13: return Key(.enter, modifiers)
    case 27: return Key(.escape, modifiers)
    case 8, 127: return Key(.backspace, modifiers)
    default:
      guard value >= 0x20, let value = UInt32(exactly: value), let scalar = Unicode.Scalar(value) else { return nil }
      return Key(.character(Character(scalar)), modifiers)
    }
  }

  /// Returns the key of the VT220 or xterm with a number.
  private static func numbered(_ number: Int) -> Key.Code? {
    switch number {
    case 1, 7: .home
    case 2: .insert
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case 11...15: .function(number - 10)
    case 17...21: .function(number - 11)
    case 23, 24: .function(number - 12)
    default: nil
    }
  }

  /// `CSI < button ; column ; row M`, and `m` for a release (xterm's mode 1006).
  private var mouse: MouseEvent? {
    guard intermediates.isEmpty, let code = parameter(0), let column = parameter(1), let row = parameter(2),
      // 128 marks buttons beyond the wheel, which have no meaning here.
      code >= 0, code & 128 == 0, column > 0, row > 0
    else { return nil }
    let place = ScreenPlace(column: column - 1, row: row - 1)
    let isWheel = code & 64 != 0
    let action: MouseEvent.Action
    switch (isWheel, code & 3) {
    case (true, 0): action = .wheelUp
    case (true, 1): action = .wheelDown
    case (true, _): return nil
    case (false, _): action = final == UInt8(ascii: "m") ? .release : code & 32 != 0 ? .drag : .press
    }
    return MouseEvent(action: action, button: isWheel ? 0 : code & 3, place: place)
  }
}

extension Key.Modifiers {
  /// Creates modifiers from xterm's parameter, which is one more than the bits. Those beyond Ctrl (Super, Caps Lock)
  /// are ignored.
  fileprivate init(xterm parameter: Int?) {
    guard let parameter, (1...256).contains(parameter) else {
      self = []
      return
    }
    self = Self(rawValue: UInt8(parameter - 1) & 0b111)
  }
}

extension TerminalReply {
  /// Parses the answer to OSC 11: `11;rgb:RRRR/GGGG/BBBB`, with one to four hexadecimal digits per part, or `rgba:`.
  static func background(ofOSC text: String) -> TerminalReply? {
    let prefixes = ["11;rgb:", "11;rgba:"]
    guard let prefix = prefixes.first(where: text.hasPrefix) else { return nil }
    let parts = text.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false).prefix(3).map {
      digits -> Double? in
      guard (1...4).contains(digits.utf8.count), let value = UInt32(digits, radix: 16) else { return nil }
      return Double(value) / Double(1 << (4 * digits.utf8.count) - 1)
    }
    guard parts.count == 3, let red = parts[0], let green = parts[1], let blue = parts[2] else { return nil }
    return .background(red: red, green: green, blue: blue)
  }
}
