// @module-tag long
// @module-tag browser
// A job that waits for a person is killed, and a crawl of 500 pages waits once. Real Chromium, real processes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { createEngine, type AnyDocument } from '@harvestman/core'
import { createApi, serve } from '@harvestman/http'
import { sqliteStore } from '@harvestman/keyv'
import { live } from '@harvestman/live'
import { people } from '@harvestman/live/people'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { logIn, logInByLink, startMembersSite, startPerson } from './members-site.ts'

const folder = mkdtempSync(join(tmpdir(), 'people-'))
let person: Browser
beforeAll(async () => {
  person = await startPerson()
})
afterAll(async () => {
  await person?.close()
  rmSync(folder, { recursive: true, force: true })
})

const ownEngine = (file: string) => {
  const store = sqliteStore(file)
  const engine = createEngine({
    allowPrivate: ['127.0.0.0/8'],
    store,
    secretKey: 'a key of this test',
    browser: puppeteerBrowser(),
    robots: 'never',
    limits: { leaseTime: 2_000 },
    plugins: [live({ sessions: puppeteerSessions() }), people()],
  })
  return { engine, [Symbol.asyncDispose]: async () => (await engine.close(), store.close()) }
}

/** Milliseconds that a crawl of 500 pages may take on a busy machine. */
const patience = 1_700_000

const allPaths = (pages: number) => ['/', ...Array.from({ length: pages }, (_, number) => `/page/${number}`)].toSorted()

async function pathsOf(job: { documents(): AsyncIterable<AnyDocument> }): Promise<readonly string[]> {
  const paths: string[] = []
  for await (const { markdown, metadata } of job.documents())
    paths.push(String(markdown).includes('This is') ? new URL(metadata.sourceURL).pathname : String(markdown))
  return paths.toSorted()
}

/** Waits until a job asks a person, who then logs in by the link on a server of this engine. */
async function helpOnce(engine: ReturnType<typeof ownEngine>['engine'], job: string): Promise<string> {
  const waiting = async () =>
    (await engine.people.list()).find(({ jobId, status }) => jobId === job && status === 'waiting')
  await expect.poll(waiting, { timeout: patience, interval: 500 }).toBeDefined()
  const server = await serve(createApi(engine), { port: 0 })
  const response = await fetch(`${server.url}/v2/people`)
  const { requests } = (await response.json()) as {
    readonly requests: readonly { id: string; jobId: string; link: string }[]
  }
  const { id, link } = requests.find(({ jobId }) => jobId === job)!
  const page = await logInByLink(person, link)
  await engine.people.wait(id)
  await page.close()
  await server.close()
  return id
}

test('a job that is killed while it waits continues to wait, for the same request, and loses no page', async () => {
  const pages = 20
  const file = join(folder, 'killed.sqlite')
  const site = await startMembersSite(pages)
  {
    await using first = ownEngine(file)
    await first.engine.scrape(logIn(site.origin, 'members'))
  }
  site.endSessionsAfter(7)
  const source = fileURLToPath(new URL('engine-child.ts', import.meta.url))
  const child = spawn(process.execPath, [source, file, site.origin, String(pages + 1)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const told = JSON.parse(line) as { readonly job: string; readonly request: string }
  child.kill('SIGKILL')
  await once(child, 'exit')
  await using next = ownEngine(file)
  const job = await next.engine.jobs.find(told.job)
  expect((await job.status()).status).toBe('scraping')
  expect(await helpOnce(next.engine, told.job)).toBe(told.request)
  expect(await pathsOf(job)).toEqual(allPaths(pages))
  expect(await job.status()).toMatchObject({ status: 'completed', completed: pages + 1, failed: 0 })
  expect(await next.engine.people.list()).toHaveLength(1)
  await site.close()
})

test(
  'a crawl of 500 pages whose login ends at page 200 waits once, and has each page once',
  { timeout: 2 * patience },
  async () => {
    const pages = 500
    const site = await startMembersSite(pages)
    await using own = ownEngine(join(folder, 'large.sqlite'))
    await own.engine.scrape(logIn(site.origin, 'members'))
    site.endSessionsAfter(200)
    const job = await own.engine.crawl({
      url: `${site.origin}/`,
      limit: pages + 1,
      scrapeOptions: { profile: { name: 'members' }, person: { timeout: 3_600 } },
    })
    await helpOnce(own.engine, job.id)
    expect(await pathsOf(job)).toEqual(allPaths(pages))
    expect(await job.status()).toMatchObject({ status: 'completed', completed: pages + 1, failed: 0 })
    expect(await own.engine.people.list()).toHaveLength(1)
    await site.close()
  },
)
