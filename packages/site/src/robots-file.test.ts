import { type FakeAnswer, type FakeWebOptions, fakeWeb, handClock, memoryStore } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { EngineError } from '@harvestman/ports'
import { makeRobots, textFetcher } from './robots-file.ts'

const origin = 'https://a.example'
const closed = 'User-agent: *\nDisallow: /x'

function bench(answers: Readonly<Record<string, FakeAnswer>>, options?: FakeWebOptions) {
  const clock = handClock()
  const web = fakeWeb(answers, options)
  const robots = makeRobots({ ...web, store: memoryStore({ clock }) })
  const told: string[] = []
  const ask = (userAgent?: string, signal = new AbortController().signal) =>
    robots.rulesOf(origin, { userAgent, signal, tell: (message) => void told.push(message) })
  const isAllowed = async (path = '/x') => (await ask()).allows(origin + path)
  return { clock, web, told, ask, isAllowed }
}

const hops = (count: number): Record<string, FakeAnswer> => ({
  ...Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      at === 0 ? `${origin}/robots.txt` : `${origin}/${at}`,
      { status: 301, location: `/${at + 1}` },
    ]),
  ),
  [`${origin}/${count}`]: closed,
})

describe('what a host answers means', () => {
  const failure = (code: 'dns_failed' | 'timeout' | 'tls_failed') => new EngineError(code, 'It failed.')
  test.each<[string, FakeAnswer, allowed: boolean]>([
    ['200: what the file says', closed, false],
    ['401: everything is allowed', 401, true],
    ['403: everything is allowed', 403, true],
    ['404: everything is allowed', 404, true],
    ['410: everything is allowed', 410, true],
    ['429: nothing is allowed for now', 429, false],
    ['500: nothing is allowed for now', 500, false],
    ['503: nothing is allowed for now', { status: 503, body: 'User-agent: *\nAllow: /' }, false],
    ['no address: nothing is allowed for now', failure('dns_failed'), false],
    ['no answer: nothing is allowed for now', failure('timeout'), false],
    ['no trust: nothing is allowed for now', failure('tls_failed'), false],
  ])('%s', async (_name, answer, allowed) => {
    const { isAllowed } = bench({ [`${origin}/robots.txt`]: answer })
    expect(await isAllowed()).toBe(allowed)
  })
})

test('five redirects are followed, also to another host; at the sixth the file is taken to be absent', async () => {
  expect(await bench(hops(5)).isAllowed()).toBe(false)
  expect(await bench(hops(6)).isAllowed()).toBe(true)
  const elsewhere = {
    [`${origin}/robots.txt`]: { status: 301, location: 'https://b.example/r' },
    'https://b.example/r': closed,
  }
  expect(await bench(elsewhere).isAllowed()).toBe(false)
})

test('a redirect to a forbidden address is an absent file, and is told', async () => {
  const answers = { [`${origin}/robots.txt`]: { status: 302, location: 'http://10.0.0.1/robots.txt' } }
  const { isAllowed, told, web } = bench(answers, { refuse: ['10.0.0.1'] })
  expect(await isAllowed()).toBe(true)
  expect(told).toEqual([expect.stringContaining(origin)])
  expect(web.requested).toEqual([`${origin}/robots.txt`])
})

test.each([1_000, 0])(
  'of a file of a megabyte half is read, in pieces of %i, and no rule is cut in two',
  async (piece) => {
    const line = 'Disallow: /aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n'
    const text = `User-agent: *\n${line.repeat(20_000)}Disallow: /x`
    const { ask } = bench({ [`${origin}/robots.txt`]: text }, { piece })
    const rules = await ask()
    expect(rules.allows(`${origin}/x`)).toBe(true)
    expect(rules.allows(`${origin}/${'a'.repeat(40)}`)).toBe(false)
    expect(rules.allows(`${origin}/${'a'.repeat(39)}`)).toBe(true)
  },
)

test('the file is fetched once for all who ask at once, and once a day', async () => {
  const { ask, clock, web } = bench({ [`${origin}/robots.txt`]: closed })
  await Promise.all([ask(), ask('Other'), ask()])
  await clock.pass(24 * 3_600_000 - 1)
  await ask()
  expect(web.requested).toHaveLength(1)
  await clock.pass(1)
  await ask()
  expect(web.requested).toHaveLength(2)
})

test('a host that was down is asked again after minutes', async () => {
  const { ask, clock, web } = bench({ [`${origin}/robots.txt`]: 503 })
  await ask()
  await ask()
  expect(web.requested).toHaveLength(1)
  await clock.pass(300_000)
  await ask()
  expect(web.requested).toHaveLength(2)
})

describe('a text file for plugins', () => {
  const fetchFrom = async (answer: FakeAnswer, path: string) => {
    const web = fakeWeb({ [origin + path]: answer })
    const tell = () => undefined
    const fetchText = textFetcher(web, makeRobots({ ...web, store: memoryStore({ clock: handClock() }) }), tell)
    return fetchText(new URL(origin + path), { maxBytes: 1_000, signal: new AbortController().signal })
  }

  describe.each(['/robots.txt', '/.well-known/tdmrep.json'])('%s', (path) => {
    test.each([429, 500, 503])('rejects for status %i, because the host may have it', async (status) => {
      await expect(fetchFrom(status, path)).rejects.toMatchObject({
        code: 'connection_failed',
        message: `${origin}${path} returned status ${status}. Try again later.`,
      })
    })

    test('rejects if the host fails', async () => {
      const failure = new EngineError('connection_failed', 'It failed.')
      await expect(fetchFrom(failure, path)).rejects.toMatchObject({ code: 'connection_failed' })
    })

    test.each([403, 404, 410])('is absent with status %i', async (status) => {
      expect(await fetchFrom(status, path)).toBeUndefined()
    })

    test('is returned', async () => expect(await fetchFrom('text', path)).toBe('text'))
  })
})

test('who cancels hears of it at once, and takes nothing from others', async () => {
  const { ask } = bench({ [`${origin}/robots.txt`]: closed })
  const caller = new AbortController()
  const [mine, other] = [ask(undefined, caller.signal), ask()]
  caller.abort(new Error('enough'))
  await expect(mine).rejects.toThrow('enough')
  expect((await other).allows(`${origin}/x`)).toBe(false)
})

test('each robot reads its own rules from the same file', async () => {
  const { ask } = bench({
    [`${origin}/robots.txt`]: 'User-agent: Harvestman\nDisallow: /\nUser-agent: Other\nDisallow:',
  })
  expect((await ask()).allows(origin)).toBe(false)
  expect((await ask('Other/1')).allows(origin)).toBe(true)
})

describe('through proxies', () => {
  const proxied = (failing: number) => {
    const web = fakeWeb({ [`${origin}/robots.txt`]: closed })
    const used: (string | undefined)[] = []
    const outcomes: string[] = []
    const exchange: typeof web.fetcher.exchange = async (request, signal) => {
      used.push(request.proxy?.url)
      if (used.length <= failing) throw new EngineError('connection_failed', 'No proxy.', { details: { proxy: true } })
      return web.fetcher.exchange(request, signal)
    }
    let count = 0
    const pick = async () => {
      count += 1
      return {
        url: `http://proxy-${count}.test`,
        report: ({ outcome }: { outcome: string }) => void outcomes.push(outcome),
      }
    }
    const fetcher = { ...web.fetcher, exchange }
    const robots = makeRobots({ ...web, fetcher, proxies: { pick }, store: memoryStore({ clock: handClock() }) })
    const route = { tier: 'basic', country: 'US' } as const
    const ask = { signal: new AbortController().signal, tell: () => undefined, route }
    const isAllowed = async () => (await robots.rulesOf(origin, ask)).allows(`${origin}/x`)
    return { used, outcomes, isAllowed, robots, ask }
  }

  test('another proxy is used for one that is down', async () => {
    const { used, outcomes, isAllowed } = proxied(1)
    expect(await isAllowed()).toBe(false)
    expect(used).toEqual(['http://proxy-1.test', 'http://proxy-2.test'])
    expect(outcomes).toEqual(['down', 'ok'])
  })

  test('a failure of all proxies is not remembered, and the host is never reached without one', async () => {
    const { used, isAllowed, robots, ask } = proxied(3)
    expect((await robots.rulesOf(origin, ask)).unread).toEqual({ message: 'No proxy.' })
    expect(await isAllowed()).toBe(false)
    expect(used).toHaveLength(4)
    expect(used).not.toContain(undefined)
  })
})
