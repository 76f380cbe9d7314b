import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The examples on a page of the manual.
///
/// A fenced block `json` begins an example: a config or a piece of one. The blocks after it belong to it: `json
/// response` is the exchange's response (one for each part), `json lookup NAME` the response to a lookup's request,
/// `table` the rows, `request` what goes over the wire, `findings` the config's findings. Words after `json` say how it
/// is queried: `futures`, `ask BTC/KRW`, `keys A,B`, `secret name=value`.
enum Manual {
  /// One fenced block.
  struct Block {
    let words: [String]
    let text: String
    let line: Int
  }

  static let folder = "\(#filePath)".split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }

  static func text(of page: String) -> String {
    guard let file = fopen(folder + "/" + page, "r") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func blocks(of page: String) -> [Block] {
    var blocks: [Block] = []
    var open: (words: [String], line: Int)?
    var lines: [Substring] = []
    for (index, line) in text(of: page).split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard line.hasPrefix("```") else {
        lines.append(line)
        continue
      }
      if let begun = open {
        blocks.append(Block(words: begun.words, text: lines.joined(separator: "\n"), line: begun.line))
        open = nil
      } else {
        open = (line.dropFirst(3).split(separator: " ").map(String.init), index + 1)
      }
      lines = []
    }
    return blocks
  }

  static func examples(of page: String) -> [ManualExample] {
    var examples: [ManualExample] = []
    for block in blocks(of: page) {
      if block.words.first == "json", !["response", "lookup"].contains(block.words.dropFirst().first) {
        examples.append(ManualExample(block, page: page))
      } else if let last = examples.indices.last {
        examples[last].take(block)
      }
    }
    return examples
  }
}
