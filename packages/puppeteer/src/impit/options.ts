import type { MakeFetcher } from '@harvestman/ports'

/** Options of `impitFetcher`. */
export interface ImpitOptions extends ExchangeTimeouts {
  /** Fetcher for `http:` URLs, IPv6 addresses, and user agents that are not Chrome. Default: the default fetcher of the engine. */
  readonly plain?: MakeFetcher
  /** Maximum time to connect, in milliseconds. Default: 15,000. */
  readonly connectTimeout?: number
}

/** Deadlines of an exchange, in milliseconds. */
export interface ExchangeTimeouts {
  /** Maximum time until the headers of a response, including the TLS handshake. Default: 60,000. */
  readonly headersTimeout?: number
  /** Maximum time without data within a body. Default: 30,000. */
  readonly bodyTimeout?: number
}
