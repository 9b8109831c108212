/** Picks the proxy of a request. */
export interface Proxies {
  /** Gives nothing when it has none that fits. */
  pick(want: { readonly tier: 'basic' | 'enhanced'; readonly country: string }): Promise<Proxy | undefined>
}

/** A proxy, by its address. */
export interface Proxy {
  readonly url: string
}
