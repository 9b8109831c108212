// A map of 100,000 links over loopback, with and without words to look for. The server is a process of its own.
import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'

import { openMapBench } from '../../../packages/core/src/map/fixtures/open-bench.ts'

const count = 100_000
const files = 4

function serve(): void {
  const server = createServer((request, response) => {
    const origin = `http://${request.headers.host}`
    const { pathname } = new URL(request.url ?? '/', origin)
    const number = Number(/^\/s(\d)\.xml$/.exec(pathname)?.[1] ?? -1)
    if (pathname === '/') return void response.end('<html><title>Home</title><body><p>Welcome.</p></body></html>')
    if (pathname === '/sitemap.xml')
      return void response.end(
        `<sitemapindex>${Array.from({ length: files }, (_, at) => `<sitemap><loc>${origin}/s${at}.xml</loc></sitemap>`).join('')}</sitemapindex>`,
      )
    if (number < 0) return void response.writeHead(404).end()
    const rows = Array.from({ length: count / files }, (_, at) => {
      const page = number * (count / files) + at
      return `<url><loc>${origin}/${words[page % 50]}/${words[(page * 7) % 50]}-${words[(page * 13) % 50]}-${page}</loc><lastmod>2026-01-01</lastmod></url>`
    })
    response.end(`<urlset>${rows.join('\n')}</urlset>`)
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}

const words = Array.from(
  { length: 50 },
  (_, at) =>
    `${'garden,shoes,engine,summer,review,coffee,winter,travel,music,planet'.split(',')[at % 10]}${'ab,cd,ef,gh,ij'.split(',')[at % 5]}`,
)

async function measure(): Promise<void> {
  const child = fork(import.meta.filename, ['serve'])
  const [port] = (await once(child, 'message')) as [number]
  const bench = await openMapBench({ allowPrivate: ['127.0.0.0/8'] })
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const lines: string[] = []
  for (const [name, more] of [
    ['anew', { ignoreCache: true }],
    ['from the kept sitemaps', {}],
    ['with words to look for', { search: 'winter garden coffee review' }],
  ] as const) {
    delay.reset()
    const began = performance.now()
    const before = process.cpuUsage()
    const { links } = await bench.map({ url: `http://127.0.0.1:${port}/`, limit: count, ...more })
    const seconds = (performance.now() - began) / 1_000
    const { user, system } = process.cpuUsage(before)
    lines.push(
      `${name} ${links.length} links in ${seconds.toFixed(2)} s (${((user + system) / 1e6).toFixed(2)} s of CPU), longest stall ${(delay.max / 1e6).toFixed(0)} ms, peak RSS ${(process.resourceUsage().maxRSS / 1_024).toFixed(0)} MB`,
    )
  }
  await bench.close()
  child.kill()
  console.log(`A map: ${lines.join('; ')}.`)
  process.exit(0)
}

if (process.argv[2] === 'serve') serve()
else await measure()
