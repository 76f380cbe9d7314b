/// Everything that answers requests: the network, a cassette, a test. Layers are functions from one to another.
package typealias HTTPHandler = @Sendable (HTTPRequest) async throws(TransportError) -> HTTPResponse
