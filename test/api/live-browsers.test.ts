// @module-tag python3
// @module-tag browser
// @module-tag bubblewrap
// Live browsers over HTTP: real Chromium, real jails, the official client, and other clients of the DevTools protocol.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createEngine } from '@harvestman/core'
import { live } from '@harvestman/live'
import { apiKeys, createApi, serve, type Server as Api } from '@harvestman/http'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { localSandbox } from '@harvestman/sandbox'
import { scriptedLLM } from '@harvestman/testing'
import Client from '@mendable/firecrawl-js'
import { chromium } from 'playwright-core'
import puppeteer from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { plainBrowser } from '../plain-browser.ts'
import { askServer } from './bench.ts'

const page = `<title>Shop</title><h1>Shop</h1><label>Search <input id=q></label>
  <button onclick="document.title = 'Found ' + q.value; document.body.append('Results for ' + q.value)">Go</button>
  <p id=cookie></p><script>document.querySelector('#cookie').textContent = navigator.userAgent + document.cookie</script>`

let site: Server
let origin: string
let api: Api
const engine = createEngine({
  allowPrivate: ['127.0.0.0/8'],
  browser: puppeteerBrowser(),
  plugins: [
    live({
      sessions: puppeteerSessions(),
      sandbox: localSandbox({ bound: 'watched' }),
      limits: { sessions: 6, teamSessions: 2 },
    }),
  ],
  llm: scriptedLLM([
    ({ turns = [] }) => {
      const shown = turns.findLast((turn) => turn.role === 'tool')
      if (shown) return { calls: [{ name: 'done', input: { answer: 'There is a shop.' } }] }
      return { calls: [{ name: 'scroll', input: { direction: 'down' } }] }
    },
  ]),
})

beforeAll(async () => {
  site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(page))
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  api = await serve(createApi(engine, { authenticate: apiKeys('one:key-one,two:key-two') }), { port: 0 })
})

// What a test that failed has left open must not fail the next one.
afterEach(async () => {
  for (const team of ['one', 'two']) {
    const all = await engine.live.list({ team })
    for (const { id, end } of all) if (!end) await engine.live.stop(id, { team })
  }
})

afterAll(async () => {
  await api.close()
  await engine.close()
  site.close()
})

const ask = (method: string, path: string, more: { body?: unknown; key?: string } = {}) =>
  askServer({ server: api }, method, path, more)

async function scrape(options: object = {}, key = 'key-one'): Promise<string> {
  const { body } = await ask('POST', '/v2/scrape', { body: { url: `${origin}/shop`, ...options }, key })
  return (body.data as unknown as { metadata: { scrapeId: string } }).metadata.scrapeId
}

const interact = (id: string, body: object, key = 'key-one') => ask('POST', `/v2/scrape/${id}/interact`, { body, key })
const stop = (id: string, key = 'key-one') => ask('DELETE', `/v2/scrape/${id}/interact`, { key })

describe('interact', () => {
  test('goes on from the page as the scrape left it: actions, headers and device', { tags: ['long'] }, async () => {
    const id = await scrape({
      mobile: true,
      headers: { cookie: 'who=me' },
      actions: [
        { type: 'click', selector: '#q' },
        { type: 'write', text: 'tea' },
        { type: 'click', selector: 'button' },
        { type: 'screenshot' },
      ],
    })
    const { status, body } = await interact(id, {
      code: '[await page.title(), await page.innerText("#cookie"), page.url()].join("|")',
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, stdout: '', stderr: '', exitCode: 0, killed: false })
    expect(body['result']).toMatch(/^Found tea\|.*Mobile.*who=me\|.*\/shop$/)
    expect(body['cdpUrl']).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/cdp\/[\da-f-]{36}\?token=[\w-]{43}$/)
    expect(body['liveViewUrl']).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/live\/[\da-f-]{36}\?token=[\w-]{43}$/)
    expect(body['interactiveLiveViewUrl']).not.toBe(body['liveViewUrl'])
    await stop(id)
  })

  test('opens one browser for first calls at once, and keeps it for later ones', { tags: ['long'] }, async () => {
    const id = await scrape()
    const first = await Promise.all(
      [1, 2, 3].map((n) => interact(id, { code: `globalThis.n = (globalThis.n ?? 0) + ${n}; n` })),
    )
    expect(new Set(first.map(({ body }) => body['sessionId'])).size).toBe(1)
    const last = await interact(id, { code: 'n' })
    expect(last.body['result']).toBe('6')
    const { body } = await ask('GET', '/v2/browser?status=active')
    expect((body['sessions'] as unknown[]).length).toBe(1)
    await stop(id)
  })

  test('answers a failure of the code with 200, and a time that is up with killed', { tags: ['long'] }, async () => {
    const id = await scrape()
    const failed = await interact(id, { code: 'throw new Error("no")' })
    expect(failed).toMatchObject({
      status: 200,
      body: { success: false, exitCode: 1, killed: false, error: 'Error: no' },
    })
    const killed = await interact(id, { code: 'for (;;);', timeout: 1 })
    expect(killed).toMatchObject({ status: 200, body: { success: false, exitCode: 137, killed: true } })
    const python = await interact(id, { code: 'await page.title()', language: 'python' })
    expect(python.body).toMatchObject({ success: true, result: 'Shop' })
    const bash = await interact(id, { code: 'agent-browser get title', language: 'bash' })
    expect(bash.body).toMatchObject({ success: true, stdout: 'Shop\n', result: null })
    await stop(id)
  })

  test('has a model carry out a task', async () => {
    const id = await scrape()
    const { status, body } = await interact(id, { prompt: 'What is this?' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, output: 'There is a shop.', exitCode: 0 })
    expect(body['stdout']).toContain('scroll')
    expect(body['result']).toContain('textbox "Search"')
    const { body: end } = await stop(id)
    expect(end).toMatchObject({ success: true, creditsBilled: 7 })
  })

  test('is over for ever once it was stopped, and stopping again says the same', { tags: ['long'] }, async () => {
    const id = await scrape()
    await interact(id, { code: '1' })
    const first = await stop(id)
    expect(first).toMatchObject({ status: 200, body: { success: true, creditsBilled: 2, cleanupQueued: false } })
    expect(await stop(id)).toEqual(first)
    expect(await interact(id, { code: '1' })).toMatchObject({
      status: 410,
      body: { success: false, error: 'Browser session has been destroyed.' },
    })
    const { body } = await ask('GET', '/v2/interact?status=destroyed')
    expect((body['sessions'] as { status: string }[]).every(({ status }) => status === 'destroyed')).toBe(true)
  })

  test.each([
    ['a scrape that is not there', () => interact(crypto.randomUUID(), { code: '1' }), 404, 'Job not found.'],
    ['an id that is none', () => interact('x', { code: '1' }), 400, /Invalid job ID format/],
    [
      'neither code nor prompt',
      async () => interact(await scrape(), {}),
      400,
      "Either 'code' or 'prompt' must be provided.",
    ],
    ['both of them', async () => interact(await scrape(), { code: '1', prompt: 'x' }), 400, /not both/],
    ['a scrape of another team', async () => interact(await scrape(), { code: '1' }, 'key-two'), 403, 'Forbidden.'],
    ['stopping what was never opened', async () => stop(await scrape()), 404, 'Browser session not found.'],
    ['a language that is none', async () => interact(await scrape(), { code: '1', language: 'perl' }), 400, /./],
    ['a timeout out of bounds', async () => interact(await scrape(), { code: '1', timeout: 301 }), 400, /./],
    ['code that is too long', async () => interact(await scrape(), { code: 'x'.repeat(100_001) }), 400, /./],
    [
      'a page whose actions do not succeed any more',
      async () => {
        const id = await scrape({ actions: [{ type: 'click', selector: 'button' }] })
        site.close()
        site.closeAllConnections()
        try {
          return await interact(id, { code: '1' })
        } finally {
          await new Promise<void>((resolve) => site.listen(Number(new URL(origin).port), '127.0.0.1', resolve))
        }
      },
      409,
      /Scrape it again/,
    ],
  ])('refuses %s', async (_name, call, status, error) => {
    const answer = await call()
    expect(answer.status).toBe(status)
    expect(answer.body.error).toMatch(error)
  })

  test('cannot go on from a scrape of which nothing was kept', async () => {
    const id = await scrape({ zeroDataRetention: true })
    expect((await interact(id, { code: '1' })).status).toBe(404)
  })

  test('opens as many as a team may have, and says when it has too many', { tags: ['long'] }, async () => {
    const [one, other, third] = [await scrape(), await scrape(), await scrape()]
    const look = { prompt: 'What is this?' }
    for (const id of [one, other]) expect((await interact(id, look)).status).toBe(200)
    expect(await interact(third, look)).toMatchObject({ status: 429, body: { success: false } })
    await stop(one)
    expect((await interact(third, look)).status).toBe(200)
    await stop(other)
    await stop(third)
  })
})

test('without a sandbox code is refused with 503, and a task in words goes on', { tags: ['long'] }, async () => {
  const bare = createEngine({
    allowPrivate: ['127.0.0.0/8'],
    browser: puppeteerBrowser(),
    plugins: [live({ sessions: puppeteerSessions() })],
    llm: scriptedLLM([{ value: 'A shop.' }]),
  })
  const server = await serve(createApi(bare, { authenticate: apiKeys('key-one') }), { port: 0 })
  const at = (method: string, path: string, body: unknown) => askServer({ server }, method, path, { body })
  const { body } = await at('POST', '/v2/scrape', { url: `${origin}/shop` })
  const id = (body.data as unknown as { metadata: { scrapeId: string } }).metadata.scrapeId
  expect((await at('POST', `/v2/scrape/${id}/interact`, { code: '1' })).status).toBe(503)
  expect((await at('POST', `/v2/scrape/${id}/interact`, { prompt: 'What?' })).body).toMatchObject({
    success: true,
    output: 'A shop.',
  })
  await server.close()
  await bare.close()
})

describe('a live browser of its own', () => {
  test('is driven by Playwright and Puppeteer from outside, by its address alone', { tags: ['long'] }, async () => {
    const { body } = await ask('POST', '/v2/browser', { body: {} })
    const cdpUrl = String(body['cdpUrl'])
    const one = await chromium.connectOverCDP(cdpUrl)
    const first = one.contexts()[0]!.pages()[0]!
    await first.goto(`${origin}/by-playwright`)
    await first.fill('#q', 'tea')
    await first.click('button')
    expect(await first.title()).toBe('Found tea')
    const two = await puppeteer.connect({ browserWSEndpoint: cdpUrl, defaultViewport: null })
    const [same] = await two.pages()
    expect(await same!.title()).toBe('Found tea')
    await one.close()
    await two.disconnect()
    const { body: run } = await ask('POST', `/v2/browser/${body.id}/execute`, { body: { code: 'await page.title()' } })
    expect(run).toMatchObject({ success: true, result: 'Found tea' })
    await ask('DELETE', `/v2/browser/${body.id}`)
    await expect(chromium.connectOverCDP(cdpUrl, { timeout: 3_000 })).rejects.toThrow()
  })

  test('is not reached without its own token, and belongs to its team: another is told 403, and does not see it listed', async () => {
    const { body } = await ask('POST', '/v2/browser', { body: {} })
    const [url, view] = [String(body['cdpUrl']), String(body['liveViewUrl'])]
    const others = {
      'no token': url.replace(/\?.*/, ''),
      'another token': url.replace(/token=(.)/, (_, first) => `token=${first === '_' ? 'a' : '_'}`),
      'another id': url.replace(/cdp\/[\da-f-]{36}/, `cdp/${crypto.randomUUID()}`),
      'the token of the live view': url.replace(/token=.*/, new URL(view).search.slice(1)),
    }
    const outcome = (address: string): Promise<string> => {
      const socket = new WebSocket(address)
      return new Promise<string>((resolve) => {
        socket.addEventListener('open', () => resolve('open'))
        socket.addEventListener('error', () => resolve('refused'))
      }).finally(() => socket.close())
    }
    for (const [what, other] of Object.entries(others)) expect(await outcome(other), what).toBe('refused')
    expect(await outcome(url)).toBe('open')
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/execute'],
    ] as const)
      expect(
        (
          await ask(method, `/v2/browser/${body.id}${path}`, {
            key: 'key-two',
            ...(method === 'POST' && { body: { code: '1' } }),
          })
        ).status,
      ).toBe(403)
    const { body: list } = await ask('GET', '/v2/browser', { key: 'key-two' })
    expect(JSON.stringify(list)).not.toContain(body.id)
    await ask('DELETE', `/v2/browser/${body.id}`)
  })

  test('keeps cookies and storage in a profile, which one writes at a time', { tags: ['long'] }, async () => {
    const leave = `await page.goto('${origin}/p'); await page.evaluate(() => { document.cookie = 'kept=1; max-age=999'; localStorage.kept = 2 })`
    const find = `await page.goto('${origin}/p'); await page.evaluate(() => document.cookie + localStorage.kept)`
    const profile = { name: 'mine' }
    const run = async (id: unknown, code: string) =>
      (await ask('POST', `/v2/browser/${String(id)}/execute`, { body: { code, timeout: 300 } })).body
    const first = await ask('POST', '/v2/browser', { body: { profile } })
    expect(await run(first.body.id, leave)).toMatchObject({ success: true })
    expect((await ask('POST', '/v2/browser', { body: { profile } })).status).toBe(409)
    await ask('DELETE', `/v2/browser/${first.body.id}`)
    const second = await ask('POST', '/v2/browser', { body: { profile: { ...profile, saveChanges: false } } })
    expect(await run(second.body.id, find)).toMatchObject({ success: true, result: 'kept=12' })
    await ask('DELETE', `/v2/browser/${second.body.id}`)
    expect(await ask('DELETE', '/v2/browser/profiles/mine')).toMatchObject({ status: 200, body: { success: true } })
  })

  test('is shown by its id, while it runs and after', async () => {
    const { body } = await ask('POST', '/v2/interact', { body: { ttl: 60 } })
    const running = await ask('GET', `/v2/interact/${body.id}`)
    expect(running.body).toMatchObject({ success: true, id: body.id, status: 'running', streamWebView: true })
    await ask('DELETE', `/v2/interact/${body.id}`)
    const stopped = await ask('GET', `/v2/browser/${body.id}`)
    expect(stopped.body).toMatchObject({ status: 'stopped', cdpUrl: '', creditsBilled: 2 })
    expect((await ask('POST', `/v2/browser/${body.id}/execute`, { body: { code: '1' } })).status).toBe(410)
  })
})

describe('the official client', () => {
  const client = () => new Client({ apiKey: 'key-one', apiUrl: api.url })

  test('interacts with a scrape and stops', async () => {
    const document = await client().scrape(`${origin}/shop`)
    const id = String(document.metadata?.scrapeId)
    const done = await client().interact(id, {
      code: 'console.log("hi"); await page.title()',
      language: 'node',
      timeout: 20,
    })
    expect(done).toMatchObject({ success: true, stdout: 'hi\n', result: 'Shop', exitCode: 0, killed: false })
    const said = await client().interact(id, { prompt: 'What is this?' })
    expect(said).toMatchObject({ success: true, output: 'There is a shop.' })
    expect(await client().stopInteraction(id)).toMatchObject({ success: true, creditsBilled: 7 })
  })

  test('opens, lists, runs in and deletes a browser', async () => {
    const made = await client().browser({ ttl: 120, activityTtl: 60 })
    expect(Date.parse(String(made.expiresAt)) - Date.now()).toBeGreaterThan(60_000)
    const run = await client().browserExecute(String(made.id), { code: 'agent-browser get url' })
    expect(run).toMatchObject({ success: true, stdout: 'about:blank\n', exitCode: 0 })
    const { sessions = [] } = await client().listBrowsers({ status: 'active' })
    expect(sessions.find(({ id }) => id === made.id)).toMatchObject({
      status: 'active',
      streamWebView: true,
      cdpUrl: made.cdpUrl,
    })
    expect(await client().deleteBrowser(String(made.id))).toMatchObject({ success: true })
  })
})

describe('the live view', () => {
  test(
    'shows the page to viewers, and what one that may act clicks and types happens in it',
    { tags: ['long'] },
    async () => {
      const { body } = await ask('POST', '/v2/browser', { body: {} })
      await ask('POST', `/v2/browser/${body.id}/execute`, { body: { code: `await page.goto('${origin}/shop')` } })
      const viewer = await chromium.launch({ executablePath: await plainBrowser(), args: ['--no-sandbox'] })
      const watching = await viewer.newPage()
      await watching.goto(String(body['liveViewUrl']))
      const acting = await viewer.newPage({ viewport: { width: 1000, height: 700 } })
      await acting.goto(String(body['interactiveLiveViewUrl']))
      for (const one of [watching, acting]) await one.locator('#state[data-state=live]').waitFor({ timeout: 60_000 })
      expect(await acting.inputValue('#address')).toBe(`${origin}/shop`)

      const where = await ask('POST', `/v2/browser/${body.id}/execute`, {
        body: {
          code: 'JSON.stringify(await page.evaluate(() => { const of = (s) => { const b = document.querySelector(s).getBoundingClientRect(); return [(b.x + b.width / 2) / innerWidth, (b.y + b.height / 2) / innerHeight] }; return [of("#q"), of("button")] }))',
        },
      })
      const [field, button] = JSON.parse(String(where.body['result'])) as [number, number][]
      const click = async (view: typeof acting, [x = 0, y = 0]: number[] = []): Promise<void> => {
        const box = (await view.locator('canvas').boundingBox())!
        await view.mouse.click(box.x + x * box.width, box.y + y * box.height)
      }
      const title = async (): Promise<unknown> =>
        (await ask('POST', `/v2/browser/${body.id}/execute`, { body: { code: 'await page.title()' } })).body['result']

      // The page has no hands for a viewer, and neither has the server, whatever is sent to it.
      await click(watching, button)
      await watching.evaluate(
        `new Promise((done) => { const u = new URL(location.href); u.protocol = 'ws:'; u.pathname += '/screen'; const s = new WebSocket(u); s.onopen = () => { s.send(JSON.stringify({ type: 'goto', url: 'about:blank' })); setTimeout(done, 500) } })`,
      )
      expect(await title()).toBe('Shop')

      await click(acting, field)
      await acting.keyboard.type('green tea')
      await click(acting, button)
      await expect.poll(title).toBe('Found green tea')
      await expect.poll(() => watching.title()).toContain('Found green tea')

      const phone = await viewer.newPage({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true })
      await phone.goto(String(body['interactiveLiveViewUrl']))
      await phone.locator('#state[data-state=live]').waitFor()
      const small = (await phone.locator('canvas').boundingBox())!
      await phone.touchscreen.tap(small.x + (field?.[0] ?? 0) * small.width, small.y + (field?.[1] ?? 0) * small.height)
      await phone.locator('#keyboard').tap()
      await phone.keyboard.type('!')
      await phone.locator('#keys').press('Tab')
      const typed = async (): Promise<unknown> =>
        (await ask('POST', `/v2/browser/${body.id}/execute`, { body: { code: 'await page.inputValue("#q")' } })).body[
          'result'
        ]
      await expect.poll(typed).toContain('!')

      const shots = async (name: string): Promise<void> => {
        const folder = process.env['HARVESTMAN_SHOTS']
        for (const [kind, one] of Object.entries({ watching, acting, phone }))
          if (folder) await one.screenshot({ path: `${folder}/live-${name}-${kind}.png` })
      }
      await shots('open')
      await ask('DELETE', `/v2/browser/${body.id}`)
      for (const one of [watching, acting, phone])
        await one.locator('#card >> text=The live browser has ended').waitFor({ timeout: 60_000 })
      await shots('ended')
      await viewer.close()
    },
  )
})

test('a session ends when it was not used for long enough, and says so', { tags: ['long'] }, async () => {
  const { body } = await ask('POST', '/v2/browser', { body: { activityTtl: 10 } })
  await expect
    .poll(async () => (await ask('GET', `/v2/browser/${body.id}`)).body.status, { interval: 1_000 })
    .toBe('stopped')
})
