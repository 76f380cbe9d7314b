/// A parser from the bytes sent by a terminal to keys, one byte at a time.
///
/// It does no reading and has no clock: the caller must call `expire` once `patience` has passed since the last byte.
/// Unsupported sequences are skipped as a whole, and bytes that are not UTF-8 are dropped.
package struct KeyReader: Sendable {
  /// How long to wait after Esc for the rest of a sequence: 25 ms, or 100 over a line that splits up bytes.
  package var escapeNanoseconds: Int64
  /// While questions are open, a reply may be split right after its first byte.
  package var isExpectingReply = false

  /// Esc and one more byte may still be a key with Alt.
  private static let introducerNanoseconds: Int64 = 500_000_000
  /// No one types what follows: it is a reply on a slow line, and the rest must not be taken for keys.
  private static let sequenceNanoseconds: Int64 = 3_000_000_000

  /// The maximum number of bytes kept of a sequence, reply or paste.
  private static let maximumSequenceLength = 64
  private static let maximumStringLength = 4096
  private static let maximumPasteLength = 64 * 1024

  private enum State {
    case ground
    /// After Esc.
    case escape
    /// After Esc and the letter O: one letter follows.
    case singleShift
    /// After `CSI`, with the parameters so far.
    case control
    /// After `CSI [`, with which the Linux console starts function keys.
    case console
    /// Bytes of a mouse report in the oldest format, which are not UTF-8, with the number left.
    case oldMouse(Int)
    /// After OSC, DCS or APC, identified by its first byte.
    case string(UInt8)
    /// After Esc in a string: `\` ends it.
    case stringEscape(UInt8)
    case paste
    /// Within a UTF-8 scalar: the number of bytes left, the value so far and the minimum value.
    case utf8(left: Int, value: UInt32, least: UInt32, isAlt: Bool)
  }

  private var state = State.ground
  private var collected: [UInt8] = []

  package init(escapeNanoseconds: Int64 = 25_000_000) { self.escapeNanoseconds = escapeNanoseconds }

  /// How long to wait after the last byte before calling `expire`; nil if nothing is pending.
  package var patience: Int64? {
    switch state {
    case .ground: nil
    case .escape: isExpectingReply ? Self.introducerNanoseconds : escapeNanoseconds
    case .control where !collected.isEmpty, .string where !collected.isEmpty, .stringEscape, .paste:
      Self.sequenceNanoseconds
    case .singleShift, .control, .console, .oldMouse, .string, .utf8: Self.introducerNanoseconds
    }
  }

  /// Processes the next byte and returns the inputs that it completes.
  package mutating func feed(_ byte: UInt8) -> [TerminalInput] {
    switch state {
    case .ground: return ground(byte, isAlt: false)
    case .escape: return escape(byte)
    case .singleShift: return finish(Self.letterKey(byte).map { .key(Key($0)) })
    case .control: return control(byte)
    case .console: return finish(Self.console(byte))
    case .oldMouse(let left):
      state = left > 1 ? .oldMouse(left - 1) : .ground
      return []
    case .string(let kind): return string(byte, kind)
    case .stringEscape(let kind):
      if byte == UInt8(ascii: "\\") { return finish(reply(ofString: kind)) }
      // Abandon whatever was pending: something else begins.
      collected = []
      state = .escape
      return escape(byte)
    case .paste: return paste(byte)
    case .utf8(let left, let value, let least, let isAlt):
      return utf8(byte, left: left, value: value, least: least, isAlt: isAlt)
    }
  }

  /// Ends pending input because nothing more arrived: Esc becomes the key, a paste what has arrived of it, and anything
  /// else is dropped.
  package mutating func expire() -> [TerminalInput] {
    defer { (state, collected) = (.ground, []) }
    switch state {
    case .escape: return [.key(Key(.escape))]
    case .paste: return pasted()
    default: return []
    }
  }

  private mutating func finish(_ input: TerminalInput?) -> [TerminalInput] {
    (state, collected) = (.ground, [])
    return input.map { [$0] } ?? []
  }
}

// MARK: - Characters

extension KeyReader {
  private mutating func ground(_ byte: UInt8, isAlt: Bool) -> [TerminalInput] {
    let modifiers: Key.Modifiers = isAlt ? .alt : []
    state = .ground
    func key(_ code: Key.Code, _ more: Key.Modifiers = []) -> [TerminalInput] {
      [.key(Key(code, modifiers.union(more)))]
    }
    switch byte {
    case 0x1B:
      state = .escape
      return []
    case 0x0D, 0x0A: return key(.enter)
    case 0x09: return key(.tab)
    case 0x08, 0x7F: return key(.backspace)
    case 0x00: return key(.character(" "), .control)
    case 0x01...0x1A: return key(.character(Character(Unicode.Scalar(byte + 0x60))), .control)
    case 0x1C...0x1F: return key(.character(Character(Unicode.Scalar(byte + 0x40))), .control)
    case 0x20...0x7E: return key(.character(Character(Unicode.Scalar(byte))))
    // RFC 3629 §4: the valid first bytes of a scalar, and the minimum value for each length.
    case 0xC2...0xDF: state = .utf8(left: 1, value: UInt32(byte & 0x1F), least: 0x80, isAlt: isAlt)
    case 0xE0...0xEF: state = .utf8(left: 2, value: UInt32(byte & 0x0F), least: 0x800, isAlt: isAlt)
    case 0xF0...0xF4: state = .utf8(left: 3, value: UInt32(byte & 0x07), least: 0x1_0000, isAlt: isAlt)
    default: break
    }
    return []
  }

  private mutating func utf8(_ byte: UInt8, left: Int, value: UInt32, least: UInt32, isAlt: Bool) -> [TerminalInput] {
    guard byte & 0xC0 == 0x80 else { return ground(byte, isAlt: false) }
    let value = value << 6 | UInt32(byte & 0x3F)
    if left > 1 {
      state = .utf8(left: left - 1, value: value, least: least, isAlt: isAlt)
      return []
    }
    state = .ground
    // C1 controls are not keys, and neither are invalid scalars.
    guard value >= least, value >= 0xA0, let scalar = Unicode.Scalar(value) else { return [] }
    return [.key(Key(.character(Character(scalar)), isAlt ? .alt : []))]
  }

  private mutating func escape(_ byte: UInt8) -> [TerminalInput] {
    switch byte {
    case 0x1B: return [.key(Key(.escape))]
    case UInt8(ascii: "["): state = .control
    case UInt8(ascii: "O"): state = .singleShift
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"): state = .string(byte)
    default: return ground(byte, isAlt: true)
    }
    return []
  }

  private static let cancels: Set<UInt8> = [0x18, 0x1A]

  // MARK: - Strings

  private mutating func string(_ byte: UInt8, _ kind: UInt8) -> [TerminalInput] {
    if collected.isEmpty, !Self.canBegin(kind, with: byte) {
      // Alt and a key, not a string.
      let key = TerminalInput.key(Key(.character(Character(Unicode.Scalar(kind))), .alt))
      return [key] + ground(byte, isAlt: false)
    }
    if Self.cancels.contains(byte) { return finish(nil) }
    if byte == 0x1B {
      state = .stringEscape(kind)
    } else if byte == 0x07, kind == UInt8(ascii: "]") {
      return finish(reply(ofString: kind))
    } else if collected.count < Self.maximumStringLength {
      collected.append(byte)
    }
    return []
  }

  /// Returns whether a byte can start a reply: one in an OSC starts with a number, one in a DCS with `>`, `!` or a
  /// number and `$` or `+`.
  private static func canBegin(_ kind: UInt8, with byte: UInt8) -> Bool {
    let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    return switch kind {
    case UInt8(ascii: "]"): isDigit
    case UInt8(ascii: "P"): isDigit || [">", "!", "$", "+"].map(UInt8.init(ascii:)).contains(byte)
    default: byte == UInt8(ascii: "G")
    }
  }

  private func reply(ofString kind: UInt8) -> TerminalInput? {
    let text = String(decoding: collected, as: UTF8.self)
    switch kind {
    case UInt8(ascii: "]"): return TerminalReply.background(ofOSC: text).map(TerminalInput.reply)
    case UInt8(ascii: "P"):
      return text.hasPrefix(">|") ? .reply(.version(TerminalText.sanitized(String(text.dropFirst(2))))) : nil
    default: return nil
    }
  }

  // MARK: - Pastes

  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  private mutating func paste(_ byte: UInt8) -> [TerminalInput] {
    collected.append(byte)
    guard collected.suffix(Self.pasteEnd.count) != Self.pasteEnd[...] else {
      collected.removeLast(Self.pasteEnd.count)
      let input = pasted()
      (state, collected) = (.ground, [])
      return input
    }
    // An overlong paste keeps its beginning, and room to recognise its end.
    if collected.count > Self.maximumPasteLength + Self.pasteEnd.count { collected.remove(at: Self.maximumPasteLength) }
    return []
  }

  private func pasted() -> [TerminalInput] {
    let text = String(decoding: collected.prefix(Self.maximumPasteLength), as: UTF8.self)
    var result = ""
    for character in text {
      // Terminals send line breaks like Enter.
      if character == "\r" || character == "\r\n" || character == "\n" {
        result.append("\n")
      } else {
        result += character.unicodeScalars.filter { $0.properties.generalCategory != .control }.map(String.init)
          .joined()
      }
    }
    return result.isEmpty ? [] : [.paste(result)]
  }
}

// MARK: - Sequences

extension KeyReader {
  /// `CSI [ A` to `CSI [ E`: F1 to F5 of the Linux console.
  private static func console(_ byte: UInt8) -> TerminalInput? {
    guard (UInt8(ascii: "A")...UInt8(ascii: "E")).contains(byte) else { return nil }
    return .key(Key(.function(Int(byte - UInt8(ascii: "A")) + 1)))
  }

  private mutating func control(_ byte: UInt8) -> [TerminalInput] {
    switch byte {
    case 0x1B:
      (state, collected) = (.escape, [])
    case UInt8(ascii: "[") where collected.isEmpty:
      state = .console
    case UInt8(ascii: "M") where collected.isEmpty:
      state = .oldMouse(3)
    case 0x20...0x3F:
      // One byte more than is kept marks an overlong sequence.
      if collected.count <= Self.maximumSequenceLength { collected.append(byte) }
    case 0x40...0x7E:
      let sequence = ControlSequence(collected.count > Self.maximumSequenceLength ? [] : collected, final: byte)
      if sequence.isPasteBeginning {
        (state, collected) = (.paste, [])
        return []
      }
      return finish(sequence.input)
    default:
      // Not part of a sequence: drop what there is of it, and handle this byte on its own.
      (state, collected) = (.ground, [])
      return Self.cancels.contains(byte) ? [] : ground(byte, isAlt: false)
    }
    return []
  }

  /// Returns the key with this final letter in its sequence.
  static func letterKey(_ byte: UInt8) -> Key.Code? {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "M"): .enter
    case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(byte - UInt8(ascii: "P")) + 1)
    default: nil
    }
  }
}
