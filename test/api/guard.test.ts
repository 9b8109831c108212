import { createServer, type AddressInfo } from 'node:net'

import { createEngine } from '@harvestman/core'
import { createApi } from '@harvestman/http'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { forbiddenAddresses } from '../../packages/net/test/forbidden-addresses.ts'

let connections = 0
const listener = createServer((socket) => {
  connections += 1
  socket.destroy()
})
let port = 0

beforeAll(async () => {
  await new Promise<void>((ready) => listener.listen(0, '::', ready))
  port = (listener.address() as AddressInfo).port
})
afterAll(() => listener.close())

const engine = createEngine()
const api = createApi(engine)
const post = (path: string) => async (url: string) => {
  const body = JSON.stringify({ url, timeout: 5_000 })
  const headers = { 'content-type': 'application/json' }
  const answer = await api(new Request(`http://localhost${path}`, { method: 'POST', body, headers }))
  return { status: answer.status, text: await answer.text() }
}

const entries = { 'POST /v1/scrape': post('/v1/scrape'), 'POST /v2/scrape': post('/v2/scrape') }

test.each(Object.entries(entries))(
  '%s refuses every spelling of a forbidden address, and nobody is connected to',
  async (_, ask) => {
    const spellings = forbiddenAddresses(port)
    expect(spellings.length).toBeGreaterThanOrEqual(150)
    const odd: string[] = []
    for (const url of spellings) {
      const { status, text } = await ask(url)
      const { success, code } = JSON.parse(text) as { success: boolean; code: string }
      if (success || (!(status === 403 && code === 'URL_BLOCKED') && status !== 400))
        odd.push(`${url} → ${status} ${code}`)
    }
    expect(odd).toEqual([])
    expect(connections).toBe(0)
  },
)

test('a refusal says nothing of what is behind the address', async () => {
  const ask = post('/v2/scrape')
  const open = await ask(`http://127.0.0.1:${port}/`)
  const closed = await ask('http://127.0.0.1:65000/')
  const unknown = await ask('http://10.255.255.1/')
  expect(open).toEqual(closed)
  expect(open).toEqual(unknown)
})
