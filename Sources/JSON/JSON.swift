// The room `JSON`; see docs/architecture.md.
