import type { Guard } from './guard.ts'

/** One HTTP exchange; never follows a redirect by itself. */
export interface Fetcher {
  /** Must connect only to an address that the guard gave, and reject with the signal's reason when it is aborted. */
  exchange(request: WireRequest, signal: AbortSignal): Promise<WireResponse>
  close(): Promise<void>
}

/** A fetcher is made with the guard in hand: nobody can build one that does not ask. */
export type MakeFetcher = (guard: Guard) => Fetcher

export interface WireRequest {
  readonly url: URL
  readonly method: 'GET' | 'HEAD' | 'POST'
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  readonly skipTlsVerification?: boolean
  /** The largest body that is taken, unpacked. */
  readonly maxBytes: number
}

export interface WireResponse {
  readonly status: number
  /** In the order they came, lower-case names, repeats kept. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Unpacked. That of a redirect may be cut short. */
  readonly body: Uint8Array
}
