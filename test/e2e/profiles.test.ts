// @module-tag browser
// Scrapes, crawls and live browsers that share the cookies and storage of a profile. Real Chromium, a real store.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createEngine } from '@harvestman/core'
import { defineFeature, definePlugin } from '@harvestman/core/plugin'
import { sqliteStore } from '@harvestman/keyv'
import { live } from '@harvestman/live'
import type { Store } from '@harvestman/ports'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

const secretCookie = 'cookie-that-only-the-site-knows'
const secretToken = 'token-in-the-local-storage'

let site: Server
let origin: string
let folder: string
let store: Store
let engine: ReturnType<typeof open>

/** Reads what is saved in a profile, as a plugin can. */
const reading = definePlugin({
  name: 'reading',
  features: [
    defineFeature({
      name: 'saved',
      activities: {},
      open: ({ profiles, team }) => ({ state: async (of: string) => (await profiles.open(team, of, false)).state }),
    }),
  ],
})

const open = (secretKey: string, store: Store) =>
  createEngine({
    allowPrivate: ['127.0.0.0/8'],
    store,
    secretKey,
    browser: puppeteerBrowser(),
    plugins: [live({ sessions: puppeteerSessions() }), reading],
    robots: 'never',
  })

/** Whether the site accepts the cookie of its session. */
let acceptsSession = true

const passwordForm =
  '<form action=/welcome><input name=user><input type=password name=password><button>Go</button></form>'

/** Pages for members only, which anyone else sees as forms to log in. */
function respondToMember(path: string, isMember: boolean): Answer | undefined {
  if (path.startsWith('/members')) {
    if (!isMember) return { status: 302, html: '', headers: { location: `/sign-in?next=${path}` } }
    const links = ['/members/a', '/members/b'].map((to) => `<a href=${to}>${to}</a> `).join('')
    return { html: `<title>Members</title><p id=account>You are a member on ${path}.</p>${links}` }
  }
  if (path.startsWith('/sign-in')) return { html: `<title>Sign in</title><h1>Sign in</h1>${passwordForm}` }
  if (path === '/orders' && !isMember) return { html: `<title>Shop</title><h1>Shop</h1>${passwordForm}` }
  if (path === '/box') return { html: `<title>Box</title><header>${passwordForm}</header><p>Content of this page.</p>` }
  return undefined
}

interface Answer {
  readonly html: string
  readonly status?: number
  readonly headers?: Record<string, string>
}

/** `/login` has a form, and every other page shows whether the visitor has logged in. */
function respond(path: string, cookie: string): Answer {
  const isMember = acceptsSession && cookie.includes(`session=${secretCookie}`)
  const ofMembers = respondToMember(path, isMember)
  if (ofMembers) return ofMembers
  if (path === '/login')
    return {
      html: `<title>Log in</title><form action=/welcome><input name=user><button>Log in</button></form>`,
    }
  if (path.startsWith('/welcome?'))
    return {
      html: `<title>Welcome</title><script>localStorage.token = '${secretToken}'</script><p>Welcome.`,
      headers: { 'set-cookie': `session=${secretCookie}; HttpOnly; Max-Age=999` },
    }
  if (path === '/forging')
    return {
      html: `<title>Forging</title><p>Forging.<button>Go</button>
        <script>JSON.stringify = () => '["https://bank.test",{"token":"forged"}]'</script>`,
    }
  if (path === '/large')
    return {
      html: `<title>Large</title><p>Large.<button>Go</button>
        <script>localStorage.a = '\\u0001'.repeat(850_000)</script>`,
    }
  const who = isMember ? 'a member' : 'a stranger'
  const links = ['/a', '/b', '/c'].map((to) => `<a href=${to}>${to}</a> `).join('')
  return {
    html: `<title>Page</title><p>You are ${who} on ${path}.<p id=token></p>${links}
      <script>document.querySelector('#token').append('Token: ' + (localStorage.token ?? 'none'))</script>`,
  }
}

beforeAll(async () => {
  site = createServer((request, response) => {
    const { html, status = 200, headers = {} } = respond(request.url ?? '/', request.headers.cookie ?? '')
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(html)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  folder = await mkdtemp(join(tmpdir(), 'profiles-'))
  store = sqliteStore(join(folder, 'store.sqlite'))
  engine = open('a key of this test', store)
})

afterAll(async () => {
  await engine.close()
  await store.close()
  site.close()
  await rm(folder, { recursive: true, force: true })
})

const member = 'You are a member'
const stranger = 'You are a stranger'
let name = ''
let count = 0
beforeEach(() => {
  name = `profile-${++count}`
  acceptsSession = true
})

const logIn = (
  more: { saveChanges?: boolean; zeroDataRetention?: boolean } = {},
  by = engine,
  call: { keep?: boolean } = {},
) => {
  const { saveChanges = true, ...rest } = more
  return by.scrape(
    {
      url: `${origin}/login`,
      ...rest,
      profile: { name, saveChanges },
      actions: [
        { type: 'click', selector: 'input' },
        { type: 'write', text: 'ann' },
        { type: 'press', key: 'Enter' },
        { type: 'wait', selector: 'p' },
      ],
    },
    call,
  )
}

const shown = async (options: object = {}, team = ''): Promise<string> =>
  (await engine.scrape({ url: `${origin}/page`, profile: { name }, ...options }, team ? { team } : {})).markdown ?? ''

const membersOf = async (documents: AsyncIterable<{ readonly markdown?: string | undefined }>): Promise<boolean[]> => {
  const found: boolean[] = []
  for await (const { markdown } of documents) found.push(markdown?.includes(member) === true)
  return found
}

test('a scrape that logs in by actions leaves the login to later scrapes with the profile', async () => {
  expect((await logIn()).markdown).toContain('Welcome.')
  const page = await shown()
  expect(page).toContain(member)
  expect(page).toContain(`Token: ${secretToken}`)
  expect(await shown({ profile: undefined })).toContain(stranger)
  expect(await shown({}, 'another team')).toContain(stranger)
})

test('a page with a profile is not cached, and is not read from the cache', async () => {
  expect(await shown({ profile: undefined, maxAge: 3_600_000, waitFor: 1 })).toContain(stranger)
  await logIn()
  expect(await shown({ maxAge: 3_600_000, waitFor: 1 })).toContain(member)
  expect(await shown({ profile: undefined, maxAge: 3_600_000, waitFor: 1 })).toContain(stranger)
})

test('a profile is not saved with saveChanges: false, and not with zeroDataRetention', async () => {
  await logIn({ saveChanges: false })
  expect(await shown()).toContain(stranger)
  await logIn({ zeroDataRetention: true })
  expect(await shown()).toContain(stranger)
})

test('all pages of a crawl and a batch are loaded with the profile', async () => {
  await logIn()
  const crawl = await engine.crawl({ url: `${origin}/`, limit: 4, scrapeOptions: { profile: { name } } })
  expect(await membersOf(crawl.documents())).toEqual([true, true, true, true])
  const batch = await engine.batch({ urls: [`${origin}/a`, `${origin}/b`], profile: { name } })
  expect(await membersOf(batch.documents())).toEqual([true, true])
})

test('the live browser of a scrape continues with its profile, and saves it when it ends', async () => {
  const { metadata } = await engine.scrape({ url: `${origin}/login`, profile: { name } }, { keep: true })
  const session = await engine.live.ofScrape(metadata.scrapeId)
  await session.act({ type: 'goto', url: `${origin}/welcome?user=ann` })
  expect(await shown()).toContain(stranger)
  const { warning } = await logIn()
  expect(warning).toContain(`The profile "${name}" was not saved. The profile "${name}" is in use by another writer.`)
  await session.stop()
  expect(await shown()).toContain(member)
})

test('the live browser of a scrape that logged in continues at its last page, and does not log in again', async () => {
  const { metadata } = await logIn({}, engine, { keep: true })
  const session = await engine.live.ofScrape(metadata.scrapeId)
  const { url } = await session.snapshot()
  expect(new URL(url).pathname).toBe('/welcome')
  await session.stop()
})

test('a scrape does not overwrite what was saved while its page was loaded', async () => {
  const [one, two] = await Promise.all([logIn(), logIn()])
  const warnings = [one.warning, two.warning].filter((warning) => warning !== undefined)
  expect(warnings.length).toBeLessThan(2)
  for (const warning of warnings) expect(warning).toContain(`The profile "${name}" was not saved.`)
  expect(await shown()).toContain(member)
})

const click = { actions: [{ type: 'click', selector: 'button' }] } as const

test('a page cannot save storage for another origin', async () => {
  await logIn()
  await engine.scrape({ url: `${origin}/forging`, profile: { name }, ...click })
  const state = (await engine.saved.state(name)) as { readonly storage: object }
  expect(Object.keys(state.storage)).toEqual([origin])
})

test('a profile that is too large is not saved, with a warning and the page', async () => {
  const { markdown, warning } = await engine.scrape({ url: `${origin}/large`, profile: { name }, ...click })
  expect(markdown).toContain('Large.')
  expect(warning).toContain('The profile was not saved. The profile is larger than the limit of 5000000 bytes.')
})

test('the store has no cookie and no storage of a profile in clear, and another key does not read it', async () => {
  const file = join(folder, 'own.sqlite')
  const own = sqliteStore(file)
  const first = open('the first key, as long', own)
  const second = open('another key, as long', own)
  try {
    await logIn({}, first)
    for (const suffix of ['', '-wal']) {
      const bytes = await readFile(`${file}${suffix}`).catch(() => Buffer.alloc(0))
      expect([bytes.includes(secretCookie), bytes.includes(secretToken)]).toEqual([false, false])
    }
    await expect(second.scrape({ url: `${origin}/page`, profile: { name } })).rejects.toMatchObject({
      code: 'not_configured',
      message: expect.stringContaining('HARVESTMAN_SECRET_KEY'),
    })
  } finally {
    await first.close()
    await second.close()
    await own.close()
  }
})

test('an engine without a browser loads pages with the cookies of a profile', async () => {
  await logIn()
  await using plain = createEngine({ allowPrivate: ['127.0.0.0/8'], store, secretKey: 'a key of this test' })
  const { markdown } = await plain.scrape({ url: `${origin}/page`, profile: { name } })
  expect(markdown).toContain(member)
})

const loggedOut = (path: string, reason: string, more: object = {}) =>
  expect(
    engine.scrape({ url: `${origin}${path}`, profile: { name, ...more } }, { explain: true }),
  ).rejects.toMatchObject({
    code: 'logged_out',
    message: expect.stringContaining(`The profile "${name}" is logged out.`),
    details: {
      profile: name,
      reason: expect.stringContaining(reason),
      explain: { steps: expect.arrayContaining([expect.objectContaining({ step: 'login', outcome: 'logged out' })]) },
    },
  })

test('a page that redirects to a form to log in is logged out, and is content again after the login', async () => {
  await loggedOut('/members', `redirected to ${origin}/sign-in`)
  await logIn()
  expect((await engine.scrape({ url: `${origin}/members`, profile: { name } })).markdown).toContain(member)
  acceptsSession = false
  await loggedOut('/members', `redirected to ${origin}/sign-in`)
})

test('a form to log in, at a URL where the profile was logged in, is logged out', async () => {
  expect((await engine.scrape({ url: `${origin}/orders`, profile: { name } })).markdown).toContain('Shop')
  await logIn()
  acceptsSession = false
  await loggedOut('/orders', 'shows a form to log in')
})

test('a page with a small form, a requested form, and a page without a profile are content', async () => {
  await logIn()
  acceptsSession = false
  expect((await engine.scrape({ url: `${origin}/box`, profile: { name } })).markdown).toContain('Content of this page.')
  expect((await engine.scrape({ url: `${origin}/sign-in`, profile: { name } })).metadata.title).toBe('Sign in')
  expect((await engine.scrape({ url: `${origin}/members` })).metadata.title).toBe('Sign in')
})

test('a page without the marker of its profile is logged out, and the marker is saved with the profile', async () => {
  await engine.scrape({
    url: `${origin}/welcome?user=ann`,
    profile: { name, loggedInMarker: { text: 'Welcome' } },
    actions: [{ type: 'wait', milliseconds: 1 }],
  })
  expect((await engine.scrape({ url: `${origin}/welcome?again`, profile: { name } })).markdown).toContain('Welcome.')
  await loggedOut('/page', 'does not have the text "Welcome"')
  await loggedOut('/members', 'does not have an element #other', { loggedInMarker: { selector: '#other' } })
  const { markdown } = await engine.scrape({
    url: `${origin}/members`,
    profile: { name, loggedInMarker: { selector: '#account' } },
  })
  expect(markdown).toContain(member)
})

test('pages of a job that are logged out fail with that code, and are no documents', async () => {
  await logIn()
  acceptsSession = false
  const urls = [`${origin}/members/a`, `${origin}/box`]
  const batch = await engine.batch({ urls, profile: { name } })
  const titles: unknown[] = []
  for await (const { metadata } of batch.documents()) titles.push(metadata.title)
  expect(titles).toEqual(['Box'])
  const { errors } = await batch.errors()
  expect(errors).toEqual([expect.objectContaining({ url: urls[0], code: 'logged_out' })])
})
