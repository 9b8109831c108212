// Whether a replay gives the same: node test/bench/record/replay.ts [folder of saved pages, or '' for made-up ones] [pages over HTTP] [pages in a browser]
// Records the pages, replays them with the network shut, and prints how many documents are equal byte for byte, the
// connections that the replay made, and its time. The pages over HTTP are those of the fixture site, with its redirects and
// failures, and those of the folder. Ends with 1 when a document differs or a connection was made.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import PQueue from 'p-queue'

import { createEngine, type EngineOptions } from '@harvestman/core'
import { puppeteerBrowser } from '@harvestman/puppeteer'
import { recording, replaying } from '@harvestman/record'
import { goodPages, scriptedLLM, startSite } from '@harvestman/testing'

import { readCorpus } from '../corpus-pages.ts'

const [folder = '', overHttp = '1000', inBrowser = '100'] = process.argv.slice(2)
const corpus = readCorpus(folder, Math.ceil(Number(overHttp) / 4)).slice(0, Number(overHttp))
const script = `document.body.append(String(Math.random()))
document.body.onclick = () => document.body.append('clicked')`
const server = createServer((request, response) => {
  const at = Number(/^\/(\d+)/.exec(request.url ?? '')?.[1])
  const isPage = Number.isInteger(at)
  response.setHeader('content-type', isPage ? 'text/html; charset=utf-8' : 'text/javascript')
  const page = corpus[at % corpus.length]?.html ?? ''
  // Pages of the corpus name hosts that are not there: in a browser only what is here is asked for.
  const shown = /browser/.test(request.url ?? '')
    ? `<h1>Page ${at}</h1><p>${page.replaceAll(/<[^>]*>/g, ' ').slice(-2_000)}</p><script src="/script.js"></script>`
    : page
  response.end(isPage ? shown : script)
})
await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
const fixtures = await startSite()
const fixturePaths = [
  ...goodPages.map(({ path }) => path),
  ...['/redirect/chain/3', '/status/404', '/status/500', '/packed/gzip', '/packed/br', '/broken/reset', '/cookie/set'],
  '/encoding/windows-1252/header',
]
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const records = mkdtempSync(join(tmpdir(), 'record-bench-'))

let connections = 0
const { connect } = net.Socket.prototype
net.Socket.prototype.connect = new Proxy(connect, {
  apply: (to, socket: net.Socket, given: Parameters<typeof connect>) => {
    connections += 1
    return Reflect.apply(to, socket, given)
  },
})

interface Run {
  readonly documents: readonly string[]
  readonly connections: number
  readonly seconds: number
}

async function run(options: EngineOptions, requests: readonly object[], atOnce: number): Promise<Run> {
  const engine = createEngine({ allowPrivate: ['127.0.0.1/32'], ...options })
  const before = connections
  const start = performance.now()
  const queue = new PQueue({ concurrency: atOnce })
  const outcome = (request: object): Promise<string> =>
    engine.unchecked.scrape(request).then(
      (document) => JSON.stringify(document),
      // How long an attempt took is no part of why it failed.
      (error: unknown) => JSON.stringify(error, (key, value: unknown) => (key === 'ms' ? undefined : value)),
    )
  // What is asked at once gets its ids in the order in which it is asked.
  const documents = await Promise.all(requests.map((request) => queue.add(() => outcome(request))))
  const seconds = (performance.now() - start) / 1_000
  await engine.close()
  return { documents: documents.map(String), connections: connections - before, seconds }
}

async function show(name: string, requests: readonly object[], options: EngineOptions, atOnce: number): Promise<void> {
  const file = join(records, `${name.replaceAll(' ', '-')}.warc.gz`)
  const first = await run({ ...options, plugins: [recording({ file })] }, requests, atOnce)
  const { llm: _, ...rest } = options
  const again = await run({ ...rest, plugins: [await replaying(file)] }, requests, atOnce)
  const equal = first.documents.filter((document, index) => document === again.documents[index]).length
  const good = first.documents.filter((document) => document.includes('"markdown"')).length
  for (const [index, document] of first.documents.entries())
    if (document !== again.documents[index]) console.log(`differs: ${differenceOf(document, again.documents[index])}`)
  if (equal < requests.length || again.connections > 0) process.exitCode = 1
  console.log(
    `${name}: ${requests.length} recorded (${good} with content) in ${first.seconds.toFixed(1)} s over ${first.connections} connections`,
  )
  console.log(
    `${' '.repeat(name.length)}  replayed in ${again.seconds.toFixed(1)} s over ${again.connections} connections: ${equal} of ${requests.length} equal byte for byte`,
  )
}

/** Where two texts part. */
function differenceOf(before: string, after = ''): string {
  let at = 0
  while (at < before.length && before[at] === after[at]) at += 1
  const around = (text: string): string => text.slice(Math.max(0, at - 60), at + 60)
  return `${around(before)} | ${around(after)}`
}

const pages = (count: number, more: (index: number) => object, word = ''): object[] =>
  Array.from({ length: count }, (_, index) => ({ url: `${origin}/${index}${word}`, timeout: 120_000, ...more(index) }))
const formats = ['markdown', 'links', 'rawHtml']
const ofFixtures = fixturePaths.map((path) => ({ url: fixtures.url + path, formats }))
const ofFolder = pages(Math.max(0, Number(overHttp) - ofFixtures.length), () => ({ formats }))
await show('over HTTP', [...ofFixtures, ...ofFolder], {}, 8)
const llm = scriptedLLM([(question) => ({ value: `A page of ${question.prompt.length} characters.` })])
const browsed = pages(
  Number(inBrowser),
  () => ({
    formats: ['markdown', 'rawHtml', 'summary'],
    actions: [
      { type: 'click', selector: 'h1' },
      { type: 'wait', milliseconds: 50 },
    ],
  }),
  '-browser',
)
await show('in a browser', browsed, { browser: puppeteerBrowser(), llm }, 1)
rmSync(records, { recursive: true })
server.close()
await fixtures.close()
