// @module-tag browser
// Profiles over HTTP, by the typed client and by command. Real Chromium.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createClient } from '@harvestman/client'
import { createEngine } from '@harvestman/core'
import { apiKeys, createApi, serve, type Server } from '@harvestman/http'
import { live } from '@harvestman/live'
import { puppeteerBrowser } from '@harvestman/puppeteer'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { plain } from '../../packages/cli/src/paint.ts'
import { run } from '../../packages/cli/src/program.ts'

const secret = 'cookie-that-only-the-site-knows'
const site = createServer(({ headers: { cookie = '' } }, response) => {
  response.setHeader('content-type', 'text/html')
  const who = cookie.includes(`session=${secret}`) ? 'a member' : 'a stranger'
  const orders = who === 'a member' ? '<a href=/orders>Orders</a>' : ''
  response.end(`<title>Page</title><p>You are ${who}. ${orders}</p><p id=token></p>
    <script>document.querySelector('#token').append('Token: ' + (localStorage.token ?? 'none'))</script>`)
})

const folder = mkdtempSync(join(tmpdir(), 'harvestman-profiles-'))
const engine = createEngine({ allowPrivate: ['127.0.0.0/8'], browser: puppeteerBrowser(), plugins: [live()] })
let origin = ''
let server: Server
const client = (key = 'key-one') => createClient({ url: server.url, key })

beforeAll(async () => {
  await new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  server = await serve(createApi(engine, { authenticate: apiKeys('one:key-one,two:key-two') }), { port: 0 })
})
afterAll(async () => {
  await server.close()
  await engine.close()
  await new Promise((resolve) => void site.close(resolve))
  rmSync(folder, { recursive: true })
})

const cookie = { name: 'session', value: secret, domain: '127.0.0.1' }

async function harvestman(...args: readonly string[]) {
  const said = { out: '', err: '' }
  const code = await run(args, {
    env: { HARVESTMAN_SERVER: server.url, HARVESTMAN_SERVER_KEY: 'key-one' },
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    isTerminal: false,
    paint: { out: plain, err: plain },
    isInteractive: false,
    columns: () => 80,
    stdin: () => new Uint8Array(),
    lines: async function* () {},
  })
  return { code, ...said }
}

const shown = async (name: string, key = 'key-one'): Promise<string> =>
  (await client(key).scrape({ url: `${origin}/`, profile: { name } })).markdown ?? ''

test('an imported profile has its cookies and storage in the browser, for its team only', async () => {
  const origins = [{ origin, localStorage: [{ name: 'token', value: 'a token' }] }]
  // Browsers refuse a cookie of this name without Secure. The others are set all the same.
  const refused = { ...cookie, name: '__Secure-session', secure: false }
  const imported = await client().profiles.import('shop', { state: { cookies: [cookie, refused], origins } })
  expect(imported).toEqual({ name: 'shop', cookies: 2, origins: 1, expired: 0 })
  const page = await shown('shop')
  expect(page).toContain('You are a member.')
  expect(page).toContain('Token: a token')
  expect(await shown('shop', 'key-two')).toContain('You are a stranger.')
})

test('a map with a profile has the links that only members see, and fails if the profile is logged out', async () => {
  const { profiles, map } = client()
  await profiles.import('mapped', { state: [cookie] })
  const urls = async (more: object) =>
    (await map({ url: `${origin}/`, ...more })).links.map(({ url }) => new URL(url).pathname)
  expect(await urls({ profile: { name: 'mapped' } })).toContain('/orders')
  expect(await urls({})).not.toContain('/orders')
  const loggedInMarker = { text: 'a guest' }
  await expect(urls({ profile: { name: 'mapped', loggedInMarker } })).rejects.toMatchObject({
    status: 403,
    code: 'SCRAPE_LOGGED_OUT',
  })
})

test('each team lists, exports and deletes its own profiles', async () => {
  const [one, two] = [client(), client('key-two')]
  await one.profiles.import('listed', { state: [cookie] })
  expect(await one.profiles.list()).toContainEqual({
    name: 'listed',
    savedAt: expect.any(String),
    size: expect.any(Number),
  })
  expect(await two.profiles.list()).toEqual([])
  expect((await one.profiles.export('listed')).cookies).toMatchObject([cookie])
  await expect(two.profiles.export('listed')).rejects.toMatchObject({ status: 404 })
  await two.profiles.delete('listed')
  expect((await one.profiles.export('listed')).cookies).toHaveLength(1)
  await one.profiles.delete('listed')
  await expect(one.profiles.export('listed')).rejects.toMatchObject({ status: 404 })
  expect((await one.profiles.list()).map(({ name }) => name)).not.toContain('listed')
})

test('a profile is imported with its marker, which decides whether a page is logged in', async () => {
  await client().profiles.import('marked', {
    state: [{ ...cookie, value: 'old' }],
    loggedInMarker: { text: 'a member' },
  })
  await expect(shown('marked')).rejects.toMatchObject({ status: 403, code: 'SCRAPE_LOGGED_OUT' })
  await client().profiles.import('marked', { state: [cookie] })
  expect(await shown('marked')).toContain('a member')
})

test('the command imports cookies.txt and JSON, exports, lists and deletes', async () => {
  const text = join(folder, 'cookies.txt')
  writeFileSync(text, `# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\t${secret}\n`)
  const imported = await harvestman('profiles', 'import', 'by-command', text)
  expect(imported).toMatchObject({ code: 0, err: expect.stringContaining('by-command has 1 cookies') })
  expect(await shown('by-command')).toContain('a member')
  const state = join(folder, 'state.json')
  expect(await harvestman('profiles', 'export', 'by-command', '--output', state)).toMatchObject({ code: 0 })
  expect(JSON.parse(readFileSync(state, 'utf8'))).toMatchObject({ cookies: [cookie], origins: [] })
  expect(await harvestman('profiles', 'import', 'again', state)).toMatchObject({ code: 0 })
  expect((await harvestman('profiles', 'list')).out).toMatch(/again .*\n.*by-command /)
  expect(await harvestman('profiles', 'delete', 'again')).toMatchObject({ code: 0 })
  expect((await harvestman('profiles', 'list')).out).not.toContain('again')
})

test('a team has at most 100 profiles, and replaces one at the limit', async () => {
  const { profiles } = client('key-two')
  for (let count = 0; count < 100; count += 1) await profiles.import(`number-${count}`, { state: [cookie] })
  await expect(profiles.import('one-more', { state: [cookie] })).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('100 profiles'),
  })
  await profiles.import('number-0', { state: [cookie] })
  await profiles.delete('number-0')
  await profiles.import('one-more', { state: [cookie] })
})

test('a state above 5,000,000 characters is refused, and the old one stays', async () => {
  await client().profiles.import('large', { state: [cookie] })
  const localStorage = [1, 2, 3].map((count) => ({ name: `${count}`, value: 'a'.repeat(1_700_000) }))
  const state = { cookies: [cookie], origins: [{ origin, localStorage }] }
  await expect(client().profiles.import('large', { state })).rejects.toMatchObject({ status: 413 })
  expect((await client().profiles.export('large')).origins).toEqual([])
})
