// A process is killed, with no time to clean up, while it records a crawl. What it wrote can be read, the crawl goes on and is
// recorded behind it, and a replay from the start gives what the crawl gave.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { createEngine, type Engine } from '@harvestman/core'
import { sqliteStore } from '@harvestman/keyv'
import { recording, replay } from '@harvestman/record'
import { afterAll, expect, test } from 'vitest'

import { longIf } from '../../scripts/long-tests.ts'

const child = fileURLToPath(new URL('./record-child.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'harvestman-record-killed-'))
const most = 12
let visits = 0
/** Told of each page that is asked for; the others wait for ever when it gives false. */
let mayAnswer: (visit: number) => boolean = () => true
const site = createServer((request, response) => {
  const at = Number(/^\/(\d*)$/.exec(request.url ?? '')?.[1] ?? 'none')
  if (Number.isNaN(at)) return void response.writeHead(404).end()
  visits += 1
  if (!mayAnswer(visits)) return
  const links = [2 * at + 1, 2 * at + 2]
    .filter((next) => next < most)
    .map((next) => `<a href="/${next}">Page ${next}</a>`)
  response.writeHead(200, { 'content-type': 'text/html' })
  // Another text with each visit: it shows which answer a document was made of.
  response.end(
    `<title>Page ${at}</title><h1>Page ${at}</h1><p>This is visit ${visits} of the site.</p>${links.join(' ')}`,
  )
})
await once(site.listen(0, '127.0.0.1'), 'listening')
const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`

afterAll(() => {
  site.closeAllConnections()
  site.close()
  rmSync(folder, { recursive: true })
})

/** Kills the recording process once it has asked for so many pages, the last of which is never answered. */
async function crawlAndKill(store: string, file: string, pages: number): Promise<string> {
  const reached = Promise.withResolvers<void>()
  visits = 0
  mayAnswer = (visit) => {
    if (visit >= pages) reached.resolve()
    return visit < pages
  }
  const process_ = spawn(process.execPath, [child, store, file, url], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [id] = (await once(createInterface({ input: process_.stdout }), 'line')) as [string]
    await reached.promise
    return id
  } finally {
    const gone = once(process_, 'exit')
    process_.kill('SIGKILL')
    await gone
  }
}

/** What a crawl found: each page with its outcome and text. */
async function factsOf(job: Awaited<ReturnType<Engine['crawl']>>): Promise<readonly unknown[]> {
  const facts: (readonly [string, ...unknown[]])[] = []
  for await (const { metadata, markdown } of job.documents())
    facts.push([metadata.sourceURL, metadata.statusCode, metadata.title, markdown])
  const { status, completed, total } = await job.status()
  return [{ status, completed, total }, ...facts.toSorted(([a], [b]) => a.localeCompare(b))]
}

for (const pages of [5, 2, 11])
  test(
    `a crawl that was killed at page ${pages} goes on, and its record is replayed to the same pages`,
    longIf(pages !== 5),
    async () => {
      const [path, file] = [join(folder, `${pages}.sqlite`), join(folder, `${pages}.warc.gz`)]
      const id = await crawlAndKill(path, file, pages)
      mayAnswer = () => true
      const store = sqliteStore(path)
      const engine = createEngine({
        store,
        allowPrivate: ['127.0.0.0/8'],
        limits: { leaseTime: 2_000 },
        plugins: [recording({ file, append: true })],
      })
      await engine.jobs.work()
      const recorded = await factsOf(await engine.jobs.findCrawl(id))
      await engine.close()
      await store.close()
      expect(recorded).toHaveLength(most + 1)
      const lines = readFileSync(file.replace('.warc.gz', '.cdxj'), 'utf8').trim().split('\n')
      expect(lines.length).toBeGreaterThanOrEqual(most)
      const before = visits
      await using replayed = await replay(file, { engine: { allowPrivate: ['127.0.0.0/8'] } })
      const again = await replayed.crawl({ url, limit: 30, scrapeOptions: { formats: ['markdown'] } })
      expect(await factsOf(again)).toEqual(recorded)
      expect(visits).toBe(before)
    },
  )
