// What does a job keep in memory? Saved pages, served by another process, scraped by one batch in five formats into an
// engine that was given no store: the memory of the process at the end, beside that before, and what one page takes of it.
// Run: node --expose-gc test/bench/results-memory.ts <folder of saved pages> [pages]
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

import { createEngine } from '@harvestman/core'

import { readCorpus } from './corpus-pages.ts'

const formats = ['markdown', 'html', 'rawHtml', 'links', 'images'] as const
const enough = 4_000_000_000

async function serveFolder(folder: string): Promise<void> {
  const pages = readCorpus(folder, Infinity).map(({ html }) => Buffer.from(html))
  const server = createServer(({ url = '/' }, outgoing) => {
    const page = pages[Number(url.slice(1))]
    outgoing.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  process.send?.({ url: `http://127.0.0.1:${port}`, count: pages.length })
}

function memoryNow(): NodeJS.MemoryUsage {
  for (let time = 0; time < 4; time += 1) globalThis.gc?.()
  return process.memoryUsage()
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`
}

async function measure(folder: string, most: number): Promise<void> {
  const site = fork(fileURLToPath(import.meta.url), ['--serve', folder])
  const [{ url, count }] = (await once(site, 'message')) as [{ readonly url: string; readonly count: number }]
  const engine = createEngine({ allowPrivate: ['127.0.0.0/8'], keep: { jobBytes: enough } })
  const urls = Array.from({ length: Math.min(count, most) }, (_, index) => `${url}/${index}`)
  const before = memoryNow()
  const job = await engine.batch({ urls, formats: [...formats] })
  const { completed } = await job.end()
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed, arrayBuffers } = memoryNow()
  let documents = 0
  let bytes = 0
  for (let skip: number | undefined = 0; skip !== undefined;) {
    const page = await job.page({ skip, limit: 100, maxBytes: 10_000_000 })
    documents += page.count
    for (const piece of page.documents) bytes += piece.byteLength
    page.free()
    skip = page.next
  }
  console.log(`${completed} pages in five formats, ${megabytes(bytes)} of JSON in ${documents} documents`)
  console.log(`  memory of the process ${megabytes(before.rss)} before, ${megabytes(rss)} after`)
  console.log(`  of it in use: heap ${megabytes(heapUsed)}, bytes outside of it ${megabytes(arrayBuffers)}`)
  console.log(`  a page: ${((arrayBuffers - before.arrayBuffers) / completed / 1e3).toFixed(0)} KB kept`)
  console.log(`  processor time a page: ${((user + system) / completed / 1e3).toFixed(1)} ms`)
  await engine.close()
  site.kill()
}

const [first, second] = process.argv.slice(2)
if (first === '--serve') await serveFolder(second ?? '')
else await measure(first ?? '', Number(second ?? Infinity))
