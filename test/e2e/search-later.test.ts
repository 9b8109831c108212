// An engine is killed, with no time to clean up, while it scrapes the pages of a search that answered before. The next engine
// on its store scrapes them, under the ids that the search gave.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { createEngine } from '@harvestman/core'
import { sqliteStore } from '@harvestman/keyv'
import { afterAll, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 300_000 })

const child = fileURLToPath(new URL('./search-child.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'harvestman-search-later-'))
const asked: string[] = []
let isHeld = true
const site = createServer((request, response) => {
  const path = request.url ?? ''
  if (path === '/robots.txt') return void response.writeHead(404).end()
  asked.push(path)
  // While the first engine lives, one page comes and the others never do.
  if (isHeld && path !== '/one') return
  response
    .writeHead(path === '/two' ? 404 : 200, { 'content-type': 'text/html' })
    .end(`<h1>Page ${path}</h1><p>Text.</p>`)
})
await once(site.listen(0, '127.0.0.1'), 'listening')
const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`

afterAll(() => {
  site.closeAllConnections()
  site.close()
  rmSync(folder, { recursive: true })
})

interface Begun {
  readonly ids: readonly string[]
  readonly creditsUsed: number
}

async function searchAndKill(path: string): Promise<Begun> {
  const process_ = spawn(process.execPath, [child, path, url], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = (await once(createInterface({ input: process_.stdout }), 'line')) as [string]
    await vi.waitFor(() => expect(asked).toContain('/one'), 120_000)
    return JSON.parse(line) as Begun
  } finally {
    const gone = once(process_, 'exit')
    process_.kill('SIGKILL')
    await gone
  }
}

test('pages that a search left for later are scraped by the next engine, under the same ids, and paid for once', async () => {
  const path = join(folder, 'later.sqlite')
  const { ids, creditsUsed } = await searchAndKill(path)
  expect([ids.length, new Set(ids).size, creditsUsed]).toEqual([3, 3, 2])
  isHeld = false
  const store = sqliteStore(path)
  const engine = createEngine({ store, allowPrivate: ['127.0.0.0/8'], limits: { leaseTime: 2_000 } })
  const call = { team: 'acme' }
  try {
    await engine.jobs.work()
    const pages = await vi.waitFor(() => Promise.all(ids.map((id) => engine.results.find(id, call))), 240_000)
    expect(pages.map(({ markdown, metadata }) => [markdown, metadata.scrapeId, metadata.statusCode])).toEqual([
      ['# Page /one\n\nText.', ids[0], 200],
      ['# Page /two\n\nText.', ids[1], 404],
      ['# Page /three\n\nText.', ids[2], 200],
    ])
    await expect(engine.results.find(ids[0] ?? '', { team: 'other' })).rejects.toMatchObject({ code: 'forbidden' })
    const { jobs } = await engine.jobs.list({}, call)
    expect(jobs).toMatchObject([
      { kind: 'batch', about: expect.stringMatching(/^3 pages of 127\.0\.0\.1:\d+$/), completed: 3 },
    ])
    await vi.waitFor(async () => expect((await engine.usage(call)).credits).toBe(95), 120_000)
  } finally {
    await engine.close()
    await store.close()
  }
})
