// A site whose sitemaps list so many pages, in a process of its own: many-addresses.ts <addresses>
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const addresses = Number(process.argv[2])
const inMap = 50_000
const maps = Math.ceil(addresses / inMap)
let visits = 0

const server = createServer((request, response) => {
  const path = request.url ?? ''
  const origin = `http://${request.headers.host}`
  const map = /^\/map-(\d+)\.xml$/.exec(path)?.[1]
  if (path === '/robots.txt') return void response.end(`User-agent: *\nSitemap: ${origin}/maps.xml\n`)
  if (path === '/visits') return void response.end(String(visits))
  if (path === '/maps.xml') {
    const rows = Array.from({ length: maps }, (_, index) => `<sitemap><loc>${origin}/map-${index}.xml</loc></sitemap>`)
    return void response.end(`<sitemapindex>${rows.join('')}</sitemapindex>`)
  }
  if (map !== undefined) {
    const first = Number(map) * inMap
    const rows = Array.from(
      { length: Math.min(inMap, addresses - first) },
      (_, index) => `<url><loc>${origin}/a/${first + index}/the-name-of-a-page</loc></url>`,
    )
    return void response.end(`<urlset>${rows.join('')}</urlset>`)
  }
  visits += 1
  response.setHeader('content-type', 'text/html')
  // Slow enough for the addresses to wait.
  setTimeout(() => response.end(`<title>${path}</title>`), 500)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
