// The room `MarketData`; see docs/architecture.md.
