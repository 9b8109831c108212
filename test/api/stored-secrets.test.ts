// Credentials of callers in all that a server stores: every byte of its data is searched for them.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server as Web } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createEngine, memoryStore } from '@harvestman/core'
import type { Server } from '@harvestman/http'
import { openServer, readConfig } from '@harvestman/node'
import { findBrowser } from '@harvestman/puppeteer'
import { afterAll, beforeAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'harvestman-'))
const data = join(folder, 'data')
const store = join(data, 'store.db')
const hasBrowser = findBrowser() !== undefined

/** Each is a word that no page, document or setting has. */
const secrets = {
  authorization: 'mark-authorization',
  cookie: 'mark-cookie',
  key: 'mark-x-api-key',
  own: 'mark-own-header',
  password: 'mark-password',
  query: 'mark-query',
  typed: 'mark-typed',
  hook: 'mark-hook-header',
  hookUrl: 'mark-hook-url',
  chat: 'mark-chat-url',
}
const headers = {
  authorization: `Bearer ${secrets.authorization}`,
  cookie: `session=${secrets.cookie}`,
  'x-api-key': secrets.key,
  'x-own': secrets.own,
}
const seen: (readonly [string, string | undefined])[] = []

let web: Web
let server: Server
let site: string

async function open(): Promise<Server> {
  const env = {
    ...{ HARVESTMAN_PORT: '0', HARVESTMAN_STORE: `sqlite:${store}`, HARVESTMAN_FILES: join(data, 'files') },
    ...{ HARVESTMAN_LOG: 'silent', HARVESTMAN_ALLOW_PRIVATE: '127.0.0.0/8', HARVESTMAN_SEARCH_INDEX: 'on' },
  }
  return openServer(readConfig({ env }).config)
}

async function ask(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const init = { method, ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }) }
  const answer = await fetch(server.url + path, init)
  const text = await answer.text()
  expect({ path, status: answer.status, text }).toEqual({ path, status: 200, text })
  return JSON.parse(text) as Record<string, unknown>
}

async function ended(path: string): Promise<void> {
  await expect.poll(async () => (await ask('GET', path))['status'], { timeout: 60_000 }).not.toBe('scraping')
}

function filesIn(path: string): readonly string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesIn(join(path, entry.name)) : [join(path, entry.name)],
  )
}

beforeAll(async () => {
  web = createServer((request, response) => {
    seen.push([request.url ?? '', request.headers.authorization])
    response.setHeader('content-type', 'text/html')
    response.end(
      `<title>A page</title><input id=x><p>Some words on the page ${request.url?.split('?')[0]}. <a href=/next>Next</a>`,
    )
  })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  site = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
  server = await open()
})
afterAll(async () => {
  await server.close()
  web.close()
  rmSync(folder, { recursive: true })
})

test(
  'no byte of what a server stores has a credential of a request, and all of it is private',
  { tags: ['browser'] },
  async () => {
    const host = site.replace('http://', '')
    const named = `http://me:${secrets.password}@${host}`
    const webhook = { url: `${site}/hook?token=${secrets.hookUrl}`, headers: { 'x-hook': secrets.hook } }
    const actions = hasBrowser
      ? [
          { type: 'click', selector: '#x' },
          { type: 'write', text: secrets.typed },
        ]
      : []
    const scrape = { url: `${site}/one`, headers, formats: ['markdown', 'links', 'changeTracking'], actions }
    const { data: document } = (await ask('POST', '/v2/scrape', scrape)) as { data: { metadata: { scrapeId: string } } }
    await ask('POST', '/v2/scrape', { url: `${named}/two`, maxAge: 600_000 })
    await ask('POST', '/v2/scrape', { url: `${site}/three?api_key=${secrets.query}`, maxAge: 600_000 })
    await ask('POST', '/v2/scrape', { ...scrape, zeroDataRetention: true, formats: ['markdown'] })
    await ask('POST', '/v2/map', { url: `${named}/map` })
    const scrapeOptions = { headers, formats: ['markdown'] }
    const crawl = await ask('POST', '/v2/crawl', { url: `${named}/crawl`, limit: 3, scrapeOptions, webhook })
    const urls = [`${named}/batch`]
    const batch = await ask('POST', '/v2/batch/scrape', { urls, ...scrapeOptions, webhook })
    const monitor = {
      name: 'Watch',
      schedule: { text: 'daily' },
      targets: [{ type: 'scrape', urls: [`${named}/watched`], scrapeOptions: { headers } }],
      webhook,
      notification: { slack: { enabled: true, url: `https://hooks.slack.com/services/T/B/${secrets.chat}` } },
    }
    const { data: watch } = (await ask('POST', '/v2/monitor', monitor)) as { data: { id: string } }
    await ask('POST', `/v2/monitor/${watch.id}/run`, {})
    await ended(`/v2/crawl/${String(crawl['id'])}`)
    await ended(`/v2/batch/scrape/${String(batch['id'])}`)
    const checks = async () => ((await ask('GET', `/v2/monitor/${watch.id}/checks`))['data'] as { status: string }[])[0]
    await expect.poll(async () => (await checks())?.status, { timeout: 20_000 }).not.toMatch(/queued|running/)
    expect((await checks())?.status).toBe('completed')
    await server.close()
    const found: string[] = []
    for (const file of filesIn(data)) {
      const bytes = readFileSync(file)
      for (const [name, secret] of Object.entries(secrets)) {
        const at = bytes.indexOf(secret)
        if (at >= 0) found.push(`${name} in ${file}: ${bytes.toString('latin1', Math.max(0, at - 300), at + 60)}`)
      }
      expect([file, (statSync(file).mode & 0o077).toString(8)]).toEqual([file, '0'])
    }
    expect((statSync(data).mode & 0o777).toString(8)).toBe('700')
    server = await open()
    expect(found).toEqual([])
    expect(document.metadata.scrapeId).toBeDefined()
  },
)

test('a request whose credentials were encrypted with another key is refused, and never sent without them', async () => {
  const key = (name: string): string => `the key of ${name}, long enough`
  const shared = memoryStore()
  const options = { store: shared, allowPrivate: ['127.0.0.0/8'], works: false }
  const asking = createEngine({ ...options, secretKey: key('one') })
  const { id } = await asking.batch({ urls: [`${site}/kept`], headers })
  await asking.close()
  const other = createEngine({ ...options, works: true, secretKey: key('two') })
  const job = await other.jobs.find(id)
  await job.end()
  const { errors } = await job.errors()
  expect(errors).toMatchObject([{ code: 'not_configured', error: expect.stringContaining('HARVESTMAN_SECRET_KEY') }])
  await other.close()
  expect(seen.filter(([url]) => url === '/kept')).toEqual([])
})

test('a job continues with its credentials in another engine that has the key', async () => {
  const secretKey = 'the key of all, long enough'
  const options = { store: memoryStore(), allowPrivate: ['127.0.0.0/8'], works: false, secretKey }
  const asking = createEngine(options)
  const { id } = await asking.batch({ urls: [`${site}/continued`], headers })
  await asking.close()
  const other = createEngine({ ...options, works: true })
  await (await other.jobs.find(id)).end()
  await other.close()
  expect(seen.filter(([url]) => url === '/continued')).toEqual([['/continued', headers.authorization]])
})
