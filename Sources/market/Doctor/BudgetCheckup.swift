import Config

/// How many calls are left of what rate providers allow.
struct BudgetCheckup {
  /// The calls that were made of a provider in its present day or month; nil where nobody has counted them.
  let used: (RateProvider) -> Int?

  func checkups(_ configuration: Configuration?) -> [Checkup] {
    guard let configuration else { return [] }
    return configuration.providerNames.compactMap { name in
      guard let provider = configuration.readProvider(name).provider, provider.isEnabled, let budget = provider.budget
      else {
        return nil
      }
      let whole = "\(budget.calls) calls a \(budget.per.rawValue)"
      guard let used = used(provider) else { return Checkup(.budget, .ok, "\(name): \(whole), none counted so far") }
      let left = max(0, budget.calls - used)
      let text = "\(name): \(left) of \(whole) left"
      if left == 0 {
        return Checkup(.budget, .problem, text, help: "it is not asked again before the next \(budget.per.rawValue)")
      }
      return Checkup(.budget, left * 10 < budget.calls ? .warning : .ok, text)
    }
  }
}
