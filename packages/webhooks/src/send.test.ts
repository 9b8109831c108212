import { expect, test } from 'vitest'

import type { WireRequest } from '@harvestman/ports'
import { send, type WebhookSender } from './send.ts'

test.each([
  ['nothing is signed', []],
  ['messages are signed', ['secret']],
])('the headers of a caller never stand where ours prove who sent a message, when %s', async (_, secrets) => {
  const sent: WireRequest[] = []
  const sender = {
    fetcher: {
      exchange: async (request: WireRequest) => (
        sent.push(request),
        { status: 200, headers: [], body: new Uint8Array() }
      ),
    },
    guard: { checkUrl: () => undefined },
    now: () => 0,
    secrets,
  } as unknown as WebhookSender
  const forged = { 'x-own': 'yes', 'webhook-signature': 'v1,x', 'x-firecrawl-signature': 'sha256=x', 'webhook-id': 'x' }
  const message = { id: 'id', body: new Uint8Array([123, 125]) }
  await send({ url: 'https://a.example/', headers: forged }, message, sender, new AbortController().signal)
  const { headers = {} } = sent[0] ?? {}
  expect(headers).toMatchObject({ 'x-own': 'yes', 'webhook-id': 'id' })
  expect(Object.values(headers)).not.toContain('v1,x')
  expect(Object.values(headers)).not.toContain('sha256=x')
})
