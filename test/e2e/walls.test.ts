// @module-tag browser
import { createEngine, staticProxies } from '@harvestman/core'
import { puppeteerBrowser } from '@harvestman/puppeteer'
import { impitFetcher } from '@harvestman/puppeteer/impit'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startWalls, type WallName, type Walls } from './walls/site.ts'
import { visitWall } from './walls/visit.ts'

let walls: Walls
let engine: ReturnType<typeof createEngine>
beforeAll(async () => {
  walls = await startWalls()
  const proxies = staticProxies({ enhanced: [walls.proxy] })
  engine = createEngine({ allowPrivate: ['127.0.0.1'], browser: puppeteerBrowser(), proxies })
})
afterAll(async () => {
  await engine.close()
  await walls.close()
})

const http = 'direct, http 200'
const inBrowser = 'direct, browser 200'
const throughProxy = 'direct, http 403, enhanced next, enhanced, http 200'

interface Expected {
  readonly name: WallName
  readonly first: string
  readonly second: string
  readonly credits: number
}

const passed: readonly Expected[] = [
  {
    name: 'status',
    first: 'direct, http 403, browser next, direct, browser 403, enhanced next, enhanced, browser 200',
    second: 'direct, http 403, enhanced next, enhanced, browser 200',
    credits: 5,
  },
  { name: 'headers', first: http, second: http, credits: 1 },
  {
    name: 'tls',
    first: `direct, http 403, browser next, ${inBrowser}`,
    second: `browser first, ${inBrowser}`,
    credits: 1,
  },
  { name: 'cookie', first: `${http}, browser next, ${inBrowser}`, second: `browser first, ${inBrowser}`, credits: 1 },
  { name: 'ban', first: throughProxy, second: throughProxy, credits: 5 },
  { name: 'soft', first: `${http}, browser next, ${inBrowser}`, second: `browser first, ${inBrowser}`, credits: 1 },
  { name: 'script', first: `${http}, browser next, ${inBrowser}`, second: `browser first, ${inBrowser}`, credits: 1 },
  {
    name: 'interstitial',
    first: `direct, http 503, browser next, ${inBrowser}`,
    second: `browser first, ${inBrowser}`,
    credits: 1,
  },
]

test.each(passed)(
  'behind the wall "$name", the second page starts at the right step',
  async ({ name, ...expected }) => {
    const { steps: first, ...one } = await visitWall(walls.hosts[name], 'first', engine)
    const { steps: second, ...other } = await visitWall(walls.hosts[name], 'second', engine)
    expect([first.join(', '), second.join(', ')]).toEqual([expected.first, expected.second])
    for (const { isPassed, credits, status, reasons } of [one, other]) {
      expect({ isPassed, credits, status }).toEqual({ isPassed: true, credits: expected.credits, status: 200 })
      if (name !== 'headers') expect(reasons).not.toEqual([])
    }
  },
)

test.each([
  ['tls', 'direct, http 403, http-identity next, direct, http-identity 200'],
  ['soft', 'direct, http 200, http-identity next, direct, http-identity 200'],
  ['hello', 'direct, http failed, http-identity 200'],
] as const)(
  'behind the wall "%s", the identity of the browser is enough, and the second page starts with it',
  async (name, steps) => {
    await using own = createEngine({
      allowPrivate: ['127.0.0.1'],
      identityFetcher: impitFetcher(),
      browser: puppeteerBrowser(),
      proxies: staticProxies({ enhanced: [walls.proxy] }),
    })
    const first = await visitWall(walls.hosts[name], 'first', own)
    const second = await visitWall(walls.hosts[name], 'second', own)
    expect([first.steps.join(', '), second.steps.join(', ')]).toEqual([
      steps,
      'http-identity first, direct, http-identity 200',
    ])
    for (const { isPassed, credits, status } of [first, second])
      expect({ isPassed, credits, status }).toEqual({ isPassed: true, credits: 1, status: 200 })
    expect(second.requests).toBe(1)
    expect(second.reasons[0]).toContain('The http-identity gets past it. Remembered until')
  },
)

test('behind a wall that closes the connection of other clients, the browser is enough without it', async () => {
  const { steps, isPassed } = await visitWall(walls.hosts.hello, 'first', engine)
  expect([steps.join(', '), isPassed]).toEqual(['direct, http failed, browser 200', true])
})

test('behind a limit of requests, the page is loaded after the time that the host names', async () => {
  let visits = [await visitWall(walls.hosts.rate, 'first', engine)]
  // The host admits a request per second, so on a slow machine the next one may not be limited.
  while (!visits.at(-1)?.steps.includes('wait')) visits = [...visits, await visitWall(walls.hosts.rate, 'next', engine)]
  expect(visits.at(-1)?.steps.join(', ')).toMatch(/^direct, http 429, wait, direct, http (?:200|429, kept)$/)
  expect(visits.every(({ credits }) => credits === 1)).toBe(true)
})

test('a crawl does not follow a link that nobody can see', async () => {
  const { url, requests } = walls.hosts.honeypot
  const crawl = await engine.crawl({ url, sitemap: 'skip', limit: 10 })
  await crawl.end()
  expect(requests.toSorted()).toEqual(['GET /', 'GET /second'])
})

test('behind a form to log in, no further step is taken, and the warning says what helps', async () => {
  const { steps, warning, credits } = await visitWall(walls.hosts.login, 'first', engine)
  expect([steps.join(', '), credits]).toEqual(['direct, http 200, kept', 1])
  expect(warning).toContain('Log in with a profile.')
})

test('behind a captcha, each step is tried until that has failed twice, and the warning says what helps', async () => {
  const visits = []
  for (const path of ['first', 'second', 'third']) visits.push(await visitWall(walls.hosts.captcha, path, engine))
  const every = 'direct, http 200, browser next, direct, browser 200, enhanced next, enhanced, browser 200, kept'
  expect(visits.map(({ steps }) => steps.join(', '))).toEqual([every, every, 'direct, http 200, kept'])
  expect(visits.map(({ credits, proxyUsed }) => [credits, proxyUsed])).toEqual(visits.map(() => [1, 'basic']))
  expect(visits[2]?.warning).toContain('A person can solve it in a live browser with a profile.')
  expect(visits[2]?.reasons[0]).toContain('No step got past it')
})
