// A site of made-up pages of about 68 KB with 170 links each, in a process of its own: site.ts <pages> <latency in ms> [styled]
// With `styled`, the pages have style sheets, boxes and hidden parts like saved ones.
// Every page is the same whenever it is asked for, and each can be reached from the first over links.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { madeUpPage } from '../made-up-pages.ts'
import { styledPage } from '../styled-pages.ts'

const [pages = 500, latency = 0] = process.argv.slice(2).map(Number)
const write = process.argv[4] === 'styled' ? styledPage : madeUpPage
const makePage = (number: number): Buffer => Buffer.from(write(number, pages))
const kept = new Map<number, Buffer>()
function pageOf(path: string): Buffer | undefined {
  const number = path === '/' ? 0 : Number(/^\/articles\/(\d+)-/.exec(path)?.[1] ?? NaN)
  if (!(number < pages)) return undefined
  const page = kept.get(number) ?? makePage(number)
  if (kept.size < 2_000) kept.set(number, page)
  return page
}

const server = createServer((request, response) => {
  const page = pageOf(request.url ?? '')
  const send = (): void => {
    response.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
    response.end(page)
  }
  if (latency > 0) setTimeout(send, latency)
  else send()
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const bytes = Array.from({ length: 20 }, (_, number) => makePage(number).length).reduce((sum, length) => sum + length)
  process.send?.({ port: (server.address() as AddressInfo).port, meanBytes: bytes / 20 })
})
process.on('disconnect', () => process.exit())
