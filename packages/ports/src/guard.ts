/**
 * Decides which connections are allowed. Every outgoing connection of any kind must pass it, when connecting and on every
 * redirect.
 */
export interface Guard {
  /** Rejects a URL by its scheme, its port, or an IP address as its host. Does not resolve names. */
  checkUrl(url: URL): void
  /** Resolves a host and returns the address to connect to. Rejects if any of its addresses is forbidden. */
  resolve(host: string, port: number, signal: AbortSignal): Promise<Address>
}

/** An IP address to which a connection is allowed. */
export interface Address {
  readonly address: string
  readonly family: 4 | 6
  /** Further addresses of the same host, all of them allowed, for when this one is unreachable. */
  readonly others?: readonly Address[]
}
