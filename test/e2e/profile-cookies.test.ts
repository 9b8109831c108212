// @module-tag browser
// Pages of a profile over HTTP, and in the browser where HTTP is not enough. Real HTTP, real Chromium.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createEngine } from '@harvestman/core'
import { live } from '@harvestman/live'
import { puppeteerBrowser } from '@harvestman/puppeteer'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

let site: Server
let port: number
let origin: string
const received: { readonly host: string; readonly path: string; readonly cookie: string }[] = []
/** The session that the site accepts. */
let session = ''
/** Responses that are sent when two have been requested. */
const held: (() => void)[] = []
const deletion = { 'set-cookie': 'session=; Path=/; Max-Age=0' }
const json = { 'content-type': 'application/json' }

const form = '<h1>Sign in</h1><form action=/welcome><input name=user><input type=password name=password></form>'
const text = 'Only members read the many words of this page. '.repeat(8)

function respond(path: string, cookie: string): { status?: number; html?: string; headers?: Record<string, string> } {
  if (path === '/elsewhere') return { status: 302, headers: { location: `http://localhost:${port}/public` } }
  if (path === '/public') return { html: `<title>Public</title><p>${text}`, headers: { 'set-cookie': 'visitor=1' } }
  if (path === '/start') return { html: `<title>Start</title>${form}`, headers: { 'set-cookie': 'visitor=1' } }
  if (path === '/api/me') return { status: 401, html: '{"error":"expired"}', headers: { ...json, ...deletion } }
  if (path === '/api/orders') return { html: '{"orders":[]}', headers: { ...json, ...deletion } }
  if (path === '/down') return { status: 503, html: `<h1>Unavailable</h1><p>${text}`, headers: deletion }
  if (path === '/wall') return { html: '<title>Blocked</title><p>Your IP address has been blocked.', headers: deletion }
  // Its script logs in a known device, which HTTP alone does not see.
  if (path.startsWith('/sign-in'))
    return {
      html: `<title>Sign in</title>${form}<script>
        if (document.cookie.includes('device=')) {
          document.cookie = 'session=${session}'
          location.replace(new URLSearchParams(location.search).get('next'))
        }</script>`,
    }
  const isMember = cookie.includes(`session=${session}`)
  if (!isMember) return { status: 302, headers: { location: `/sign-in?next=${path}` } }
  if (path === '/rotate' || path === '/app' || path === '/picky') session = `s${Number(session.slice(1)) + 1}`
  const headers = { 'set-cookie': `session=${session}; HttpOnly; Max-Age=999` }
  if (path === '/app') return { headers, html: '<title>App</title><div id=root></div><script src=/app.js></script>' }
  if (path === '/picky' && session === 's2') return { status: 403, headers, html: '<h1>Forbidden</h1>' }
  if (path.startsWith('/set/')) headers['set-cookie'] = `${path.slice(5)}=1`
  return { headers, html: `<title>Members</title><p id=account>You are a member. ${text}</p>` }
}

const engine = createEngine({
  allowPrivate: ['127.0.0.0/8', '::1/128'],
  browser: puppeteerBrowser(),
  plugins: [live()],
  robots: 'never',
})

beforeAll(async () => {
  site = createServer(({ url = '/', headers: { host = '', cookie = '' } }, response) => {
    received.push({ host, path: url, cookie })
    const { status = 200, html = '', headers = {} } = respond(url, cookie)
    const send = () => response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(html)
    if (!url.startsWith('/set/')) return void send()
    held.push(send)
    if (held.length === 2) for (const one of held.splice(0)) one()
  })
  await new Promise<void>((resolve) => void site.listen(0, resolve))
  port = (site.address() as AddressInfo).port
  origin = `http://127.0.0.1:${port}`
})
afterAll(async () => {
  await engine.close()
  await new Promise((resolve) => void site.close(resolve))
})

let count = 0
let name = ''
beforeEach(async () => {
  name = `profile-${++count}`
  session = 's1'
  received.length = 0
  await engine.hosts.forget(origin)
})

const saved = async () => {
  const { cookies } = await engine.profiles.export(name)
  return Object.fromEntries(cookies.map((cookie) => [cookie.name, cookie.value]))
}
const cookie = (of: string, value: string) => ({ name: of, value, domain: '127.0.0.1' })
const importCookies = (...cookies: ReturnType<typeof cookie>[]) => engine.profiles.import(name, { state: cookies })

/** Scrapes a page with the profile, and returns its text and the loaders that were tried. */
async function scrape(path: string, more: object = {}) {
  const { markdown, explain } = await engine.scrape(
    { url: `${origin}${path}`, profile: { name, ...more } },
    { explain: true },
  )
  const steps = explain?.steps ?? []
  const loaders = steps.flatMap(({ step, loader }) => (step === 'loader' ? [loader] : []))
  return { markdown, loaders, logins: steps.flatMap(({ step, outcome }) => (step === 'login' ? [outcome] : [])) }
}

test('a page is loaded over HTTP with the cookies of its profile', async () => {
  await importCookies(cookie('session', 's1'))
  const { markdown, loaders } = await scrape('/orders')
  expect([markdown, loaders]).toEqual([expect.stringContaining('You are a member.'), ['http']])
})

test('the cookies that a page sets are saved in the profile', async () => {
  await importCookies(cookie('session', 's1'), cookie('other', 'x'))
  await scrape('/rotate')
  expect(await saved()).toEqual({ session: 's2', other: 'x' })
  expect((await scrape('/orders')).markdown).toContain('You are a member.')
})

test('they are not saved with saveChanges: false, and not by a page of a job', async () => {
  await importCookies(cookie('session', 's1'))
  await scrape('/rotate', { saveChanges: false })
  session = 's1'
  const batch = await engine.batch({ urls: [`${origin}/rotate`], profile: { name } })
  for await (const { markdown } of batch.documents()) expect(markdown).toContain('You are a member.')
  expect(await saved()).toEqual({ session: 's1' })
})

test('they are not saved by a page that is logged out', async () => {
  await importCookies(cookie('session', 'old'))
  await expect(scrape('/orders')).rejects.toMatchObject({ code: 'logged_out' })
  expect(await saved()).toEqual({ session: 'old' })
})

test.each(['/api/me', '/api/orders', '/down', '/wall'])(
  'they are not saved by %s, which deletes the session and does not show the login',
  async (path) => {
    await importCookies(cookie('session', 's1'))
    await scrape(path).catch(() => undefined)
    expect(await saved()).toEqual({ session: 's1' })
  },
)

test('a page without actions fills no new profile, and saves no cookies of hosts that the profile does not know', async () => {
  for (let round = 0; round < 2; round += 1) expect((await scrape('/start')).markdown).toContain('Sign in')
  expect((await engine.profiles.list()).map((one) => one.name)).not.toContain(name)
  await importCookies(cookie('session', 's1'))
  await scrape('/elsewhere')
  expect(await saved()).toEqual({ session: 's1' })
})

test.each(['/app', '/picky'])('the browser continues with the cookies that HTTP has got from %s', async (path) => {
  await importCookies(cookie('session', 's1'))
  const { loaders } = await scrape(path, { saveChanges: false })
  const sent = received.filter((one) => one.path === path).map((one) => one.cookie)
  expect([loaders, sent]).toEqual([
    ['http', 'browser'],
    ['session=s1', 'session=s2'],
  ])
})

test('a cookie that is only renewed is not saved', async () => {
  const expires = Math.round(Date.now() / 1_000) + 900
  await engine.profiles.import(name, { state: [{ ...cookie('session', 's1'), httpOnly: true, expires }] })
  expect((await scrape('/orders')).logins).toEqual(['not logged out'])
})

test('pages that are loaded at the same time all save their cookies', async () => {
  await importCookies(cookie('session', 's1'))
  const pages = await Promise.all([scrape('/set/a'), scrape('/set/b')])
  for (const { logins } of pages) expect(logins).toEqual(['not logged out', 'saved'])
  expect(await saved()).toEqual({ session: 's1', a: '1', b: '1' })
})

test('cookies are not sent to another host that the page redirects to', async () => {
  await importCookies(cookie('session', 's1'))
  expect((await scrape('/elsewhere')).markdown).toContain('Only members read')
  expect(received.map(({ host, cookie: had }) => [host, had])).toEqual([
    [`127.0.0.1:${port}`, 'session=s1'],
    [`localhost:${port}`, ''],
  ])
})

test('a page that only looks logged out over HTTP is loaded in the browser, and so are the next ones of the host', async () => {
  await importCookies(cookie('session', 'old'), cookie('device', 'known'))
  const first = await scrape('/orders')
  expect(first.markdown).toContain('You are a member.')
  expect(first).toMatchObject({ loaders: ['http', 'browser'], logins: ['browser next', 'not logged out'] })
  expect((await scrape('/invoices')).loaders).toEqual(['browser'])
})

test('a profile with local storage of the site needs the browser, unless its marker shows the login', async () => {
  const origins = [{ origin, localStorage: [{ name: 'token', value: 'x' }] }]
  await engine.profiles.import(name, { state: { cookies: [cookie('session', 's1')], origins } })
  expect((await scrape('/orders')).loaders).toEqual(['browser'])
  expect((await scrape('/orders', { loggedInMarker: { selector: '#account' } })).loaders).toEqual(['http'])
})
