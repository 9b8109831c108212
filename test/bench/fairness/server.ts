// The server of run.ts, alone in its process: an engine behind the API, with two teams. Its first argument is a SQLite file, or nothing;
// its second where the sites are, or nothing: pages are made up then, take no time to come, and are all processor.
// It tells its address and the keys to the process that started it, and, when it is asked, how long its event loop was held up.
import { monitorEventLoopDelay } from 'node:perf_hooks'

import { createEngine } from '@harvestman/core'
import { defineLoader, definePlugin } from '@harvestman/core/plugin'
import { hosting } from '@harvestman/hosting'
import { createApi, serve, teamKeys } from '@harvestman/http'
import { sqliteStore } from '@harvestman/keyv'

const [file = '', sites = ''] = process.argv.slice(2)

/** Pages that are made up: large enough to be read in a thread; those of `heavy` take much longer. */
const paragraph = `<p>${'Words of a page that is long enough to be read somewhere else. '.repeat(20)}</p>`
const sizes: Readonly<Record<string, number>> = { 'usual.example': 150, 'heavy.example': 800 }
const bodies = new Map(
  Object.entries(sizes).map(([host, size]) => [
    host,
    new TextEncoder().encode(`<main><h1>Page</h1>${paragraph.repeat(size)}</main>`),
  ]),
)
const load = async ({ url }: { readonly url: URL }) => ({
  url: url.href,
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: (bodies.get(url.host) ?? new Uint8Array()).slice(),
  captured: {},
  actions: {},
  proxyUsed: 'basic' as const,
  warnings: [],
})
const pages = definePlugin({ name: 'pages', loaders: [defineLoader({ name: 'pages', cost: 0, load })] })

const store = file === '' ? undefined : sqliteStore(file)
const source =
  sites === ''
    ? { plugins: [pages, hosting()], limits: { inlineBytes: 1_000 } }
    : { plugins: [hosting()], allowPrivate: [`127.0.0.0/8:${sites}`] }
const engine = createEngine({ ...source, store })
const keyOf = async (id: string, limits: object): Promise<string> => {
  await engine.teams.create({ id, limits })
  return (await engine.teams.createKey(id)).key
}
const keys = { measured: await keyOf('measured', {}), loud: await keyOf('loud', { concurrency: 2, queue: 4 }) }
const server = await serve(createApi(engine, { authenticate: teamKeys(engine.teams) }), { port: 0 })
const held = monitorEventLoopDelay({ resolution: 1 })
process.send?.({ url: server.url, keys })
process.on('message', (asked) => {
  if (asked === 'begin') held.reset()
  held.enable()
  if (asked === 'held') process.send?.({ p99: held.percentile(99) / 1e6, most: held.max / 1e6 })
})
process.once('disconnect', () => process.exit())
