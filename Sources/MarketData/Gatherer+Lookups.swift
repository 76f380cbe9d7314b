import Config
import HTTP
import Mapping
import Quotes
import Transport

/// What is known of a table's lookups, and the requests that it came from.
struct LookupStates: Sendable {
  var states: [String: LookupState] = [:]
  var requests: [RequestReport] = []
}

extension Gatherer {
  /// Asks for the wanted lookups, all at once.
  func lookups(of spec: TableSpec, _ wanted: Set<String>, _ context: RequestContext) async -> LookupStates {
    let asked = spec.lookups.filter { wanted.contains($0.name) && $0.request != nil }
    let results = await concurrently(asked) { lookup in
      (lookup.name, await self.lookup(lookup, of: spec, context))
    }
    var result = LookupStates()
    for (name, (state, report)) in results {
      result.states[name] = state
      if let report { result.requests.append(report) }
    }
    return result
  }

  private func lookup(
    _ lookup: LookupSpec, of spec: TableSpec, _ context: RequestContext
  ) async -> (LookupState, RequestReport?) {
    var writer = RequestWriter(spec, context)
    let request: HTTPRequest
    do throws(RequestError) {
      guard let written = try writer.request(for: lookup) else { return (.notAsked, nil) }
      request = written
    } catch {
      return (.failed(TableFailure(error)), nil)
    }
    // What secrets could tell apart must not be shared on disk.
    guard let cache, lookup.timeToLiveSeconds > 0, request.secrets.isEmpty else {
      return await fetch(lookup, request, keepIn: nil)
    }
    let key = request.fingerprint
    return await cache.locked(key) {
      let kept = cache.get(key, maxAgeSeconds: lookup.timeToLiveSeconds, now: now().nanoseconds)
      if let kept, let table = try? LookupTable(lookup, answer: HTTPResponse(body: kept), hooks: hooks) {
        return (.table(table), nil)
      }
      return await fetch(lookup, request, keepIn: cache)
    }
  }

  /// Asks for a lookup; only an answer that could be read is kept.
  private func fetch(
    _ lookup: LookupSpec, _ request: HTTPRequest, keepIn cache: DiskCache?
  ) async -> (LookupState, RequestReport?) {
    do throws(TableFailure) {
      let (answer, report) = try await ask(request)
      let table = try LookupTable(lookup, answer: answer, hooks: hooks)
      cache?.put(request.fingerprint, answer.body, now: now().nanoseconds)
      return (.table(table), report)
    } catch {
      return (.failed(error), nil)
    }
  }
}
