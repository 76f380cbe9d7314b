/// The outcome for the slots of all tables under one transformation.
struct TransformationScore {
  private(set) var counts: [TableTruth.Verdict: Int] = [:]
  private(set) var bodies = 0
  private(set) var dirty: [String] = []
  private(set) var refused = 0
  private(set) var notes: [String] = []
  private(set) var refusals: [String] = []

  mutating func add(_ truth: TableTruth, _ table: SampleTable) {
    let (verdicts, wrong, refusal) = truth.verdicts(on: table)
    bodies += 1
    if let refusal {
      refused += 1
      refusals.append("\(truth.file): \(refusal)")
    }
    for verdict in verdicts.values { counts[verdict, default: 0] += 1 }
    guard !wrong.isEmpty else { return }
    dirty.append(truth.file)
    notes += wrong.map { "\(truth.file) \($0)" }
  }

  var cleanShare: Double { bodies == 0 ? 1 : 1 - Double(dirty.count) / Double(bodies) }

  static let head = "bodies  right  unsure  wrong  refused  not clean"

  var text: String {
    func cell(_ number: Int, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - String(number).count)) + String(number)
    }
    return cell(bodies, 6) + cell(counts[.right] ?? 0, 7) + cell(counts[.unsure] ?? 0, 8) + cell(counts[.wrong] ?? 0, 7)
      + cell(refused, 9) + cell(dirty.count, 11)
  }
}
