import type { WebhookState } from '@harvestman/core'
import { describe, expect, test } from 'vitest'

import { createApi } from '../api/api.ts'
import { apiKeys } from '../callers/auth.ts'
import { fakeEngine, someId } from '../fixtures/fake-engine.ts'

const message = { event: '1-0', webhookId: someId, tries: 4, error: 'The receiver answered with status 500.' }
const unsent: WebhookState = {
  pending: [{ event: '2-0', webhookId: someId, tries: 1, nextTry: '2026-01-01T00:05:00.000Z' }],
  dead: [message],
  isStopped: false,
}

function opened(kind: string) {
  const engine = fakeEngine()
  const job = engine.start({ kind: kind === 'crawl' ? 'crawl' : 'batch', team: 'one' })
  job.unsent = unsent
  const api = createApi(engine, { authenticate: apiKeys('one:key-one,two:key-two')! })
  const send = async (method: string, path: string, key = 'key-one') => {
    const headers = { authorization: `Bearer ${key}` }
    const response = await api(new Request(`http://localhost/v2/${kind}/${job.id}${path}`, { method, headers }))
    return { status: response.status, body: await response.json() }
  }
  return { job, send }
}

describe.each(['crawl', 'batch/scrape'])('The webhook of a %s', (kind) => {
  test('says what was not taken', async () => {
    const { send } = opened(kind)
    expect(await send('GET', '/webhook')).toEqual({ status: 200, body: { success: true, data: unsent } })
  })

  test('sends again what was given up, and says how much that is', async () => {
    const { job, send } = opened(kind)
    expect(await send('POST', '/webhook/redeliver')).toEqual({ status: 200, body: { success: true, redelivered: 1 } })
    expect(job.unsent.dead).toEqual([])
    expect(await send('POST', '/webhook/redeliver')).toMatchObject({ body: { redelivered: 0 } })
  })

  test('is not there for other teams, and a caller without a key is not answered', async () => {
    const { job, send } = opened(kind)
    for (const [method, path] of [
      ['GET', '/webhook'],
      ['POST', '/webhook/redeliver'],
    ] as const) {
      expect(await send(method, path, 'key-two')).toMatchObject({ status: 404, body: { error: 'Job not found' } })
      expect(await send(method, path, 'none')).toMatchObject({ status: 401 })
    }
    expect(job.unsent).toBe(unsent)
  })

  test('is sent again by POST only', async () => {
    expect(await opened(kind).send('GET', '/webhook/redeliver')).toMatchObject({ status: 405 })
  })
})
