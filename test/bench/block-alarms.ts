// Runs the detection of block pages, second factors and confirmations on saved pages, none of which is one. Prints false alarms and the time per page, of all pages
// and of the small ones that are searched. Run it with `node test/bench/block-alarms.ts <folder>`.
import { detectBlock } from '../../packages/core/src/scrape/block-signals.ts'
import type { LoginState } from '../../packages/html/src/readings/login.ts'
import { readHtml } from '../../packages/html/src/readings/read.ts'
import { readCorpus } from './corpus-pages.ts'

const [folder = ''] = process.argv.slice(2)
const rounds = 20
const maxSmall = 16_000

const pages = readCorpus(folder, Infinity).map(({ name, url, html }) => {
  const requested = URL.parse(url) ?? new URL('https://site.example/')
  const headers = { 'content-type': 'text/html' }
  return { name, html, requested, response: { url: requested.href, status: 200, headers, body: Buffer.from(html) } }
})

let alarms = 0
for (const { name, requested, response } of pages) {
  const block = detectBlock(response, requested, 0)
  if (!block) continue
  alarms += 1
  console.log(`${name}: ${block.signal}. ${block.reason}`)
}
console.log(`${alarms} false alarms on ${pages.length} pages`)

const scope = { onlyMainContent: false, includeTags: [], excludeTags: [] }
let prompts = 0
for (const { name, html, requested } of pages) {
  const { values } = readHtml({ html, url: requested.href }, scope, [{ name: 'login' }])
  // Cast: the value of this reading.
  const { prompt } = values['login'] as LoginState
  if (prompt === undefined) continue
  prompts += 1
  console.log(`${name}: ${prompt}`)
}
console.log(`${prompts} pages seem to need a second factor or a confirmation`)

function microseconds(some: typeof pages): string {
  let best = Infinity
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now()
    for (const { requested, response } of some) detectBlock(response, requested, 0)
    best = Math.min(best, performance.now() - started)
  }
  return ((best * 1_000) / some.length).toFixed(1)
}

const small = pages.filter(({ response }) => response.body.byteLength <= maxSmall)
console.log(`${microseconds(pages)} µs a page; ${small.length} pages up to 16 KB: ${microseconds(small)} µs`)
