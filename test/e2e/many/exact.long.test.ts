// @module-tag long
// What is counted by all processes on a store together: pages to load in parallel of a host and of a team, and requests that wait.
// The site holds its answers back until the test lets them go, so nothing here depends on how fast the machine is.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { startPostgres } from '../../../packages/postgres/test/server.ts'
import { startRedis } from '../../../packages/redis/test/server.ts'
import { startCluster } from './cluster.ts'

interface Backend {
  readonly url: string
  remove(): Promise<void>
}

const backends = {
  redis: (): Promise<Backend> => startRedis(),
  postgres: (): Promise<Backend> => startPostgres('fsync=off'),
}

const childFile = fileURLToPath(new URL('exact-child.ts', import.meta.url))
const soon = { timeout: 60_000, interval: 20 }

for (const tag of ['redis', 'postgres'] as const)
  describe(`two processes on ${tag}`, { tags: [tag] }, () => {
    let backend: Backend
    let site: GatedSite
    let children: ChildProcess[] = []

    beforeAll(async () => {
      backend = await backends[tag]()
    }, 60_000)
    beforeEach(async () => {
      site = await startGatedSite()
    })
    afterEach(async () => {
      site.open()
      for (const child of children) child.kill('SIGKILL')
      children = []
      site.close()
    })
    afterAll(() => backend?.remove(), 60_000)

    const start = (name: string, pages: number, teamConcurrency = '-') => {
      const child = fork(childFile, [backend.url, String(site.port), teamConcurrency, name, String(pages)], {
        execArgv: ['--disable-warning=ExperimentalWarning'],
      })
      children.push(child)
      let completed: number | undefined
      const hasBegun = once(child, 'message')
      child.on('message', (said: { readonly completed?: number }) => (completed = said.completed ?? completed))
      return {
        get completed() {
          return completed
        },
        hasBegun,
        kill: () => child.kill('SIGKILL'),
        end: async () => {
          child.send('end')
          await once(child, 'exit')
        },
      }
    }

    test('visit a host by no more than one of them may, and share it', { timeout: 180_000 }, async () => {
      const one = start('one', 300)
      await expect.poll(() => site.held('one'), soon).toBe(32)
      const two = start('two', 60)
      await two.hasBegun
      // What one of them gives back goes to the other, long before it has done all it has to do.
      await expect
        .poll(() => {
          site.answer(1)
          return site.held('two')
        }, soon)
        .toBeGreaterThan(0)
      expect(one.completed).toBeUndefined()
      await expect
        .poll(() => {
          site.answer(16)
          return [one.completed, two.completed]
        }, soon)
        .toEqual([300, 60])
      expect(site.most).toBe(32)
      await Promise.all([one.end(), two.end()])
    })

    test(
      'load as many pages to load in parallel of a team as it may, and go on with the places of one that is killed',
      { timeout: 180_000 },
      async () => {
        const one = start('one', 20, '3')
        await expect.poll(() => site.held('one'), soon).toBe(3)
        const two = start('two', 20, '3')
        await expect
          .poll(() => {
            site.answer(1)
            return site.held('two')
          }, soon)
          .toBeGreaterThan(0)
        expect(site.most).toBe(3)
        one.kill()
        await expect.poll(() => site.held('two'), soon).toBe(3)
        await expect
          .poll(() => {
            site.answer(1)
            return [two.completed, site.pages('one').size]
          }, soon)
          .toEqual([20, 20])
        expect(site.most).toBe(3)
        await two.end()
      },
    )

    test('make as many requests of a team wait as may, and refuse the others', { timeout: 180_000 }, async () => {
      const adminKey = 'operator'
      const cluster = await startCluster({
        env: { HARVESTMAN_STORE: backend.url, HARVESTMAN_ADMIN_KEY: adminKey },
        apis: 2,
        workers: 0,
        sitePorts: [site.port],
      })
      try {
        const [api = ''] = cluster.urls
        const ask = async (url: string, body: unknown, key: string): Promise<{ status: number; body: unknown }> => {
          const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
          const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
          return { status: answer.status, body: await answer.json() }
        }
        await ask(`${api}/admin/teams`, { id: 'acme', limits: { concurrency: 3, queue: 4 } }, adminKey)
        const { body } = await ask(`${api}/admin/teams/acme/keys`, {}, adminKey)
        const { key } = body as { readonly key: string }
        const statuses: number[] = []
        const asked = Array.from({ length: 16 }, async (_, number) => {
          const page = { url: `${site.url}/scrape/${number}`, timeout: 120_000, maxAge: 0 }
          statuses.push((await ask(`${cluster.urls[number % 2]}/v2/scrape`, page, key)).status)
        })
        await expect.poll(() => statuses.length, soon).toBe(9)
        expect(new Set(statuses)).toEqual(new Set([429]))
        // Those that were let in may be on their way to the site.
        await expect.poll(() => site.held('scrape'), soon).toBe(3)
        await expect
          .poll(() => {
            site.answer(1)
            return statuses.length
          }, soon)
          .toBe(16)
        await Promise.all(asked)
        expect([statuses.filter((status) => status === 200).length, site.most]).toEqual([7, 3])
      } finally {
        site.open()
        await cluster.stop()
      }
    })
  })

/** A site whose pages are answered when the test says so. */
interface GatedSite {
  readonly url: string
  readonly port: number
  /** The most pages to load in parallel that were asked for and not answered. */
  readonly most: number
  /** How many are, of those whose address begins with this name. */
  held(name: string): number
  /** The different pages that were answered. */
  pages(name: string): ReadonlySet<string>
  /** Answers the first ones. */
  answer(count: number): void
  /** Answers all that are asked for, from now on. */
  open(): void
  close(): void
}

async function startGatedSite(): Promise<GatedSite> {
  const waiting = new Map<ServerResponse, string>()
  const answered = new Set<string>()
  let most = 0
  let isOpen = false
  const answer = (response: ServerResponse, path: string): void => {
    waiting.delete(response)
    answered.add(path)
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<title>${path}</title><main><h1>${path}</h1><p>This page is ${path} and no other.</p></main>`)
  }
  const server = createServer(({ url: path = '' }, response) => {
    if (path === '/robots.txt') return void response.writeHead(404).end()
    waiting.set(response, path)
    most = Math.max(most, waiting.size)
    response.on('close', () => waiting.delete(response))
    if (isOpen) answer(response, path)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const answerFirst = (count: number): void => {
    for (const [response, path] of [...waiting].slice(0, count)) answer(response, path)
  }
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    get most() {
      return most
    },
    held: (name) => [...waiting.values()].filter((path) => path.startsWith(`/${name}/`)).length,
    pages: (name) => new Set([...answered].filter((path) => path.startsWith(`/${name}/`))),
    answer: answerFirst,
    open: () => {
      isOpen = true
      answerFirst(waiting.size)
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
