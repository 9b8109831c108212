// What a receiver hears of real jobs, from a real engine, over real connections.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createEngine, EngineError, memoryStore, verifyWebhook, type EngineOptions, type Job } from '@harvestman/core'
import type { Store } from '@harvestman/ports'
import { handClock, startSite, type HandClock } from '@harvestman/testing'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

interface Heard {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly type: string
  readonly webhookId: string
  readonly success: boolean
  readonly error?: string
  readonly metadata: object
  readonly id: string
  readonly data: readonly { readonly markdown?: string; readonly metadata: { readonly sourceURL: string } }[]
}

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
})
function keep<One extends { close(): Promise<unknown> }>(one: One): One {
  open.push(one)
  return one
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitFor(async () => expect(await isSo()).toBe(true), { timeout: 60_000, interval: 5 })
}

/** Remembers what it hears; answers with what `answer` says. */
async function startReceiver() {
  const heard: Heard[] = []
  const receiver = { heard, status: (() => 200) as (message: Heard) => number, url: '', close: () => Promise.resolve() }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const message = { ...(JSON.parse(body.toString()) as Heard), headers: request.headers, body }
      heard.push(message)
      response.writeHead(receiver.status(message)).end()
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  receiver.close = () => new Promise<void>((done) => server.close(() => done()).closeAllConnections())
  return keep(receiver)
}

let site: Awaited<ReturnType<typeof startSite>>
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeEach(async () => {
  site = keep(await startSite())
  receiver = await startReceiver()
})

function openEngine(options: EngineOptions = {}) {
  return keep(createEngine({ allowPrivate: ['127.0.0.0/8'], ...options }))
}

function urls(count: number): string[] {
  return Array.from({ length: count }, (_, number) => `${site.url}/crawl/page/${number}`)
}

const types = (): string[] => receiver.heard.map(({ type }) => type)
const hears = (type: string): Promise<unknown> => until(() => types().includes(type))
/** Lets what happens on real connections happen, and time pass on a clock that stands still otherwise. */
async function passUntil(clock: HandClock, ms: number, isSo: () => boolean | Promise<boolean>): Promise<void> {
  await until(async () => {
    await clock.pass(ms)
    return isSo()
  })
}

describe('a receiver', () => {
  test('hears that a batch began, of each of its pages once, and that it is completed, in this order', async () => {
    const engine = openEngine()
    const job = await engine.batch({ urls: urls(20), webhook: receiver.url })
    await hears('batch_scrape.completed')
    expect([types()[0], types().at(-1)]).toEqual(['batch_scrape.started', 'batch_scrape.completed'])
    const pages = receiver.heard.slice(1, -1)
    expect(new Set(pages.map(({ data }) => data[0]?.metadata.sourceURL))).toEqual(new Set(urls(20)))
    expect([receiver.heard.length, new Set(receiver.heard.map(({ webhookId }) => webhookId)).size]).toEqual([22, 22])
    for (const message of receiver.heard) {
      expect(message).toMatchObject({ success: true, id: job.id, metadata: {} })
      expect(message.headers['webhook-id']).toBe(message.webhookId)
    }
    expect(receiver.heard[0]?.data).toEqual([])
    // The receiver hears of a message before its sender writes down that it arrived.
    await until(async () => (await job.webhook()).pending.length === 0)
    expect(await job.webhook()).toEqual({ pending: [], dead: [], isStopped: false })
  })

  test('hears only what it asked for, with its metadata and headers, signed over the bytes as they came', async () => {
    const engine = openEngine({ webhookSecret: ['new', 'old'] })
    const webhook = {
      url: receiver.url,
      events: ['page', 'completed'] as const,
      metadata: { order: '7' },
      headers: { authorization: 'Bearer mine' },
    }
    await engine.batch({ urls: urls(2), webhook })
    await hears('batch_scrape.completed')
    expect(types().toSorted()).toEqual(['batch_scrape.completed', 'batch_scrape.page', 'batch_scrape.page'])
    for (const { headers, body, metadata } of receiver.heard) {
      expect([metadata, headers.authorization]).toEqual([{ order: '7' }, 'Bearer mine'])
      const received = { headers: headers as Record<string, string>, body }
      expect(verifyWebhook(received, 'new') && verifyWebhook(received, 'old')).toBe(true)
      expect(verifyWebhook(received, 'other')).toBe(false)
    }
  })

  test('hears why a page failed', async () => {
    const engine = openEngine()
    await engine.batch({ urls: [`http://127.0.0.1:9/`], webhook: receiver.url })
    await hears('batch_scrape.completed')
    const page = receiver.heard.find(({ type }) => type === 'batch_scrape.page')
    expect(page).toMatchObject({ success: false, data: [{ metadata: { sourceURL: 'http://127.0.0.1:9/' } }] })
    expect(page?.error).toBeTruthy()
  })

  test('hears that a job was cancelled, and nothing after that', async () => {
    const engine = openEngine()
    const job = await engine.batch({ urls: [`${site.silent}/`], webhook: receiver.url })
    await hears('batch_scrape.started')
    await job.cancel()
    await hears('batch_scrape.cancelled')
    expect(types()).toEqual(['batch_scrape.started', 'batch_scrape.cancelled'])
  })

  test('hears that a crawl failed, and why', async () => {
    const engine = openEngine()
    const crawl = await engine.crawl({ url: 'http://127.0.0.1:9/', sitemap: 'skip', webhook: receiver.url })
    await crawl.end()
    await hears('crawl.failed')
    expect(receiver.heard.at(-1)).toMatchObject({ type: 'crawl.failed', success: false, error: expect.any(String) })
  })

  test('that the operator named hears of jobs without a webhook of their own, and of no others', async () => {
    const own = await startReceiver()
    const engine = openEngine({ webhook: `${receiver.url}?job={{JOB_ID}}` })
    const job = await engine.batch({ urls: urls(1) })
    await hears('batch_scrape.completed')
    expect(receiver.heard.every(({ id }) => id === job.id)).toBe(true)
    expect((await job.status()).request).not.toHaveProperty('webhook')
    await engine.batch({ urls: urls(1), webhook: own.url })
    await until(() => own.heard.length === 3)
    expect(receiver.heard).toHaveLength(3)
  })
})

describe('a webhook is refused', () => {
  test.each(['http://127.0.0.1/', 'http://[::1]/', 'http://169.254.169.254/', 'http://0x7f.1/', 'http://localhost/'])(
    'where it leads inside: %s',
    async (webhook) => {
      const engine = keep(createEngine())
      const opening = engine.batch({ urls: ['https://example.com/'], webhook })
      await expect(opening).rejects.toSatisfy((error) => EngineError.is(error))
    },
  )
})

describe('messages that were not taken', () => {
  const store = (clock: HandClock): Store => memoryStore({ clock })

  test('are told of, and sent again on asking, also when the job has ended long ago', async () => {
    const clock = handClock()
    const engine = openEngine({ clock, store: store(clock) })
    receiver.status = ({ type }) => (type.endsWith('.page') ? 500 : 200)
    const job = await engine.batch({ urls: urls(1), webhook: receiver.url })
    await passUntil(clock, 20_000, async () => (await job.webhook()).dead.length > 0)
    const [letter] = (await job.webhook()).dead
    expect(letter).toMatchObject({ tries: 4, error: 'The receiver responded with status 500.' })
    expect(receiver.heard.filter(({ webhookId }) => webhookId === letter?.webhookId)).toHaveLength(4)
    receiver.status = () => 200
    expect(await job.redeliver()).toBe(1)
    await passUntil(clock, 20_000, () => receiver.heard.filter(({ type }) => type.endsWith('.page')).length === 5)
    await passUntil(clock, 20_000, () => types().includes('batch_scrape.completed'))
    await until(async () => (await job.webhook()).dead.length === 0)
    expect(await job.redeliver()).toBe(0)
  })

  test('are sent when the receiver is back after an hour, by the engine that came after the first', async () => {
    const clock = handClock()
    const shared: Store = { ...store(clock), reach: 'shared' }
    receiver.status = () => 503
    const first = createEngine({ clock, store: shared, allowPrivate: ['127.0.0.0/8'] })
    const { id } = await first.batch({ urls: urls(5), webhook: receiver.url })
    await passUntil(clock, 20_000, () => receiver.heard.length >= 3)
    await first.close()
    const before = receiver.heard.length
    const second = openEngine({ clock, store: shared })
    const job: Job = await second.jobs.find(id)
    await passUntil(clock, 60_000, () => receiver.heard.length > before)
    for (let minute = 0; minute < 60; minute += 1) await clock.pass(60_000)
    // Nobody was asked more than he can bear meanwhile.
    expect(receiver.heard.length).toBeLessThan(12)
    expect(new Set(types())).toEqual(new Set(['batch_scrape.started']))
    receiver.status = () => 200
    const told = receiver.heard.length
    await passUntil(clock, 60_000, () => types().includes('batch_scrape.completed'))
    const taken = receiver.heard.slice(told)
    expect(taken.map(({ type }) => type)).toEqual([
      'batch_scrape.started',
      ...Array.from({ length: 5 }, () => 'batch_scrape.page'),
      'batch_scrape.completed',
    ])
    expect((await job.status()).completed).toBe(5)
    await until(async () => (await job.webhook()).dead.length === 0)
  })

  test('do not keep a job from going on when it is given more to do', async () => {
    receiver.status = () => 500
    const engine = openEngine()
    const job = await engine.batch({ urls: urls(2), webhook: receiver.url })
    await job.end()
    await engine.batch({ urls: [`${site.url}/crawl/page/70`], appendToId: job.id })
    await until(async () => (await job.status()).completed === 3)
    expect((await job.end()).total).toBe(3)
  })
})

test(
  'an engine that dies at any write between a page and its event leaves no event unsent',
  { tags: ['long'] },
  async () => {
    for (let nth = 1, isOver = false; !isOver; nth += 1) {
      receiver.heard.length = 0
      const store: Store = { ...memoryStore(), reach: 'shared' }
      const dying = dyingStore(store, nth)
      const limits = { leaseTime: 100 }
      const first = createEngine({ store: dying.store, allowPrivate: ['127.0.0.0/8'], limits })
      const key = { idempotencyKey: 'the same' }
      const request = { urls: urls(3), webhook: receiver.url }
      const job = await first.batch(request, key).catch(() => undefined)
      await Promise.race([dying.died, job ? until(() => types().includes('batch_scrape.completed')) : dying.died])
      isOver = !dying.isDead()
      // It goes on for a while asking a store that is not there.
      const closing = first.close()
      keep({ close: () => closing })
      const second = createEngine({ store, allowPrivate: ['127.0.0.0/8'], limits })
      await second.batch(request, key)
      await until(() => types().includes('batch_scrape.completed'))
      await second.close()
      const pages = receiver.heard.filter(({ type }) => type === 'batch_scrape.page')
      expect(new Set(pages.map(({ data }) => data[0]?.metadata.sourceURL)), `write ${nth}`).toEqual(new Set(urls(3)))
      expect(types()[0], `write ${nth}`).toBe('batch_scrape.started')
      const ends = receiver.heard.filter(({ type }) => type === 'batch_scrape.completed')
      expect(new Set(ends.map(({ webhookId }) => webhookId)).size, `write ${nth}`).toBe(1)
      if (isOver) expect(nth).toBeGreaterThan(8)
    }
  },
)

/** The same store, of which nothing is heard after so many writes. */
function dyingStore(store: Store, nth: number) {
  const death = Promise.withResolvers<void>()
  let [writes, isDead] = [0, false]
  const gone = (): Promise<never> => Promise.reject(new EngineError('store_failed', 'The process is gone.'))
  const write = async <T>(work: () => Promise<T>, key = ''): Promise<T> => {
    if (isDead) return gone()
    // How often it says that it is alive depends on how long it lives.
    if (!key.endsWith('/lease')) writes += 1
    if (writes < nth) return work()
    isDead = true
    death.resolve()
    return gone()
  }
  const read = <T>(work: () => Promise<T>): Promise<T> => (isDead ? gone() : work())
  const dying: Store = {
    ...store,
    get: (key) => read(() => store.get(key)),
    getMany: (keys) => read(async () => Promise.all(keys.map((key) => store.get(key)))),
    set: (...given) => write(() => store.set(...given)),
    update: (...given) => write(() => store.update(...given), given[0]),
    delete: (key) => write(() => store.delete(key)),
  }
  return { store: dying, died: death.promise, isDead: () => isDead }
}
