package import HTTP
import MarketData
package import Shell
import Transport

extension Onboarding {
  /// Adds an exchange as a command line says.
  ///
  /// - Parameter handler: Sends requests; nil for the program's transport.
  package static func add(
    _ invocation: Invocation, in context: Context, by handler: HTTPHandler? = nil
  ) async throws -> ExitCode {
    do {
      var options = try OnboardingOptions(invocation)
      let isAsking = try options.isAsking(on: context.terminal)
      if options.curl == "-" { options.curl = String(decoding: try context.input(limit: 1 << 20), as: UTF8.self) }
      let limit = options.limit
      // A run's clock starts with it, and the user may take long to answer, so each request is a run with its retries.
      let client = HTTPClient(HTTPClient.Options(userAgent: Version.userAgent, limit: limit))
      defer { client.shutDown() }
      let network: HTTPHandler = { request throws(TransportError) in
        try await client.newRun(deadline: limit).handler(request)
      }
      var onboarding = try Onboarding(
        options, ConfigDraft(ConfigLocator(context), named: options.config.path),
        in: OnboardingContext(
          context: context, handler: handler ?? network, palette: context.palette(options.colors), isAsking: isAsking))
      return try await onboarding.run() ? .answer : .noAnswer
    } catch let problem as OnboardingProblem {
      throw problem.asError
    }
  }
}
