// @module-tag long
// @module-tag browser
// Browsers that run already, as a browser service has them: two real ones on this machine, reached by their ports.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createEngine } from '@harvestman/core'
import { freePort } from '@harvestman/testing'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

import { plainBrowser } from '../../../test/plain-browser.ts'
import { puppeteerBrowser, puppeteerSessions } from '../src/index.ts'
import { serve, type Served } from './servers.ts'
import { localGuard } from './guard.ts'
import { inTab, profile, soon, startBrowser } from './setup.ts'

const count = 24
let site: Served
let remotes: Remote[] = []

beforeAll(async () => {
  const page = (number: number) => [`/${number}`, `<title>Page ${number}</title><h1>Page ${number}</h1>`] as const
  site = await serve(Object.fromEntries(Array.from({ length: count }, (_, number) => page(number))))
})
beforeEach(async () => {
  remotes = await Promise.all([startRemote(), startRemote()])
}, 60_000)
afterEach(() => Promise.all(remotes.map((remote) => remote.remove())), 60_000)
afterAll(() => site.close())

const at = (number: number): URL => new URL(`http://site.test:${site.port}/${number}`)
const patient = { timeout: 60_000, interval: 100 }

test(
  'tabs go to all endpoints, to the others when one is gone, and to that one again when it is back',
  { tags: ['long'], timeout: 120_000 },
  async () => {
    const [one, other] = remotes as [Remote, Remote]
    const browser = startBrowser({ endpoint: [one.url, other.url], tabs: 20 })
    try {
      const open = async (number: number) => {
        const tab = await browser.open(profile, soon(60_000))
        await tab.goto(at(number), soon(60_000))
        return tab
      }
      const tabs = [await open(0), await open(1), await open(2), await open(3)]
      expect([await one.pages(), await other.pages()]).toEqual([2, 2])
      await one.kill()
      const ends = await Promise.allSettled(tabs.map((tab) => tab.evaluate('1 + 1', soon())))
      expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected'])
      await Promise.all(tabs.map((tab) => tab.close()))
      for (const tab of await Promise.all([open(4), open(5), open(6)])) await tab.close()
      await one.start()
      await expect
        .poll(async () => {
          const tabs = await Promise.all([open(7), open(8)])
          const pages = await one.pages()
          await Promise.all(tabs.map((tab) => tab.close()))
          return pages
        }, patient)
        .toBe(1)
    } finally {
      await browser.close()
    }
  },
)

test(
  'a batch whose pages are drawn by two browsers has all of them, though one is killed and comes back',
  { tags: ['long'], timeout: 180_000 },
  async () => {
    const [one, other] = remotes as [Remote, Remote]
    const browser = puppeteerBrowser({ endpoint: [one.url, other.url], tabs: 4 })
    await using engine = createEngine({ allowPrivate: ['127.0.0.0/8'], browser })
    const urls = Array.from({ length: count }, (_, number) => `http://127.0.0.1:${site.port}/${number}`)
    const batch = await engine.batch({ urls, waitFor: 300, timeout: 60_000 })
    await expect.poll(async () => (await batch.status()).completed, patient).toBeGreaterThan(2)
    await one.kill()
    await expect.poll(async () => (await batch.status()).completed, patient).toBeGreaterThan(8)
    await one.start()
    expect(await batch.end()).toMatchObject({ status: 'completed', completed: count, failed: 0 })
  },
)

test('a live browser opens at the endpoint that is there', async () => {
  const [one, other] = remotes as [Remote, Remote]
  const sessions = puppeteerSessions({ endpoint: [one.url, other.url] })(localGuard())
  try {
    await one.kill()
    for (const team of ['a', 'b', 'c']) {
      const live = await sessions.open({ team, profile }, soon(60_000))
      await live.tab.goto(at(1), soon(60_000))
      expect((await live.snapshot(soon())).title).toBe('Page 1')
    }
    expect(await other.pages()).toBe(3)
  } finally {
    await sessions.close()
  }
})

test('a page without images has a screenshot, because the browser at an endpoint paints it', async () => {
  const browser = startBrowser({ endpoint: remotes[0]!.url })
  try {
    await inTab(browser, { pictures: false }, async (tab) => {
      await tab.goto(at(1), soon(60_000))
      const png = await tab.screenshot({ fullPage: false }, soon())
      expect(Buffer.from(png.subarray(1, 4)).toString()).toBe('PNG')
    })
  } finally {
    await browser.close()
  }
})

test('when no endpoint is there, a page fails with what to do about it', async () => {
  await Promise.all(remotes.map((remote) => remote.kill()))
  const browser = startBrowser({ endpoint: remotes.map(({ url }) => url) })
  await expect(browser.open(profile, soon())).rejects.toMatchObject({
    code: 'browser_failed',
    message: expect.stringContaining('--remote-debugging-port'),
  })
  await browser.close()
})

interface Remote {
  /** That of http, which is the same after each start. */
  readonly url: string
  readonly port: number
  /** The pages that it has of this site. */
  pages(): Promise<number>
  kill(): Promise<void>
  /** At the same port, with the same address. */
  start(): Promise<void>
  remove(): Promise<void>
}

async function startRemote(): Promise<Remote> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-remote-'))
  const executable = await plainBrowser()
  let child: ChildProcess | undefined
  const start = async (): Promise<void> => {
    const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', `--user-data-dir=${folder}`]
    child = spawn(executable, [...flags, `--remote-debugging-port=${port}`, 'about:blank'], { stdio: 'ignore' })
    await expect.poll(() => ask(port, 'version').then(() => true), patient).toBe(true)
  }
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  await start()
  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    pages: async () => {
      const targets = (await ask(port, 'list')) as readonly { readonly type: string; readonly url: string }[]
      return targets.filter(({ type, url }) => type === 'page' && url.includes(String(site.port))).length
    },
    kill,
    start,
    remove: async () => {
      await kill()
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    },
  }
}

async function ask(port: number, what: string): Promise<unknown> {
  return (await fetch(`http://127.0.0.1:${port}/json/${what}`)).json()
}
