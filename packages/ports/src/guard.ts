/** Decides where connections may go. Every outgoing connection of any kind asks it, at connect time and on every hop. */
export interface Guard {
  /** Refuses a URL for what can be seen in it: the scheme, the port, an address written as the host. */
  checkUrl(url: URL): void
  /** Resolves a host and gives the address to connect to. Refuses when any of its addresses is forbidden. */
  resolve(host: string, port: number, signal: AbortSignal): Promise<Address>
}

/** An IP address that may be visited. */
export interface Address {
  readonly address: string
  readonly family: 4 | 6
  /** Further addresses of the same host, all of them allowed, for when this one cannot be reached. */
  readonly others?: readonly Address[]
}
