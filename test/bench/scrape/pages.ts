// Serves saved pages from memory, in a process of its own, so that its work is not counted with that of the contenders.
import { readFileSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'

import { madeUpPage } from '../made-up-pages.ts'

const [folder = '', count = '200'] = process.argv.slice(2)
/** Pages of the sizes that the web has: those between 20 and 200 KB, spread evenly over the collection. */
function savedPages(): readonly Buffer[] {
  return readdirSync(join(folder, 'wcxb/html'))
    .filter((name) => name.endsWith('.html.br'))
    .map((name) => brotliDecompressSync(readFileSync(join(folder, 'wcxb/html', name))))
    .filter(({ length }) => length > 20_000 && length < 200_000)
    .filter((_, index, all) => index % Math.max(1, Math.floor(all.length / Number(count))) === 0)
    .slice(0, Number(count))
}

const madeUp = (): readonly Buffer[] =>
  Array.from({ length: Number(count) }, (_, number) => Buffer.from(madeUpPage(number, Number(count))))

const bodies = folder === '' ? madeUp() : savedPages()

const server = createServer((request, response) => {
  const index = Number(request.url?.slice(1)) % bodies.length
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(bodies[index])
})
// On a busy machine a contender may not come back for seconds.
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { readonly port: number }
  const bytes = bodies.reduce((sum, { length }) => sum + length, 0)
  process.send?.({ port, pages: bodies.length, meanBytes: Math.round(bytes / bodies.length) })
})
