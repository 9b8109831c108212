// Several processes of the command on one store, as on several machines: those that answer and those that work. The server of the
// store takes no connection without TLS and a password.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Store } from '@harvestman/ports'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import {
  post,
  startCluster,
  startCountedSite,
  startReceiver,
  statusAt,
  untilEnded,
  type Cluster,
  type CountedSite,
  type Receiver,
} from './cluster.ts'
import { password, type Secured } from './secured.ts'

const pages = 150
const hasJails = spawnSync('bwrap', ['--version']).status === 0

/** The tests of them on the server of one technology. */
export function testManyOn(
  tag: 'redis' | 'postgres',
  start: (folder: string) => Promise<Secured>,
  open: (url: string, options: { readonly timeout: number }) => Store,
): void {
  describe(`two that answer and four that work, on ${tag}:`, { tags: [tag] }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'harvestman-many-'))
    let backend: Secured
    let site: CountedSite
    let receiver: Receiver
    let cluster: Cluster

    beforeAll(async () => {
      backend = await start(folder)
      site = await startCountedSite(pages, { delay: 200 })
      receiver = await startReceiver()
      cluster = await startCluster({
        env: {
          ...backend.env,
          HARVESTMAN_STORE: backend.url,
          HARVESTMAN_PEER_URL: 'http://127.0.0.1:0',
          HARVESTMAN_PEER_SECRET: 'known to both of them',
          ...(hasJails && { HARVESTMAN_SANDBOX: 'bubblewrap', HARVESTMAN_SANDBOX_BOUND: 'watched' }),
        },
        apis: 2,
        workers: 4,
        sitePorts: [site.port, receiver.port],
      })
    })
    afterAll(async () => {
      await cluster?.stop()
      site?.close()
      receiver?.close()
      await backend?.remove()
      rmSync(folder, { recursive: true, force: true })
    })

    test('a process that does not know the authority of the certificate is refused, and does not say the password', async () => {
      const store = open(backend.url, { timeout: 2_000 })
      onTestFinished(() => store.close())
      const error: unknown = await store.get('key').catch((caught: unknown) => caught)
      expect(error).toMatchObject({ code: 'store_failed' })
      expect(String(error)).not.toContain(password)
    })

    test('a crawl whose workers are killed has every page once, and its webhook every message, in order', async () => {
      const [one = '', other = ''] = cluster.urls
      const request = { url: site.url, limit: pages, maxConcurrency: 4, webhook: { url: receiver.url } }
      const { id } = await post(`${one}/v2/crawl`, request)
      const killTwo = async (): Promise<void> => {
        for (let killed = 0; killed < 2; killed += 1) {
          await new Promise((resolve) => setTimeout(resolve, 1500))
          await cluster.killWorker()
        }
      }
      const [ended] = await Promise.all([untilEnded(`${other}/v2/crawl/${id}`, 100_000), killTwo()])
      expect([ended.status, ended.total, ended.completed]).toEqual(['completed', pages, pages])
      const urls = ended.data.map(({ metadata }) => metadata.sourceURL)
      expect(urls).toHaveLength(pages)
      expect(new Set(urls).size).toBe(pages)
      expect(ended.creditsUsed).toBe(pages)
      await expect.poll(() => receiver.types.at(-1)).toBe('crawl.completed')
      expect(receiver.types[0]).toBe('crawl.started')
      expect(receiver.types.filter((type) => type === 'crawl.page')).toHaveLength(pages)
    })

    test('the same key gives one job, whichever process is asked', async () => {
      const headers = { 'x-idempotency-key': '0b9c2a1e-6f0d-4c43-8d0f-8f6a4e1f6b11' }
      const ask = (url: string) => post(`${url}/v2/batch/scrape`, { urls: [`${site.url}/page/1`] }, headers)
      const answers = await Promise.all([...cluster.urls, ...cluster.urls, ...cluster.urls].map(ask))
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
      const [{ id } = { id: '' }] = answers
      expect((await untilEnded(`${cluster.urls[0]}/v2/batch/scrape/${id}`, 40_000)).completed).toBe(1)
    })

    test('a map is the same, whichever process is asked, and so is what a scrape has kept', async () => {
      const map = async (url: string) => (await postTo(`${url}/v2/map`, { url: site.url, limit: 50 })).body['links']
      const [one = '', other = ''] = cluster.urls
      const links = (await map(one)) as readonly { readonly url: string }[]
      expect(links.map(({ url }) => url)).toContain(`${site.url}/page/1`)
      expect(await map(other)).toEqual(links)
      const visits = () => site.visits.get('/page/7') ?? 0
      const scrape = (url: string) => postTo(`${url}/v2/scrape`, { url: `${site.url}/page/7`, maxAge: 3_600_000 })
      expect((await scrape(one)).status).toBe(200)
      const before = visits()
      expect([(await scrape(other)).status, visits()]).toEqual([200, before])
    })

    test(
      'a live browser of one process is driven, seen and ended through the other',
      { tags: ['browser'] },
      async () => {
        const [one = '', other = ''] = cluster.urls
        const { status, body } = await postTo(`${one}/v2/interact`, {})
        expect(status).toBe(200)
        const path = `/v2/interact/${String(body['id'])}`
        const seen = (await (await fetch(other + path)).json()) as Readonly<Record<string, string>>
        expect([seen['status'], new URL(seen['liveViewUrl'] ?? '').origin]).toEqual(['running', new URL(other).origin])
        expect(await firstMessage(other, screenOf(seen['liveViewUrl'] ?? ''))).toMatchObject({ type: 'hello' })
        // As Puppeteer or Playwright would, through the process that has not got the browser.
        const driven = await firstMessage(other, String(body['cdpUrl']), { id: 1, method: 'Browser.getVersion' })
        expect(driven).toMatchObject({ id: 1, result: { product: expect.stringContaining('Chrome') } })
        expect((await fetch(other + path, { method: 'DELETE' })).status).toBe(200)
        expect(((await (await fetch(one + path)).json()) as { readonly status: string }).status).toBe('stopped')
      },
    )

    test(
      'code is carried out in the live browser of the process that has it, whichever is asked',
      { tags: ['browser', 'bubblewrap'] },
      async () => {
        const [one = '', other = ''] = cluster.urls
        const timeout = 120
        const goTo = (page: number) =>
          `await page.goto('${site.url}/page/${page}'); globalThis.kept = ${page}; await page.title()`
        const now = 'JSON.stringify([globalThis.kept, await page.title()])'
        // A browser by itself: started by one process, driven through both.
        const { id } = (await postTo(`${one}/v2/interact`, {})).body as { readonly id: string }
        const execute = (api: string, code: string) => postTo(`${api}/v2/interact/${id}/execute`, { code, timeout })
        expect(await execute(other, goTo(4))).toMatchObject({ status: 200, body: { success: true, result: 'Page 4' } })
        expect((await execute(one, now)).body['result']).toBe('[4,"Page 4"]')
        expect((await fetch(`${other}/v2/interact/${id}`, { method: 'DELETE' })).status).toBe(200)
        expect((await execute(other, now)).status).toBe(410)
        // The browser of a page that one process scraped: started by the other, which is asked first.
        const { data } = (await postTo(`${one}/v2/scrape`, { url: `${site.url}/page/5` })).body as {
          readonly data: { readonly metadata: { readonly scrapeId: string } }
        }
        const path = `/v2/scrape/${data.metadata.scrapeId}/interact`
        const interact = (api: string, code: string) => postTo(api + path, { code, timeout })
        expect((await interact(other, 'globalThis.kept = 5; await page.title()')).body['result']).toBe('Page 5')
        const again = await interact(one, now)
        expect([again.status, again.body['result']]).toEqual([200, '[5,"Page 5"]'])
        expect(new URL(String(again.body['liveViewUrl'])).origin).toBe(new URL(one).origin)
        expect((await fetch(one + path, { method: 'DELETE' })).status).toBe(200)
        expect((await interact(other, now)).status).toBe(410)
      },
    )

    test('what one process is told to cancel or to add, the worker does', async () => {
      const [one = '', other = ''] = cluster.urls
      const { id } = await post(`${one}/v2/batch/scrape`, { urls: [`${site.url}/page/2`] })
      await post(`${other}/v2/batch/scrape`, { urls: [`${site.url}/page/3`], appendToId: id })
      const ended = await untilEnded(`${one}/v2/batch/scrape/${id}`, 40_000)
      expect(new Set(ended.data.map(({ metadata }) => metadata.title))).toEqual(new Set(['Page 2', 'Page 3']))
      const long = await post(`${one}/v2/crawl`, { url: site.url, limit: pages, delay: 5 })
      expect(await (await fetch(`${other}/v2/crawl/${long.id}`, { method: 'DELETE' })).json()).toMatchObject({
        status: 'cancelled',
      })
      expect((await untilEnded(`${one}/v2/crawl/${long.id}`, 30_000)).status).toBe('cancelled')
    })

    test('a worker that is told to stop gives back what it has, in time, and loses nothing', async () => {
      const [one = ''] = cluster.urls
      const before = cluster.workers
      const { id } = await post(`${one}/v2/crawl`, { url: site.url, limit: 60 })
      await cluster.startWorker()
      for (let number = 0; number < before; number += 1) {
        const { code, took } = await cluster.stopWorker()
        expect(code).toBe(0)
        expect(took).toBeLessThan(15_000)
      }
      const ended = await untilEnded(`${one}/v2/crawl/${id}`, 60_000)
      expect([ended.status, new Set(ended.data.map(({ metadata }) => metadata.sourceURL)).size]).toEqual([
        'completed',
        60,
      ])
    })

    test('a worker that starts while the server is away begins when it is back, and the job goes on', async () => {
      const [one = ''] = cluster.urls
      const { id } = await post(`${one}/v2/crawl`, { url: site.url, limit: 60 })
      await expect.poll(async () => (await statusAt(`${one}/v2/crawl/${id}`)).completed).toBeGreaterThan(0)
      await backend.kill()
      const killed = cluster.killWorker()
      await new Promise((resolve) => setTimeout(resolve, 4_000))
      await backend.start()
      await killed
      const ended = await untilEnded(`${one}/v2/crawl/${id}`, 80_000)
      const urls = ended.data.map(({ metadata }) => metadata.sourceURL)
      expect([ended.status, urls.length, new Set(urls).size]).toEqual(['completed', 60, 60])
    })
  })
}

async function postTo(url: string, body: unknown) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> }
}

function screenOf(viewUrl: string): string {
  const url = new URL(viewUrl)
  url.pathname += '/screen'
  return url.href
}

/** The first message of the WebSocket at this address, asked for at a server; of the answer, when something is said first. */
function firstMessage(server: string, address: string, said?: unknown): Promise<unknown> {
  const { pathname, search } = new URL(address)
  const socket = new WebSocket(server.replace(/^http/, 'ws') + pathname + search)
  return new Promise((resolve, reject) => {
    if (said !== undefined) socket.addEventListener('open', () => socket.send(JSON.stringify(said)))
    socket.addEventListener('message', ({ data }) => {
      if (typeof data !== 'string') return
      resolve(JSON.parse(data))
      socket.close()
    })
    socket.addEventListener('error', () => reject(new Error(`The WebSocket of ${pathname} was refused.`)))
  })
}
