/**
 * Decides which connections are allowed. Every outgoing connection of any kind must pass it, when connecting and on every
 * redirect.
 */
export interface Guard {
  /** Throws for a forbidden scheme, port or IP host. Does not resolve names. */
  checkUrl(url: URL): void
  /** Resolves a host and returns the IP to connect to. Rejects if any IP of the host is forbidden. */
  resolve(host: string, port: number, signal: AbortSignal): Promise<Address>
}

/** An IP address to which a connection is allowed. */
export interface Address {
  readonly address: string
  readonly family: 4 | 6
  /** Other allowed IPs of the same host, to try if this one is unreachable. */
  readonly others?: readonly Address[]
}
