import type { Guard } from './guard.ts'
import type { Proxy } from './proxies.ts'

/** One HTTP exchange; never follows a redirect by itself. */
export interface Fetcher {
  /** Must connect only to an address that the guard gave, and reject with the signal's reason when it is aborted. */
  exchange(request: WireRequest, signal: AbortSignal): Promise<WireResponse>
  close(): Promise<void>
}

/** A fetcher is made with the guard in hand: one that does not ask cannot be built. */
export type MakeFetcher = (guard: Guard) => Fetcher

/** A request of HTTP. */
export interface WireRequest {
  readonly url: URL
  readonly method: 'GET' | 'HEAD' | 'POST'
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  readonly skipTlsVerification?: boolean
  /**
   * Owner of the request. A connection must be used again for requests of the same owner alone, and never when there
   * is none: what a host sends after its answer would be taken for the next one.
   */
  readonly owner?: string | undefined
  /** Must be gone through. Its address and that of the host must pass the guard; a name may be unknown here. */
  readonly proxy?: Proxy | undefined
  /** The largest body that is taken, unpacked. */
  readonly maxBytes: number
  /**
   * For bodies that are too large to be held: asked when the head of an answer that is no redirect has come. What it
   * gives takes the body piece by piece, unpacked, and the body of the response is then empty. A fetcher that cannot do
   * so may leave it unasked, and gives the body whole.
   */
  readonly take?: (head: WireHead) => TakeBody | undefined
}

/** Takes a piece. What is given back holds the sender until it resolves; it must not reject. */
export type TakeBody = (piece: Uint8Array) => Promise<void> | undefined

/** Status and headers of an answer. */
export interface WireHead {
  readonly status: number
  /** Headers in the order they came, lower-case names, repeats kept. */
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** An answer of HTTP. */
export interface WireResponse extends WireHead {
  /** Unpacked. That of a redirect may be cut short. `OwnedBytes` when the fetcher holds them no more. */
  readonly body: Uint8Array
  /** Whether the compressed body ended early. `body` is what could be decompressed of it. */
  readonly isTruncated?: boolean
}
