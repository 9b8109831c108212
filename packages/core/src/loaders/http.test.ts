import { handClock } from '@harvestman/testing'
import { expect, test } from 'vitest'

import type { LoadJob, LoaderKit, Page } from '../plugin/parts.ts'
import type { WireRequest, WireResponse } from '@harvestman/ports'
import { httpLoader } from './http.ts'

const request = { headers: {}, skipTlsVerification: false, location: { country: 'US', languages: ['en-US'] } }

/** A host that needs so many milliseconds to begin an answer, and 5,000 for its body. */
async function load(hops: readonly { readonly wait: number; readonly to?: string }[], { isTold = true } = {}) {
  const clock = handClock()
  const left = [...hops]
  const exchange = async ({ take }: WireRequest): Promise<WireResponse> => {
    const { wait = 0, to } = left.shift() ?? {}
    await clock.pass(wait)
    const headers = to === undefined ? [] : [['location', to] as const]
    const status = to === undefined ? 200 : 302
    if (isTold && to === undefined) take?.({ status, headers })
    await clock.pass(5_000)
    return { status, headers, body: new Uint8Array() }
  }
  const guard = { checkUrl: () => undefined, resolve: async () => ({ address: '192.0.2.1', family: 4 }) }
  const page = await httpLoader.load(
    {
      url: new URL('https://a.example/'),
      request,
      headers: {},
      signal: new AbortController().signal,
      maxBytes: 1,
    } as unknown as LoadJob,
    { fetcher: { exchange, close: async () => undefined }, guard, clock } as unknown as LoaderKit,
  )
  return page as Page
}

test('the latency of a page is the time until its answer began, without the body', async () => {
  expect((await load([{ wait: 120 }])).latency).toBe(120)
})

test('the latency of a redirected page is that of the address it led to', async () => {
  expect((await load([{ wait: 900, to: '/there' }, { wait: 70 }])).latency).toBe(70)
})

test('a fetcher that does not tell when an answer begins leaves the latency open', async () => {
  expect((await load([{ wait: 120 }], { isTold: false })).latency).toBeUndefined()
})
