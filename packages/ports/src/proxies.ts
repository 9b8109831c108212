/** Chooses the proxy of a request. */
export interface Proxies {
  /**
   * Returns `undefined` if no proxy matches. Rejects if proxies match, but none may be used at the moment, such as when their
   * budget is used up.
   */
  pick(request: ProxyRequest): Promise<PickedProxy | undefined>
}

/** Requirements of a request for a proxy. */
export interface ProxyRequest {
  readonly tier: 'basic' | 'enhanced'
  readonly country: string
  /** Host that the request is for, with its port unless that is the default one. */
  readonly host?: string | undefined
  /** Requests with the same session and host should use the same proxy while it works. */
  readonly session?: string | undefined
}

/** A proxy server. */
export interface Proxy {
  readonly url: string
  /** Called with the bytes that connections through the proxy have sent and received since the last call. Must not throw. */
  readonly onBytes?: ((bytes: number) => void) | undefined
}

/** A proxy for one request. */
export interface PickedProxy extends Proxy {
  /** Called once, when the request has ended. Must not throw. */
  readonly report?: ((result: ProxyResult) => void) | undefined
}

/** How a request through a proxy ended. */
export interface ProxyResult {
  /**
   * - `ok`: the host returned a page
   * - `blocked`: the host refused the request
   * - `failed`: the host was not reached, or the connection broke
   * - `down`: the proxy accepts no connections, or rejects its user
   * - `unknown`: the request ended for another reason
   */
  readonly outcome: 'ok' | 'blocked' | 'failed' | 'down' | 'unknown'
  /** Milliseconds until the first byte of the response. */
  readonly latency?: number | undefined
  /** Milliseconds for which the host requests no further requests. */
  readonly retryAfter?: number | undefined
}
