/** Chooses the proxy of a request. */
export interface Proxies {
  /** Returns `undefined` if no proxy matches. */
  pick(want: { readonly tier: 'basic' | 'enhanced'; readonly country: string }): Promise<Proxy | undefined>
}

/** A proxy server. */
export interface Proxy {
  readonly url: string
}
