import Inference
import Quotes

/// Questions about a change.
extension SettledProposal {
  /// Asks what a change counts. One that is rather the price by its open is read as that unless another unit is chosen.
  func askUnit(_ role: inout RoleProposal) throws(OnboardingProblem) {
    guard options.keys.changeScale == nil || role.priceRatio != nil else { return }
    var lines = ["percentage: 1.5 means 1.5 %", "fraction: 0.015 means 1.5 %"]
    var question = "is \(role.example) a percentage or a fraction?"
    if let unit = role.priceRatio {
      lines.append("price by the price before: \(unit == 1 ? "1.015" : "101.5") means 1.5 %")
      question = "what is \(role.example)?"
    }
    // Nothing is likelier: an empty line would choose by chance.
    let isOpen = role.isUnitOpen && role.priceRatio == nil
    let likely = role.priceRatio != nil ? 2 : role.scale == 100 ? 1 : 0
    let order = [likely] + lines.indices.filter { $0 != likely }
    while true {
      let choice = try context.choose(
        isOpen ? question : "\(question) [1]", from: order.map { lines[$0] }, byDefault: isOpen ? .nothing : .number(0))
      var index: Int?
      switch choice {
      case .number(let number): index = order[number]
      case .text(let text) where ["percentage", "percent", "%"].contains(text.lowercased()): index = 0
      case .text(let text) where ["fraction", "ratio"].contains(text.lowercased()): index = 1
      case .text(let text): context.say("unknown unit '\(text)'; expected percentage or fraction")
      case .nothing: context.say("write percentage or fraction; the exchange's documentation says so")
      }
      guard let index else { continue }
      if index < 2 { (role.scale, role.priceRatio) = (index == 1 ? 100 : nil, nil) }
      return
    }
  }

  func askBasis(of role: RoleProposal) throws(OnboardingProblem) -> ChangeBasis? {
    let bases = ChangeBasis.allCases
    context.say(
      "\nwhat is the change at \(role.path) (\(role.example)) measured from? The exchange's documentation says so.")
    while true {
      let choice = try context.choose(
        "a number, or nothing to leave the change out:", from: bases.map { "\($0.rawValue)  \($0.explanation)" })
      switch choice {
      case .nothing: return nil
      case .number(let index): return bases[index]
      case .text(let text):
        if let basis = ChangeBasis(rawValue: text) { return basis }
        context.say("unknown basis '\(text)'")
      }
    }
  }
}

extension ChangeBasis {
  /// The description shown to a user choosing one.
  fileprivate var explanation: String {
    switch self {
    case .rolling24h: "the price of 24 hours ago"
    case .utcDay: "the price at midnight UTC"
    case .kstDay: "the price at midnight in Korea"
    case .utc8Day: "the price at midnight in China"
    case .venueDay: "the price at the start of the exchange's own day"
    case .previousClose: "the last close, regardless of its day"
    }
  }
}
