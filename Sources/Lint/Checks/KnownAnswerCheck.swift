import Config
import HTTP
import Mapping

/// A check that computes the known answers of signatures, without sending anything.
enum KnownAnswerCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    guard let crypto = inspection.crypto else { return [] }
    var result: [Finding] = []
    for (source, exchange) in inspection.exchanges {
      for signer in exchange.account?.signers ?? [] {
        guard let url = signer.baseURLs.first else { continue }
        for vector in signer.auth.vectors {
          switch vector.difference(from: signer.auth, baseURL: url, crypto: crypto) {
          case nil: break
          case .member(let member, let expected, let found, let node):
            result.append(.failedVector(member, expected: expected, found: found, at: node).found(in: source))
          case .problem(.crypto(let problem)):
            // Reported once, since the problem is with this machine, not the config.
            return [.uncheckedVectors(problem.sentence, at: vector.node)]
          case .problem(let problem):
            result.append(.uncomputedVector(problem.sentence, at: vector.node).found(in: source))
          }
        }
      }
    }
    return result
  }
}
