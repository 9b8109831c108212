// @module-tag long
// A crawl that puts rows into a dataset is killed, and goes on in another process.
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
import { afterAll, expect, test } from 'vitest'

import { data } from '../src/index.ts'

const pages = 60
const rowsOfPage = 5

let served = 0
let whenServed: (count: number) => void = () => undefined
const site = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  const page = Number(/^\/(\d+)$/.exec(pathname)?.[1] ?? (pathname === '/' ? 0 : -1))
  if (page < 0) return void response.writeHead(404).end()
  served += 1
  whenServed(served)
  const rows = Array.from({ length: rowsOfPage }, (_, index) => {
    const n = page * rowsOfPage + index
    return `<li class="card"><a class="name" href="/tea/${n}">Tea ${n}</a> <b class="price">€ ${n},50</b></li>`
  })
  const links = [page * 2 + 1, page * 2 + 2].filter((next) => next < pages)
  const nav = links.map((next) => `<a href="/${next}">${next}</a>`).join('')
  response.setHeader('content-type', 'text/html')
  response.end(`<title>Tea</title><main><ul>${rows.join('')}</ul></main><nav>${nav}</nav>`)
})
const folder = mkdtempSync(join(tmpdir(), 'harvestman-killed-crawl-'))
afterAll(() => {
  site.close()
  rmSync(folder, { recursive: true })
})

test('a crawl that is killed in the middle goes on, and each row of its pages is in the dataset once', async () => {
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  const path = join(folder, 'store.sqlite')
  const child = fileURLToPath(new URL('./crawler.ts', import.meta.url))
  const crawler = spawn(process.execPath, [child, path, `http://127.0.0.1:${(site.address() as AddressInfo).port}/`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let id = ''
  createInterface({ input: crawler.stdout }).on('line', (line) => (id = line))
  whenServed = (count) => count === pages / 2 && crawler.kill('SIGKILL')
  await once(crawler, 'exit')
  expect(crawler.signalCode).toBe('SIGKILL')

  const store = sqliteStore(path)
  const engine = createEngine({ store, allowPrivate: ['127.0.0.0/8'], limits: { leaseTime: 2_000 }, plugins: [data()] })
  try {
    const before = (await engine.datasets.get('teas')).rows
    expect(before).toBeGreaterThan(0)
    expect(before).toBeLessThan(pages * rowsOfPage)
    const job = await engine.jobs.find(id)
    expect(await job?.end()).toMatchObject({ status: 'completed', completed: pages })
    expect((await engine.datasets.get('teas')).rows).toBe(pages * rowsOfPage)
    const sql = 'SELECT count(*), count(DISTINCT link), count(DISTINCT _source) FROM rows'
    expect((await engine.datasets.query('teas', { sql })).rows).toEqual([
      [pages * rowsOfPage, pages * rowsOfPage, pages],
    ])
  } finally {
    await engine.close()
    await store.close()
  }
})
