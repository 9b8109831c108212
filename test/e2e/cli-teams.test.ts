// Teams, keys and credits by command, on the store of a server that runs.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openServer, readConfig } from '@harvestman/node'
import { startSite } from '@harvestman/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { plain } from '../../packages/cli/src/paint.ts'
import { run } from '../../packages/cli/src/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'harvestman-teams-'))
const store = `sqlite:${join(folder, 'teams.sqlite')}`
let site: Awaited<ReturnType<typeof startSite>>
let server: Awaited<ReturnType<typeof openServer>>

beforeAll(async () => {
  site = await startSite()
  const given = { store, port: 0, apiKeys: ['own-key'], allowPrivate: ['127.0.0.0/8'], log: 'silent' }
  server = await openServer(readConfig({ env: {}, given }).config)
})
afterAll(async () => {
  await server.close()
  await site.close()
  rmSync(folder, { recursive: true })
})

async function harvestman(...args: readonly string[]) {
  const said = { out: '', err: '' }
  const code = await run([...args, '--store', store], {
    env: {},
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

async function scrape(key: string): Promise<number> {
  const response = await fetch(`${server.url}/v2/scrape`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${site.url}/good/docs` }),
  })
  await response.text()
  return response.status
}

test('a team and a key that are made by command open a server that runs, until the key is revoked', async () => {
  expect(await harvestman('teams', 'create', 'acme', '--name', 'Acme')).toMatchObject({ code: 0, out: 'acme\n' })
  expect((await harvestman('teams', 'list')).out).toMatch(/^acme .* Acme\n$/)
  const made = await harvestman('keys', 'create', 'acme', '--name', 'laptop', '--group', 'scrape')
  const key = made.out.trim()
  expect(await scrape(key)).toBe(200)
  expect(await scrape('own-key')).toBe(200)
  const { out: listed } = await harvestman('keys', 'list', 'acme', '--json')
  const info = JSON.parse(listed) as { id: string; name: string; scopes: object }
  expect(info).toMatchObject({ name: 'laptop', scopes: { groups: ['scrape'] } })
  expect(listed).not.toContain(key)
  expect(await harvestman('keys', 'revoke', 'acme', info.id)).toMatchObject({ code: 0 })
  await expect.poll(() => scrape(key)).toBe(401)
  const again = await harvestman('keys', 'revoke', 'acme', info.id)
  expect(again).toMatchObject({ code: 2, err: expect.stringContaining('has no valid key') })
})

test('credits that are granted by command bound what a server that runs lets through', async () => {
  await harvestman('teams', 'create', 'bound')
  const key = (await harvestman('keys', 'create', 'bound')).out.trim()
  expect((await harvestman('credits', 'show', 'bound')).out).toBe('no bound, 0 used\n')
  expect((await harvestman('credits', 'grant', 'bound', '1', '--id', 'order-1')).out).toBe('1\n')
  expect((await harvestman('credits', 'grant', 'bound', '1', '--id', 'order-1')).out).toBe('1\n')
  expect([await scrape(key), await scrape(key)]).toEqual([200, 402])
  expect((await harvestman('credits', 'show', 'bound')).out).toBe('0 of 1 left, 0 held, 1 used\n')
  expect(await harvestman('credits', 'grant', 'bound', 'much')).toMatchObject({ code: 2 })
})

test('what is wrong is said with the name of what to change', async () => {
  const limits = await harvestman('teams', 'create', 'odd', '--limits', '{"concurrency": 0}')
  expect(limits).toMatchObject({ code: 2, err: expect.stringContaining('concurrency') })
  expect(await harvestman('teams', 'create', 'odd', '--limits', 'x')).toMatchObject({
    err: expect.stringContaining('limits'),
  })
  expect((await harvestman('keys', 'create', 'none')).err).toContain('The team none does not exist')
})

test('a preview says what a command would cost, and does nothing of it', async () => {
  const asked = site.seen.length
  const cap = ['--options', '{"maxCredits": 60}']
  const crawl = await harvestman('crawl', `${site.url}/`, '--limit', '40', ...cap, '--preview')
  expect(crawl.out).toMatch(
    /^up to 40 credits\n {2}Up to 40 pages, each: 1 credit\n {2}A page: 1 credit\n[^]* {2}Range: 1 to 60 credits\n$/,
  )
  const map = await harvestman('map', `${site.url}/`, '--preview', '--json')
  expect(JSON.parse(map.out)).toEqual({ min: 1, max: 1, reasons: [{ what: 'A map', min: 1, max: 1 }] })
  const batch = await harvestman('batch', `${site.url}/a`, `${site.url}/b`, '--preview')
  expect(batch.out).toMatch(/^2 /)
  const listing = await harvestman('llmstxt', `${site.url}/`, '--limit', '3', '--preview')
  expect(listing.out).toMatch(
    /^up to 3 credits\n {2}Up to 3 pages, each: 1 credit\n {2}A page: 1 credit\n[^]* {2}Range: 1 to \d+ credits\n$/,
  )
  const agent = await harvestman('agent', 'x', `${site.url}/`, '--preview')
  expect(agent).toMatchObject({ code: 3, err: expect.stringContaining('language model') as unknown })
  expect(site.seen.length).toBe(asked)
})

test('over HTTP a preview is the same, costs nothing and refuses what its endpoint refuses', async () => {
  const ask = async (body: object) => {
    const headers = { authorization: 'Bearer own-key', 'content-type': 'application/json' }
    const response = await fetch(`${server.url}/v2/team/preview`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as object }
  }
  const url = `${site.url}/`
  const crawl = await ask({ kind: 'crawl', request: { url, limit: 40, maxCredits: 7 } })
  expect(crawl).toMatchObject({ status: 200, body: { success: true, data: { min: 1, max: 7 } } })
  const extract = await ask({ kind: 'extract', request: { urls: [url], schema: { type: 'object' } } })
  expect(extract.body).toMatchObject({ data: { min: 1, max: null } })
  for (const [kind, request] of [
    ['scrape', { url, formats: ['markdown'] }],
    ['batch', { urls: [url] }],
    ['map', { url }],
    ['search', { query: 'words', limit: 11 }],
    ['llmstxt', { url, maxUrls: 3 }],
  ] as const)
    expect({ kind, ...(await ask({ kind, request })) }).toMatchObject({ status: 200, body: { success: true } })
  expect(await ask({ kind: 'scrape', request: { url, limit: 3 } })).toMatchObject({ status: 400 })
  expect(await ask({ kind: 'agent', request: { prompt: 'x', urls: [url] } })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('language model') as unknown },
  })
  expect(await ask({ kind: 'party', request: {} })).toMatchObject({ status: 400 })
})
