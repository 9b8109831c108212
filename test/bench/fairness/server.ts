// The server of run.ts, alone in its process: an engine of made-up pages behind the API, with two teams. Its first argument is
// a SQLite file, or nothing. It tells its address and the keys to the process that started it.
import { createEngine } from '@harvestman/core'
import { defineLoader, definePlugin } from '@harvestman/core/plugin'
import { createApi, serve, teamKeys } from '@harvestman/http'
import { sqliteStore } from '@harvestman/keyv'

const [file = '', perMinute = ''] = process.argv.slice(2)

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
const engine = createEngine({ plugins: [pages], store, limits: { inlineBytes: 1_000 } })
const keyOf = async (id: string, limits: object): Promise<string> => {
  await engine.teams.create({ id, limits })
  return (await engine.teams.createKey(id)).key
}
const rate = perMinute === '' ? {} : { requestsPerMinute: { scrape: Number(perMinute), batch: Number(perMinute) } }
const keys = { measured: await keyOf('measured', {}), loud: await keyOf('loud', { concurrency: 2, queue: 4, ...rate }) }
const server = await serve(createApi(engine, { authenticate: teamKeys(engine.teams) }), { port: 0 })
process.send?.({ url: server.url, keys })
process.once('disconnect', () => process.exit())
