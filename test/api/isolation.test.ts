// Two teams on one server. One of them has one of everything; the other tries every address of the table of routes with
// every id of the first, and must find nothing, learn nothing and harm nothing.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { answers } from '@harvestman/answers'
import { routesOf, type Route } from '@harvestman/http'
import { ownFeatures } from '@harvestman/node/own-features'
import { findBrowser, puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { askServer, openHouse } from './bench.ts'

const routes = routesOf(answers.jobs, ownFeatures)

const hasBrowser = findBrowser() !== undefined
/** Every row is tried, also those that need code to be run: nothing is ever run. */
const sandbox = {
  open: () => Promise.reject(new Error('Code of another team was let in.')),
  close: async () => undefined,
}
const house = openHouse('one:key-one,two:key-two', hasBrowser ? { browser: puppeteerBrowser() } : {}, {
  sessions: hasBrowser ? puppeteerSessions() : undefined,
  sandbox,
})
const { engine, at } = house

/** Stands in what the first team asked for and got; the other team must never be told it. */
const secret = 'harvestman-of-one'
const profile = 'profile-of-one'
const owner = 'key-one'
const stranger = 'key-two'
const nowhere = '00000000-0000-4000-8000-00000000dead'

const text = async (method: string, path: string, key: string, body?: object) => {
  const response = await fetch(house.server.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  })
  return { status: response.status, body: await response.text() }
}
const ask = (method: string, path: string, body?: object, key = owner) => askServer(house, method, path, { body, key })

/** What the first team has, by what it is. A new kind of thing is tried at every address once its id is here. */
const ids: Record<string, string> = {}
let receiver: Server
const delivered: IncomingMessage[] = []

beforeAll(async () => {
  receiver = createServer((request, response) => {
    delivered.push(request)
    response.writeHead(500).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const webhook = { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${secret}` }
  const page = at(`/good/thing/${secret}`)
  const formats = hasBrowser ? ['markdown', 'screenshot'] : ['markdown']
  const { body: scraped } = await ask('POST', '/v2/scrape', { url: page, formats, maxAge: 600_000 })
  const document = scraped.data as unknown as { screenshot?: string; metadata: { scrapeId: string } }
  ids['scrape'] = document.metadata.scrapeId
  for (let time = 0; time < 2; time += 1) {
    await ask('POST', '/v2/scrape', { url: page, formats: ['markdown', 'changeTracking'] })
  }
  const slow = { url: at(`/slow/delay?ms=120000&${secret}`), scrapeOptions: { timeout: 120_000 }, webhook }
  ids['crawl that runs'] = (await ask('POST', '/v2/crawl', slow)).body.id
  ids['crawl that has ended'] = (await ask('POST', '/v1/crawl', { url: page, limit: 1, webhook })).body.id
  ids['batch'] = (await ask('POST', '/v2/batch/scrape', { urls: [page], formats, webhook })).body.id
  ids['map'] = (await ask('POST', '/v2/map', { url: page })).body.id
  const schema = { type: 'object', properties: { title: { type: 'string' } } }
  ids['extract'] = (await ask('POST', '/v2/extract', { urls: [page], schema })).body.id
  for (const kind of ['crawl that has ended', 'batch']) {
    await (await engine.jobs.find(ids[kind] ?? '', { team: 'one' })).end()
  }
  await (await engine.unchecked.find('extract', ids['extract'] ?? '', { team: 'one' })).end()
  const { body: batch } = await ask('GET', `/v2/batch/scrape/${ids['batch']}`)
  ids['page of a batch'] = String(batch.data[0]?.metadata['scrapeId'])
  expect(Object.entries(ids).filter(([, id]) => id === undefined)).toEqual([])
  if (!hasBrowser) return
  ids['picture'] = document.screenshot?.split('/').at(-1) ?? ''
  ids['picture of a job'] =
    String((batch.data[0] as { screenshot?: string }).screenshot)
      .split('/')
      .at(-1) ?? ''
  ids['live browser'] = (await ask('POST', '/v2/browser', { profile: { name: profile } })).body.id
})

afterAll(async () => {
  await ask('DELETE', `/v2/crawl/${ids['crawl that runs']}`)
  if (ids['live browser']) await ask('DELETE', `/v2/browser/${ids['live browser']}`)
  receiver.close()
})

/** What the first team sees of all it has. */
async function seenByOwner(): Promise<readonly unknown[]> {
  const paths = [
    `/v2/scrape/${ids['scrape']}`,
    `/v2/scrape/${ids['page of a batch']}`,
    `/v2/crawl/${ids['crawl that runs']}`,
    `/v1/crawl/${ids['crawl that has ended']}`,
    `/v2/crawl/${ids['crawl that has ended']}/errors`,
    `/v2/batch/scrape/${ids['batch']}`,
    `/v2/extract/${ids['extract']}`,
    `/v2/changes?url=${encodeURIComponent(at(`/good/thing/${secret}`))}`,
    '/v2/changes/pages',
    '/v2/crawl/active',
    '/v2/jobs',
    '/v2/team/activity',
    '/v2/team/credit-usage/historical',
    ...(hasBrowser ? ['/v2/browser', `/v2/browser/${ids['live browser']}`, `/v2/files/${ids['picture']}`] : []),
  ]
  const seen = await Promise.all(paths.map(async (path) => ({ path, ...(await text('GET', path, owner)) })))
  return seen.map(({ body, ...one }) => ({ ...one, body: body.replace(/"duration":[\d.]+/, '') }))
}

const isSwept = ({ unsupported, isOpen, group }: Route): boolean =>
  unsupported === undefined && !isOpen && group !== 'service'
const swept = routes.filter(isSwept)
const byId = swept.filter(({ path, isAdmin }) => path.includes('{') && !isAdmin)
const title = (route: Route) => `${route.method} ${route.path}`

/** The specification has another team's scrapes and live browsers refused in words; all else is as if it were not there. */
function isRefusedInWords({ path }: Route, kind: string): boolean {
  if (path.endsWith('/interact') || /^\/v\d\/scrape\/\{id\}/.test(path)) return /scrape|page/.test(kind)
  // Its responses do not tell whether there is such a browser.
  if (path.endsWith('/site-api')) return false
  return /\/(browser|interact)\/\{id\}/.test(path) && kind === 'live browser'
}

const fill = ({ path }: Route, id: string): string =>
  path
    .replaceAll('{name}', profile)
    .replaceAll('{pageId}', '0')
    .replaceAll(/\{\w+\}/g, id)

describe('Without a key of the server', () => {
  const closed = routes.filter(({ isOpen }) => !isOpen)
  const open = routes.filter(({ isOpen, group }) => isOpen && group !== 'service')
  const answerTo = async (route: Route, headers: Record<string, string>) => {
    const body = route.input && { body: JSON.stringify(route.example ?? {}) }
    const response = await fetch(house.server.url + fill(route, ids['crawl that has ended'] ?? ''), {
      ...{ method: route.method, ...body, signal: AbortSignal.timeout(20_000) },
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    })
    return { status: response.status, scheme: response.headers.get('www-authenticate'), body: await response.text() }
  }
  const refused = { status: 401, scheme: expect.stringMatching(/^Bearer/) as string }

  test.each(closed.map((route) => [title(route), route] as const))('%s answers nothing', async (_, route) => {
    expect(await answerTo(route, {})).toMatchObject(refused)
    expect(await answerTo(route, { authorization: 'Bearer key-of-nobody' })).toMatchObject(refused)
    expect(await answerTo(route, { authorization: 'Basic a2V5LW9uZTo=' })).toMatchObject(refused)
  })

  // Their URLs hold tokens of their own. The page of a live browser is the same for all of them, and knows none.
  test.each(open.map((route) => [title(route), route] as const))('%s shows nothing of a team', async (_, route) => {
    const { status, body } = await answerTo(route, {})
    expect(status === 200 ? route.path : status).toSatisfy((it) => it === '/live/{id}' || (it >= 400 && it < 500))
    expect(body).not.toContain(secret)
  })
})

// First, for later the activity of the stranger has the ids that it asked for.
describe('Lists and records of a team that has nothing', () => {
  const lists = swept.filter(({ method, path, isAdmin }) => method === 'GET' && !path.includes('{') && !isAdmin)

  test.each(lists.map((route) => [title(route), route] as const))('%s has none of another team', async (_, route) => {
    const query =
      route.query?.safeParse({}).success === false ? `?url=${encodeURIComponent(at(`/good/thing/${secret}`))}` : ''
    const { body } = await text('GET', route.path + query, stranger)
    const found = Object.entries(ids).filter(([, id]) => body.includes(id))
    expect(found).toEqual([])
    if (query === '') expect(body).not.toContain(secret)
    else expect(JSON.parse(body)).not.toHaveProperty('data.versions.0')
  })

  test('say that nothing was used and nothing runs', async () => {
    expect((await text('GET', '/v2/team/credit-usage/historical', stranger)).body).toContain('"periods":[]')
    expect((await text('GET', '/v2/team/activity', stranger)).body).toContain('"has_more":false')
    expect(JSON.parse((await text('GET', '/v2/team/queue-status', stranger)).body)).toMatchObject({ jobsInQueue: 0 })
  })
})

describe('With the ids of another team', () => {
  test.each(byId.map((route) => [title(route), route] as const))('%s finds nothing', async (_, route) => {
    const body = route.input && (route.example ?? {})
    const missing = await text(route.method, fill(route, nowhere), stranger, body)
    for (const [kind, id] of Object.entries(ids)) {
      const answer = await text(route.method, fill(route, id), stranger, body)
      expect(answer.body).not.toContain(secret)
      if (isRefusedInWords(route, kind)) expect({ kind, status: answer.status }).toEqual({ kind, status: 403 })
      else expect({ kind, ...answer, body: answer.body.replaceAll(id, nowhere) }).toEqual({ kind, ...missing })
    }
  })

  test.each(byId.filter(({ watch }) => watch).map((route) => [title(route), route] as const))(
    '%s tells nothing over a WebSocket',
    async (_, route) => {
      for (const id of [ids['crawl that runs'], ids['batch'], ids['extract'], nowhere]) {
        const socket = new WebSocket(house.server.url.replace('http', 'ws') + fill(route, id ?? ''), stranger)
        const told: string[] = []
        socket.addEventListener('message', ({ data }) => void told.push(String(data)))
        const { code, reason } = await new Promise<CloseEvent>((resolve) => socket.addEventListener('close', resolve))
        expect({ told, code, reason }).toEqual({
          told: [],
          code: 1008,
          reason: '{"type":"error","error":"Job not found"}',
        })
      }
    },
  )
})

test.each(swept.filter(({ isAdmin }) => isAdmin).map((route) => [title(route), route] as const))(
  '%s is the operator’s alone',
  async (_, route) => {
    const path = route.path.replaceAll(/\{\w+\}/g, 'one')
    expect((await text(route.method, path, stranger, route.input && (route.example ?? {}))).status).toBe(401)
  },
)

test.each(['/cdp/{id}', '/live/{id}/screen'])(
  '%s opens to its token alone, not to a key',
  { tags: ['browser'] },
  async (path) => {
    const url = house.server.url.replace('http', 'ws') + path.replace('{id}', ids['live browser'] ?? '')
    for (const one of [`${url}?token=${'x'.repeat(43)}`, url]) {
      const socket = new WebSocket(one, stranger)
      const opened = await new Promise((resolve) => {
        socket.addEventListener('open', () => resolve('open'))
        socket.addEventListener('error', () => resolve('refused'))
      })
      expect(opened).toBe('refused')
    }
  },
)

describe('What a team names in its own requests', () => {
  const page = () => at(`/good/thing/${secret}`)

  test('is not given the kept page of another, nor its history', async () => {
    const kept = await ask('POST', '/v2/scrape', { url: page(), maxAge: 600_000 })
    expect(kept.body.data).toMatchObject({ metadata: { cacheState: 'hit' } })
    const own = await ask('POST', '/v2/scrape', { url: page(), maxAge: 600_000 }, stranger)
    expect(own.body.data).toMatchObject({ metadata: { cacheState: 'miss' } })
    const tracked = await ask('POST', '/v2/scrape', { url: page(), formats: ['markdown', 'changeTracking'] }, stranger)
    expect(tracked.body.data).toMatchObject({ changeTracking: { changeStatus: 'new', previousScrapeAt: null } })
  })

  test('adds nothing to the batch of another', async () => {
    const { status } = await ask('POST', '/v2/batch/scrape', { urls: [page()], appendToId: ids['batch'] }, stranger)
    expect(status).toBe(404)
  })

  test('is not the job of another that used the same idempotency key', async () => {
    const headers = { 'x-idempotency-key': crypto.randomUUID() }
    const body = { url: page(), limit: 1 }
    const [mine, theirs] = await Promise.all(
      [owner, stranger].map((key) => askServer(house, 'POST', '/v2/crawl', { body, key, headers })),
    )
    expect([mine?.status, theirs?.status]).toEqual([200, 200])
    expect(mine?.body.id).not.toBe(theirs?.body.id)
    await Promise.all([
      (await engine.jobs.find(mine?.body.id ?? '', { team: 'one' })).end(),
      (await engine.jobs.find(theirs?.body.id ?? '', { team: 'two' })).end(),
    ])
  })

  test(
    'is not the profile of another with the same name, which goes on being written',
    { tags: ['browser'] },
    async () => {
      const { status, body } = await ask('POST', '/v2/browser', { profile: { name: profile } }, stranger)
      expect(status).toBe(200)
      await ask('DELETE', `/v2/browser/${body.id}`, undefined, stranger)
      expect((await ask('POST', '/v2/browser', { profile: { name: profile } })).status).toBe(409)
    },
  )
})

describe('In process', () => {
  const team = 'two'
  const codeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'given',
      (error: { readonly code?: string }) => String(error.code),
    )

  test('no door opens to the id of another team', async () => {
    for (const [kind, id] of Object.entries(ids)) {
      const codes = {
        scrape: await codeOf(engine.results.find(id, { team })),
        job: await codeOf(engine.jobs.find(id, { team })),
        crawl: await codeOf(engine.jobs.findCrawl(id, { team })),
        extract: await codeOf(engine.unchecked.find('extract', id, { team })),
        file: await codeOf(engine.results.file(id, { team })),
        interact: hasBrowser ? await codeOf(engine.live.ofScrape(id, { team })) : 'not_found',
      }
      const isScrape = /scrape|page/.test(kind)
      expect({ kind, ...codes }).toEqual({
        kind,
        scrape: isScrape ? 'forbidden' : 'not_found',
        job: 'not_found',
        crawl: 'not_found',
        extract: 'not_found',
        file: kind.startsWith('picture') ? 'forbidden' : 'not_found',
        interact: isScrape && hasBrowser ? 'forbidden' : 'not_found',
      })
    }
  })

  test('nothing of another team is listed', async () => {
    const lists = [
      await engine.jobs.running({ team: 'three' }),
      (await engine.activity.list({}, { team: 'three' })).data,
      Object.keys((await engine.usage({ team: 'three' })).days),
      (await engine.changes.history({ url: at(`/good/thing/${secret}`) }, { team: 'three' })).versions,
      await engine.hosts.find(at('/'), { team: 'three' }),
    ]
    expect(lists).toEqual([[], [], [], [], undefined])
  })

  test('no live browser is found, run in or ended', { tags: ['browser'] }, async () => {
    const { live } = engine
    const id = ids['live browser'] ?? ''
    const codes = [live.find(id, { team }), live.record(id, { team }), live.stop(id, { team })].map(codeOf)
    expect(await Promise.all(codes)).toEqual(['forbidden', 'forbidden', 'forbidden'])
    expect(await live.list({ team: 'three' })).toEqual([])
  })
})

test('after all of that, the first team sees what it has as it was', async () => {
  const seen = await seenByOwner()
  for (const route of byId) {
    const body = route.input && (route.example ?? {})
    for (const id of Object.values(ids)) await text(route.method, fill(route, id), stranger, body)
  }
  expect(await seenByOwner()).toEqual(seen)
  const { body } = await ask('GET', `/v2/crawl/${ids['crawl that runs']}`)
  expect(body.status).toBe('scraping')
})
