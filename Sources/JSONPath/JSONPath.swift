// The room `JSONPath`; see docs/architecture.md.
