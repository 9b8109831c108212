// Records of requests over HTTP, by the typed client and by command.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createClient } from '@harvestman/client'
import { createEngine } from '@harvestman/core'
import { defineFeature, definePlugin } from '@harvestman/core/plugin'
import { apiKeys, createApi, serve, type Server } from '@harvestman/http'
import { records, replay } from '@harvestman/record'
import { startSite, type Site } from '@harvestman/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { plain } from '../../packages/cli/src/paint.ts'
import { run } from '../../packages/cli/src/program.ts'

const [key, other] = ['fc-records', 'fc-others']
const allowPrivate = ['127.0.0.0/8']
const folder = mkdtempSync(join(tmpdir(), 'harvestman-records-'))
const engine = createEngine({ allowPrivate, plugins: [records()] })
let site: Site
let server: Server
const client = (of = key) => createClient({ url: server.url, key: of })

beforeAll(async () => {
  site = await startSite()
  server = await serve(createApi(engine, { authenticate: apiKeys(`acme:${key},others:${other}`) }), { port: 0 })
})
afterAll(async () => {
  await server.close()
  await engine.close()
  await site.close()
  rmSync(folder, { recursive: true })
})

async function recorded(): Promise<string> {
  const { metadata } = await client().scrape({ url: `${site.url}/good/article`, record: true })
  return metadata.scrapeId
}

test('a record is read over HTTP by its team, replayed, and deleted', async () => {
  const id = await recorded()
  await expect(client(other).records.get(id)).rejects.toMatchObject({ status: 404 })
  const file = join(folder, 'run.warc.gz')
  writeFileSync(file, Buffer.from(await (await client().records.get(id)).arrayBuffer()))
  await using again = await replay(file, { engine: { allowPrivate } })
  expect((await again.scrape({ url: `${site.url}/good/article` })).metadata.scrapeId).toBe(id)
  await client(other).records.delete(id)
  await client().records.get(id)
  await client().records.delete(id)
  await expect(client().records.get(id)).rejects.toMatchObject({ status: 404 })
})

test('a record of a server is saved and deleted by command', async () => {
  const id = await recorded()
  const file = join(folder, 'saved.warc.gz')
  const said = { err: '' }
  const shell = {
    env: { HARVESTMAN_SERVER: server.url, HARVESTMAN_SERVER_KEY: key, HARVESTMAN_ALLOW_PRIVATE: '127.0.0.0/8' },
    out: () => undefined,
    err: (text: string) => void (said.err += text),
    isTerminal: false,
    paint: { out: plain, err: plain },
    isInteractive: false,
    columns: () => 80,
    stdin: () => new Uint8Array(),
    lines: async function* () {},
  }
  expect(await run(['records', 'get', id, '-o', file], shell)).toBe(0)
  expect(said.err).toContain(file)
  expect(readFileSync(file).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]))
  expect(await run(['records', 'delete', id], shell)).toBe(0)
  expect(await run(['records', 'get', id, '-o', file], shell)).not.toBe(0)
  expect(said.err).toContain('does not exist, or has expired')
})

test('record: true is refused by an engine whose features wrap operations, but record none', async () => {
  const wraps = defineFeature({ name: 'wraps', open: () => ({}), around: (_, __, run) => run() })
  const plugins = [records({ enabled: false }), definePlugin({ name: 'wraps', features: [wraps] })]
  await using plainEngine = createEngine({ allowPrivate, plugins })
  const scraping = plainEngine.scrape({ url: 'https://example.com/', record: true })
  await expect(scraping).rejects.toMatchObject({ code: 'not_configured' })
})

test('a server that keeps no records says what its operator can set', async () => {
  await using plainEngine = createEngine({ allowPrivate, plugins: [records({ enabled: false })] })
  const without = await serve(createApi(plainEngine), { port: 0 })
  const asked = createClient({ url: without.url })
  await expect(asked.records.get('x')).rejects.toMatchObject({ message: expect.stringContaining('HARVESTMAN_RECORDS') })
  await without.close()
})
