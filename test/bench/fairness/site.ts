// The sites of run.ts, alone in their process: each page is another one, and comes after 300 ms. The usual ones have about 60 KB, and
// those under /heavy/ five times as much. It tells its port to the process that started it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'

const answersAfter = 300
const sections = { usual: 40, heavy: 200 }

const words =
  'a page of the usual kind has many words in short sentences and some links between them that lead on'.split(' ')
const wordsFrom = (start: number, count: number): string =>
  Array.from({ length: count }, (_, at) => words[(start * 7 + at * (start + 3)) % words.length]).join(' ')

function pageOf(number: number, length: number): string {
  const body = Array.from({ length }, (_, section) => {
    const seed = number * length + section
    const items = [1, 2, 3].map((item) => `<li><a href="/${seed}/${item}">${wordsFrom(seed + item, 5)}</a></li>`)
    return `<section class="part"><h2>${wordsFrom(seed, 4)}</h2><p>${wordsFrom(seed, 90)}.</p><p>${wordsFrom(seed + 5, 60)} <em>${section}</em>.</p><ul>${items.join('')}</ul></section>`
  })
  const nav = Array.from({ length: 30 }, (_, at) => `<a class="nav-item" href="/part/${at}">${wordsFrom(at, 2)}</a>`)
  return `<!doctype html><title>Page ${number}</title><nav>${nav.join('')}</nav><main><h1>Page ${number}</h1>${body.join('')}</main>`
}

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://site')
  const number = Number(pathname.replaceAll(/\D/g, ''))
  void setTimeout(answersAfter).then(() => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(pageOf(number, pathname.startsWith('/heavy/') ? sections.heavy : sections.usual))
  })
})
server.listen(0, '0.0.0.0', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.once('disconnect', () => process.exit())
