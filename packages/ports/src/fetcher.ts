import type { Guard } from './guard.ts'
import type { Proxy } from './proxies.ts'

/** Performs one HTTP exchange; never follows redirects. */
export interface Fetcher {
  /** Must connect only to an IP that the guard returned, and reject with the signal's reason when it is aborted. */
  exchange(request: WireRequest, signal: AbortSignal): Promise<WireResponse>
  /** Loads the code of the first exchange, which then takes no time of other requests. Sends nothing. Does nothing after `close`. */
  warmUp?(): Promise<void>
  close(): Promise<void>
}

/** Creates a fetcher with a guard, so that no fetcher can exist without one. */
export type MakeFetcher = (guard: Guard) => Fetcher

/** An HTTP request. */
export interface WireRequest {
  readonly url: URL
  readonly method: 'GET' | 'HEAD' | 'POST'
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  readonly skipTlsVerification?: boolean
  /**
   * Owner of the request. A connection must be reused only for requests of the same owner, and never without an owner: surplus
   * bytes that a host sends after its response would be read as the response to the next request.
   */
  readonly owner?: string | undefined
  /**
   * Proxy that must be used. The proxy and the target host must both pass the guard; a target that cannot be resolved here is
   * allowed.
   */
  readonly proxy?: Proxy | undefined
  /** Maximum size of the body in bytes, after decompression. */
  readonly maxBytes: number
  /**
   * For bodies that are too large for memory: called with the head of a response that is not a redirect. The returned function
   * then receives the decompressed body in chunks, and the body of the response is empty. A fetcher that does not support this
   * may ignore it and return the full body.
   */
  readonly take?: (head: WireHead) => TakeBody | undefined
}

/** Receives a chunk. The sender waits until a returned promise resolves; it must not reject. */
export type TakeBody = (piece: Uint8Array) => Promise<void> | undefined

/** Status and headers of a response. */
export interface WireHead {
  readonly status: number
  /** Headers in the order received, lower-case names; repeated headers are retained. */
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** An HTTP response. */
export interface WireResponse extends WireHead {
  /** Decompressed. The body of a redirect may be truncated. `OwnedBytes` if the fetcher no longer holds them. */
  readonly body: Uint8Array
  /** Whether the compressed body ended early. `body` is the part that could be decompressed. */
  readonly isTruncated?: boolean
}
