import fc from 'fast-check'
import { expect, test } from 'vitest'

import type { KeptParts, StateInParts, TakenState } from '../jobs/log/snapshot.ts'
import type { Fact, Opening } from '../jobs/log/facts.ts'
import type { JobTask, RunContext, Strategy } from '../jobs/run/strategy.ts'
import type { Scraped } from '../scrape/scraped.ts'
import { freeHold } from '../credits/hold.ts'
import { openStrategy } from './strategy.ts'

const hosts = ['a.test', 'b.test', 'c.test']
const request = {
  url: 'https://a.test/',
  limit: 500,
  sitemap: 'skip',
  ignoreRobotsTxt: true,
  crawlEntireDomain: true,
  allowSubdomains: false,
  allowExternalLinks: true,
  ignoreQueryParameters: false,
  deduplicateSimilarURLs: true,
  regexOnFullURL: false,
  includePaths: [],
  excludePaths: ['/left/.*'],
  scrapeOptions: { formats: [{ type: 'markdown' }], parsers: [] },
}
const opening: Opening = { id: 'id', kind: 'crawl', team: 'acme', request, createdAt: 0, expiresAt: 1, salt: 'salt' }

function openCrawl(): Strategy {
  const spilled = new Map<number, Uint8Array>()
  const context = {
    offer: () => undefined,
    id: 'job',
    slowDown: () => undefined,
    scratch: () => ({
      write: async (part: number, bytes: Uint8Array) => void spilled.set(part, bytes.slice()),
      read: async (part: number) => spilled.get(part),
    }),
    warn: (message: string) => expect.unreachable(message),
    signal: new AbortController().signal,
  } as RunContext
  const followed = () => ({ list: async () => [], note: async () => undefined, isMissing: () => false })
  return openStrategy(opening, context, { followed } as unknown as Parameters<typeof openStrategy>[2])
}

/** The parts of all snapshots until now, as a store has them. */
function keep(inParts: StateInParts, names: Map<string, Uint8Array[]>): TakenState {
  const taken = inParts.take()
  for (const { name, bytes, replaces } of taken.parts) {
    const part = new Uint8Array(Buffer.concat(bytes()))
    names.set(name, replaces ? [part] : [...(names.get(name) ?? []), part])
  }
  return { ...taken, small: JSON.parse(JSON.stringify(taken.small)) as TakenState['small'] }
}

const partsIn = (names: ReadonlyMap<string, Uint8Array[]>): KeptParts => ({
  all: async function* (name) {
    yield* names.get(name) ?? []
  },
  later: (name) => (names.get(name) ?? []).map((part) => async () => part),
})

/** All that can be seen of a crawl: what waits, in its order for each host; and what it says of addresses. */
async function lookAt(strategy: Strategy): Promise<object> {
  const left = strategy.left()
  const verdict = strategy.verdict?.()
  void strategy.explore(() => Promise.withResolvers<void>().promise)
  for (let turn = 0; turn < 5; turn += 1) await new Promise((go) => setImmediate(go))
  const waiting = hosts.map((host) => {
    const found: unknown[] = []
    for (let next = strategy.take(host); next; next = strategy.take(host))
      found.push([next, 'request' in strategy.prepare(next)])
    return found
  })
  return { left, verdict, waiting, found: await onePage(strategy, waiting.flat()) }
}

/** What a page leads to that links to all there is: what is new, and what is said of the rest. */
async function onePage(strategy: Strategy, [first]: readonly unknown[]): Promise<unknown> {
  if (!first) return undefined
  const [task] = first as readonly [JobTask]
  const paths = Array.from({ length: 40 }, (_, number) => `/page/${number * 5}`)
  const links = hosts.flatMap((host) =>
    [...paths, '/shop?a=1&b=1&c=1', '/left/1', '/left/5'].map((text) => `https://${host}${text}`),
  )
  const page = { document: {}, visit: { page: { url: task.url, status: 200 } }, values: { 'page.allLinks': links } }
  const { notes } = await strategy.receive(task, page as unknown as Scraped, freeHold)
  // The ids of failures are random.
  return JSON.stringify(notes).replaceAll(/"id":"[^"]+"/g, '')
}

const path = fc.oneof(
  fc.nat(200).map((number) => `/page/${number}`),
  fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)).map(([a, b, c]) => `/shop?a=${a}&b=${b}&c=${c}`),
)
const address = fc.tuple(fc.constantFrom(...hosts), path).map(([host, text]) => `https://${host}${text}`)
const step = fc.oneof(
  fc.record({ is: fc.constant('found' as const), urls: fc.array(address, { maxLength: 8 }) }),
  fc.record({ is: fc.constant('left' as const), url: fc.nat(9).map((number) => `https://a.test/left/${number}`) }),
  fc.record({
    is: fc.constant('done' as const),
    pick: fc.nat(),
    as: fc.constantFrom('page' as const, 'failed' as const, 'dropped' as const),
  }),
  fc.record({ is: fc.constant('learnt' as const), url: address, words: fc.nat(1) }),
  fc.record({ is: fc.constant('trap' as const), shape: fc.constantFrom('/x', '/y') }),
  fc.record({ is: fc.constant('landed' as const), url: address }),
  fc.record({ is: fc.constant('moved' as const), url: address }),
  fc.record({ is: fc.constant('explored' as const) }),
  fc.record({ is: fc.constant('warning' as const) }),
)

/** The facts of a crawl that went so. */
function factsOf(steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]): Fact[] {
  const note = (value: object): Fact => ({ is: 'noted', at: 0, note: value })
  const met = new Set<string>(['https://a.test/'])
  const waiting = new Map<number, string>([[0, 'https://a.test/']])
  let numbers = 1
  const facts: Fact[] = [note({ found: [['https://a.test/', 'a.test', 0, 0]] })]
  for (const one of steps) {
    if (one.is === 'found') {
      const fresh = one.urls.filter((url) => !met.has(url) && met.add(url))
      for (const url of fresh) waiting.set(numbers++, url)
      facts.push(note({ found: fresh.map((url) => [url, new URL(url).host, 1, 0]) }))
    } else if (one.is === 'left') facts.push(note({ left: [[one.url, 'LIMIT']] }))
    else if (one.is === 'learnt')
      facts.push(...Array.from({ length: 11 }, () => note({ learnt: [one.url, one.words * 1_000_003, one.words] })))
    else if (one.is === 'trap') facts.push(note({ trap: { kind: 'calendar', shape: one.shape }, failure: {} }))
    else if (one.is === 'landed' || one.is === 'moved') facts.push(note({ [one.is]: one.url }))
    else if (one.is === 'explored') facts.push(note({ explored: true }))
    else if (one.is === 'warning') facts.push(note({ warning: 'Odd.' }))
    else if (one.is === 'done') {
      const all = [...waiting]
      const [task, url] = all[one.pick % Math.max(all.length, 1)] ?? []
      if (task === undefined || url === undefined) continue
      waiting.delete(task)
      const told = { at: 0, task, id: '', url }
      if (one.as === 'page') facts.push({ is: 'page', ...told, credits: 1, bytes: 0 })
      else if (one.as === 'failed') facts.push({ is: 'failed', ...told, code: 'timeout', message: 'Late.' })
      else facts.push({ is: 'dropped', at: 0, task })
    }
  }
  return facts
}

test(
  'a crawl that goes on from parts, however often, stands where one stands that has read all of its log',
  { tags: ['long'] },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 120, size: 'max' }),
        fc.array(fc.nat(120), { maxLength: 6 }),
        async (steps, cuts) => {
          const facts = factsOf(steps)
          const whole = openCrawl()
          facts.forEach((fact) => whole.fold(fact))
          const names = new Map<string, Uint8Array[]>()
          let crawl = openCrawl()
          for (const [at, fact] of facts.entries()) {
            crawl.fold(fact)
            if (!cuts.includes(at)) continue
            const { small } = keep(crawl.inParts!, names)
            // Every second one is taken up by another worker.
            if (at % 2 === 0) continue
            crawl = openCrawl()
            await crawl.inParts!.restore(small, partsIn(names))
          }
          expect(await lookAt(crawl)).toEqual(await lookAt(whole))
        },
      ),
      { numRuns: 100 },
    )
  },
)
