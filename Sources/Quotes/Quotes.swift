// The room `Quotes`; see docs/architecture.md.
