import { onTestFinished } from 'vitest'

import { EngineError, type Fetcher, type Guard, type WireRequest, type WireResponse } from '@harvestman/ports'
import type { UndiciOptions } from '../src/fetcher/exchange.ts'
import { undiciFetcher } from '../src/fetcher/undici.ts'
import { createGuard } from '../src/guard/guard.ts'

export const loopback = ['127.0.0.0/8', '::1']

/** A fetcher that ends with the test. */
export function openFetcher(guard: Guard = createGuard({ allowPrivate: loopback }), options?: UndiciOptions): Fetcher {
  const fetcher = undiciFetcher(options)(guard)
  onTestFinished(() => fetcher.close())
  return fetcher
}

export function ask(url: string, more: Partial<WireRequest> = {}): WireRequest {
  return { url: new URL(url), method: 'GET', headers: {}, maxBytes: 50_000_000, owner: 'one', ...more }
}

/** For what must end by itself. */
export function soon(ms = 100_000): AbortSignal {
  return AbortSignal.timeout(ms)
}

export async function codeOf(work: Promise<unknown>): Promise<string> {
  const result = await work.then(() => 'no error').catch((error: unknown) => error)
  return EngineError.is(result) ? result.code : String(result)
}

export function textOf({ body }: WireResponse): string {
  return Buffer.from(body).toString()
}
