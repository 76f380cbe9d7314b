import Inference
import Quotes
import TestSupport

@testable import Config

extension Transformation {
  /// Other member names: only the numbers can decide.
  static let names: [Transformation] = [
    renaming("names: a, b, c in order") { index, _ in letters(index) },
    renaming("names: f1, f2, f3") { index, _ in "f\(index + 1)" },
    renaming("names: letters at random") { index, count in
      var generator = SeededGenerator(seed: UInt64(count))
      return letters(Array(0..<max(26, count)).shuffled(using: &generator)[index])
    },
    renaming("names: words that say nothing") { index, _ in
      ["foo", "bar", "baz", "qux", "quux", "corge", "grault", "garply", "waldo", "plugh"][index % 10] + "\(index / 10)"
    },
    rows("names: snake_case") { row in row.mappingNames { words($0).joined(separator: "_") } },
    rows("names: camelCase") { row in
      row.mappingNames { name in
        words(name).enumerated().map { $0 == 0 ? $1 : $1.prefix(1).uppercased() + $1.dropFirst() }.joined()
      }
    },
    rows("names: UPPER") { row in row.mappingNames { words($0).joined(separator: "_").uppercased() } },
    Transformation("names: the usual letters") { table, proposal in
      var table = table
      let usual: [(Role, String)] = [
        (.price, "c"), (.high, "h"), (.low, "l"), (.bid, "b"), (.ask, "a"), (.open, "o"), (.volume, "v"),
        (.turnover, "q"), (.time, "t"), (.change, "P"),
      ]
      // The symbol, and nothing that the other letters could also mean.
      var kept: [String] = []
      switch proposal.symbol?.source {
      case .path(let path)?: kept = SampleTable.steps(path)
      case .own(let asset, let payment, _)?: kept = SampleTable.steps(asset) + SampleTable.steps(payment)
      default: break
      }
      for index in table.rows.indices {
        guard case .object(let members) = table.rows[index].value else { return nil }
        var row = members.filter { kept.contains($0.name) }
        for (role, letter) in usual {
          guard let steps = proposal.steps(role), let value = table.rows[index].value[steps[...]] else { continue }
          if !row.contains(where: { $0.name == letter }) { row.append(.init(name: letter, value: value)) }
        }
        table.rows[index].value = .object(row)
      }
      return table
    },
  ]

  /// Returns a transformation that renames all row members, by their order.
  private static func renaming(
    _ description: String, _ name: @escaping @Sendable (Int, Int) -> String
  ) -> Transformation {
    Transformation(description) { table, _ in
      var order: [String] = []
      for row in table.rows {
        _ = row.value.mappingNames { name in
          if !order.contains(name) { order.append(name) }
          return name
        }
      }
      guard !order.isEmpty else { return nil }
      let names = Dictionary(
        uniqueKeysWithValues: order.enumerated().map { ($1, name($0, order.count)) })
      var table = table
      for index in table.rows.indices {
        table.rows[index].value = table.rows[index].value.mappingNames { names[$0] ?? $0 }
      }
      return table
    }
  }

  private static func letters(_ index: Int) -> String {
    let letter = String(UnicodeScalar(UInt8(97 + index % 26)))
    return index < 26 ? letter : letter + String(UnicodeScalar(UInt8(97 + (index / 26) % 26)))
  }

  /// Splits `lastPrice` into last, price.
  private static func words(_ name: String) -> [String] {
    var words: [String] = [""]
    for character in name {
      if "_-. ".contains(character) {
        words.append("")
      } else if character.isUppercase, words[words.count - 1].last?.isLowercase == true {
        words.append(character.lowercased())
      } else {
        words[words.count - 1] += character.lowercased()
      }
    }
    return words.filter { !$0.isEmpty }
  }

  // MARK: Swaps

  /// Swapped names, which are now false; the numbers may show it.
  static let swaps: [Transformation] = [
    swapping("swapped: high and low", .high, .low), swapping("swapped: bid and ask", .bid, .ask),
    swapping("swapped: volume and turnover", .volume, .turnover),
    swapping("swapped: last and open, with a change from the open", .price, .open) { $0.hasChangeFromOpen },
    Transformation("swapped: percent called ratio, ratio called percent") { table, proposal in
      guard let steps = proposal.steps(.change), let last = steps.last, Int(last) == nil else { return nil }
      let name = proposal[.change]?.scale == nil ? "changeRatio" : "changePercent"
      var table = table
      for index in table.rows.indices {
        guard let value = table.rows[index].value[steps[...]] else { continue }
        guard case .object(let members)? = table.rows[index].value[steps.dropLast()] else { continue }
        table.rows[index].value[steps.dropLast()] =
          .object(members.filter { $0.name != last } + [.init(name: name, value: value)])
      }
      return table
    },
  ]

  /// Swapped names that the numbers of many tables cannot reveal: a bid is just as plausible a last price.
  static let unprovable: [Transformation] = [
    swapping("swapped: last and open, with nothing measured from it", .price, .open) { !$0.hasChangeFromOpen },
    swapping("swapped: last and high", .price, .high), swapping("swapped: last and low", .price, .low),
    swapping("swapped: last and bid", .price, .bid), swapping("swapped: last and volume", .price, .volume),
    swapping("swapped: bid and low", .bid, .low), swapping("swapped: last and change", .price, .change),
  ]

  private static func swapping(
    _ description: String, _ first: Role, _ second: Role,
    where isMeant: @escaping @Sendable (ExchangeProposal) -> Bool = { _ in true }
  ) -> Transformation {
    Transformation(description) { table, proposal in
      guard isMeant(proposal) else { return nil }
      guard let one = proposal.steps(first), let other = proposal.steps(second) else { return nil }
      var table = table
      for index in table.rows.indices {
        let row = table.rows[index].value
        guard let left = row[one[...]], let right = row[other[...]] else { continue }
        table.rows[index].value[one[...]] = right
        table.rows[index].value[other[...]] = left
      }
      return table
    }
  }
}

extension ExchangeProposal {
  /// Whether the rows show that the change is measured from the open.
  fileprivate var hasChangeFromOpen: Bool {
    guard let change = self[.change], change.isSure, let open = self[.open] else { return false }
    return change.evidence.contains { $0.contains("'\(open.path)'") }
  }
}
