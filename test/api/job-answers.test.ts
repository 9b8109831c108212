// What a job says of itself beside its pages, over HTTP: a real server, a real engine, real pages, a real receiver.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server as Receiver } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterEach, describe, expect, test } from 'vitest'

import { askServer, openHouse, type Sent } from './bench.ts'

const house = openHouse('one:key-one,two:key-two')
const { at } = house
const ask = (method: string, path: string, sent?: Sent) => askServer(house, method, path, sent)

const receivers: Receiver[] = []
afterEach(() => receivers.splice(0).forEach((receiver) => receiver.close()))

async function isOver(url: string): Promise<void> {
  await expect.poll(async () => (await ask('GET', url)).body.status).toBe('completed')
}

describe('What a crawl decided', () => {
  const crawled = async () => {
    const request = { url: at('/crawl/'), limit: 5, sitemap: 'skip', excludePaths: ['/crawl/page/2$'] }
    const { body } = await ask('POST', '/v2/crawl', { body: request })
    await isOver(body.url)
    return body.url
  }

  test('is told of all addresses, a line each', async () => {
    const url = await crawled()
    const response = await fetch(`${url}/explain`, { headers: { authorization: 'Bearer key-one' } })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('application/x-ndjson')
    const told = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly url: string; readonly outcome: string; readonly reason?: string })
    expect(told.filter(({ outcome }) => outcome === 'visited')).toHaveLength(5)
    expect(told[0]).toMatchObject({ url: at('/crawl/'), outcome: 'visited', depth: 0 })
    expect(told).toContainEqual(
      expect.objectContaining({ url: at('/crawl/page/2'), outcome: 'left', reason: 'EXCLUDE_PATTERN' }),
    )
    expect(told.some(({ reason }) => reason === 'LIMIT')).toBe(true)
    expect(new Set(told.map((one) => one.url)).size).toBe(told.length)
  })

  test('is told of one address in any of its spellings, and of one that it never met', async () => {
    const url = await crawled()
    const about = (address: string) => ask('GET', `${url}/explain?url=${encodeURIComponent(address)}`)
    const expected = { url: at('/crawl/'), outcome: 'visited', sentence: 'It was visited.', depth: 0 }
    for (const spelling of [at('/crawl/'), at('/crawl/#top')]) {
      const { status, body } = await about(spelling)
      expect(status).toBe(200)
      expect(body.data).toContainEqual(expected)
      expect(body.data.length).toBeLessThanOrEqual(2)
    }
    expect(await about('https://elsewhere.example/')).toEqual({ status: 200, body: { success: true, data: [] } })
    expect(await about('elsewhere')).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
  })

  test('is not there for other teams, for batches, and after nothing', async () => {
    const url = await crawled()
    const missing = { status: 404, body: { success: false, code: 'NOT_FOUND', error: 'Job not found' } }
    expect(await ask('GET', `${url}/explain`, { key: 'key-two' })).toEqual(missing)
    expect(await ask('GET', `${url}/explain?url=${at('/crawl/')}`, { key: 'key-two' })).toEqual(missing)
    expect(await ask('GET', `/v2/crawl/${randomUUID()}/explain`)).toEqual(missing)
    const batch = await ask('POST', '/v2/batch/scrape', { body: { urls: [at('/good/article')] } })
    expect(await ask('GET', `/v2/crawl/${batch.body.id}/explain`)).toEqual(missing)
    expect(await ask('GET', `${url}/explain`, { key: 'no key' })).toMatchObject({ status: 401 })
  })
})

describe.each([
  ['crawl', () => ({ url: at('/crawl/'), limit: 2, sitemap: 'skip' })],
  ['batch/scrape', () => ({ urls: [at('/good/article'), at('/good/docs')] })],
] as const)('The webhook of a %s', (kind, request) => {
  /** A receiver that wants nothing, until it does. */
  const received = async () => {
    const taken: { readonly type: string }[] = []
    let wants = false
    const receiver = createServer((incoming, outgoing) => {
      let text = ''
      incoming.on('data', (chunk) => (text += String(chunk)))
      incoming.on('end', () => {
        if (wants) taken.push(JSON.parse(text) as (typeof taken)[number])
        outgoing.writeHead(wants ? 204 : 410).end()
      })
    })
    receivers.push(receiver.listen(0, '127.0.0.1'))
    await once(receiver, 'listening')
    const webhook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    const { body } = await ask('POST', `/v2/${kind}`, { body: { ...request(), webhook } })
    await isOver(body.url)
    return { url: body.url, taken, want: () => (wants = true) }
  }
  const stateOf = async (url: string) => (await ask('GET', `${url}/webhook`)).body.data as never as State
  interface State {
    readonly pending: readonly object[]
    readonly dead: readonly object[]
    readonly isStopped: boolean
  }

  test('says what was not taken, and sends it when it is asked to', async () => {
    const { url, taken, want } = await received()
    await expect.poll(() => stateOf(url)).toMatchObject({ isStopped: true })
    const { dead } = await stateOf(url)
    expect(dead[0]).toMatchObject({ tries: 1, error: expect.stringContaining('410') as unknown })
    want()
    const asked = await ask('POST', `${url}/webhook/redeliver`)
    expect(asked).toEqual({ status: 200, body: { success: true, redelivered: dead.length } })
    const word = kind === 'crawl' ? 'crawl' : 'batch_scrape'
    await expect
      .poll(() => taken.map(({ type }) => type))
      .toEqual([`${word}.started`, `${word}.page`, `${word}.page`, `${word}.completed`])
    expect(await stateOf(url)).toEqual({ pending: [], dead: [], isStopped: false })
  })

  test('is not there for other teams, who can have nothing sent again', async () => {
    const { url, taken, want } = await received()
    await expect.poll(() => stateOf(url)).toMatchObject({ isStopped: true })
    want()
    const missing = { status: 404, body: { success: false, code: 'NOT_FOUND', error: 'Job not found' } }
    expect(await ask('GET', `${url}/webhook`, { key: 'key-two' })).toEqual(missing)
    expect(await ask('POST', `${url}/webhook/redeliver`, { key: 'key-two' })).toEqual(missing)
    expect(await stateOf(url)).toMatchObject({ isStopped: true })
    expect(taken).toEqual([])
  })
})
