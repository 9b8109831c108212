// Clients that are installed by hand: `npm ci` in test/api/clients/others. They run as the programs they are.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

import type { House } from '../bench.ts'
import { key, must, type ClientCase } from './cases.ts'
import { words } from './search.ts'

const folder = fileURLToPath(new URL('./others/node_modules/', import.meta.url))

export const areOthersInstalled = existsSync(folder)

const run = promisify(execFile)

/** The server that a program talks to, and the folder where it keeps what it remembers. */
type Clientele = Pick<House, 'server'> & { readonly home?: string }

const env = ({ server, home }: Clientele) => ({
  ...process.env,
  FIRECRAWL_API_KEY: key,
  FIRECRAWL_API_URL: server.url,
  NO_COLOR: '1',
  ...(home !== undefined && { HOME: home }),
})

export async function cli(house: Clientele, ...given: readonly string[]): Promise<string> {
  const program = `${folder}firecrawl-cli/dist/index.js`
  const { stdout } = await run(process.execPath, [program, ...given], { env: env(house), timeout: 60_000 })
  return stdout
}

export const commandLine = 'firecrawl-cli 1.23.3'
const cliCases: readonly ClientCase[] = [
  {
    client: commandLine,
    method: 'scrape',
    run: async (house) => {
      const text = await cli(house, 'scrape', house.at('/good/article'))
      must(text.includes('but it walks on six'), text)
    },
  },
  {
    client: commandLine,
    method: 'scrape, in several formats',
    run: async (house) => {
      const text = await cli(house, 'scrape', house.at('/good/article'), '--format', 'markdown,links,images', '--json')
      const found = JSON.parse(text) as { readonly markdown?: string; readonly links?: unknown[] }
      must(found.markdown?.includes('but it walks on six') && Array.isArray(found.links), found)
    },
  },
  {
    client: commandLine,
    method: 'map',
    run: async (house) => {
      const text = await cli(house, 'map', house.at('/crawl/'), '--limit', '5')
      must(text.split('\n').filter((line) => line.includes(house.site.url)).length === 5, text)
    },
  },
  {
    client: commandLine,
    method: 'crawl --wait',
    run: async (house) => {
      const text = await cli(house, 'crawl', house.at('/crawl/'), '--limit', '3', '--wait', '--poll-interval', '1')
      must(text.includes('completed') || text.includes('"data"'), text)
    },
  },
  {
    client: commandLine,
    method: 'parse',
    run: async (house) => {
      const text = await withFile((file) => cli(house, 'parse', file, '--format', 'markdown,html', '--json'))
      const { markdown, html } = JSON.parse(text) as { readonly markdown?: string; readonly html?: string }
      must(markdown === '# Lamp\n\nIt is made of oak, and costs EUR 12.' && html?.includes('<h1>Lamp</h1>'), text)
    },
  },
]

/** Runs with a file that holds a page. */
async function withFile<Result>(work: (file: string) => Promise<Result>): Promise<Result> {
  const place = await mkdtemp(join(tmpdir(), 'harvestman-parse-'))
  try {
    const file = join(place, 'lamp.html')
    await writeFile(file, '<title>Lamp</title><main><h1>Lamp</h1><p>It is made of oak, and costs EUR 12.</p></main>')
    return await work(file)
  } finally {
    await rm(place, { recursive: true })
  }
}

/** Calls one tool of the MCP server of the vendor, over stdio. */
export async function callTool(house: Clientele, name: string, args: object): Promise<string> {
  const server = spawn(process.execPath, [`${folder}firecrawl-mcp/dist/index.js`], { env: env(house) })
  try {
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
    const say = (message: object) => void server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const answerTo = async (id: number): Promise<{ readonly result?: unknown; readonly error?: unknown }> => {
      for (;;) {
        const { value, done } = await lines.next()
        if (done) throw new Error('The server has ended.')
        const message = JSON.parse(value) as { readonly id?: number; readonly result?: unknown }
        if (message.id === id) return message
      }
    }
    const hello = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    say({ id: 1, method: 'initialize', params: hello })
    await answerTo(1)
    say({ method: 'notifications/initialized' })
    say({ id: 2, method: 'tools/call', params: { name, arguments: args } })
    const { result, error } = await answerTo(2)
    const content = (result as { readonly content?: readonly { readonly text?: string }[] } | undefined)?.content
    return content?.map(({ text }) => text ?? '').join('\n') ?? JSON.stringify(error)
  } finally {
    const exit = once(server, 'exit')
    if (server.kill()) await exit
  }
}

export const mcp = 'firecrawl-mcp 3.26.0'
const mcpCases: readonly ClientCase[] = [
  {
    client: mcp,
    method: 'firecrawl_scrape',
    run: async (house) => {
      const text = await callTool(house, 'firecrawl_scrape', { url: house.at('/good/article'), formats: ['markdown'] })
      must(text.includes('but it walks on six'), text)
    },
  },
  {
    client: mcp,
    method: 'firecrawl_map',
    run: async (house) => {
      const text = await callTool(house, 'firecrawl_map', { url: house.at('/crawl/'), limit: 5 })
      must(text.includes(house.site.url), text)
    },
  },
  {
    client: mcp,
    method: 'firecrawl_crawl, firecrawl_check_crawl_status',
    run: async (house) => {
      const text = await callTool(house, 'firecrawl_crawl', { url: house.at('/crawl/'), limit: 3 })
      const id = /[\da-f]{8}-[\da-f-]{27}/.exec(text)?.[0]
      must(id, text)
      const status = await callTool(house, 'firecrawl_check_crawl_status', { id })
      must(/scraping|completed/.test(status), status)
    },
  },
  {
    client: mcp,
    method: 'firecrawl_parse',
    run: async (house) => {
      const text = await withFile((file) =>
        callTool(house, 'firecrawl_parse', { filePath: file, formats: ['markdown'] }),
      )
      must(text.includes('It is made of oak, and costs EUR 12.'), text)
    },
  },
]

interface AiTool {
  readonly execute: (input: object, call: object) => Promise<unknown>
}

export const load = (path: string): Promise<unknown> => import(pathToFileURL(folder + path).href)

async function aiTool(house: House, name: string, input: object): Promise<unknown> {
  Object.assign(process.env, { FIRECRAWL_API_KEY: key, FIRECRAWL_API_URL: house.server.url })
  const tools = (await load('firecrawl-aisdk/dist/index.js')) as Readonly<Record<string, AiTool>>
  return tools[name]?.execute(input, { toolCallId: '1', messages: [] })
}

const aiSdk = 'firecrawl-aisdk 0.12.0'
const aiCases: readonly ClientCase[] = [
  {
    client: aiSdk,
    method: 'scrape',
    run: async (house) => {
      const found = await aiTool(house, 'scrape', { url: house.at('/good/article'), formats: ['markdown'] })
      must(JSON.stringify(found)?.includes('but it walks on six'), found)
    },
  },
  {
    client: aiSdk,
    method: 'map',
    run: async (house) => {
      const found = await aiTool(house, 'map', { url: house.at('/crawl/'), limit: 5 })
      must(JSON.stringify(found)?.includes(house.site.url), found)
    },
  },
]

interface Loader {
  load(): Promise<readonly { readonly pageContent: string; readonly metadata: object }[]>
}

async function langchain(
  house: House,
  mode: string,
  url: string,
  params: object,
): Promise<Awaited<ReturnType<Loader['load']>>> {
  const { FireCrawlLoader } = (await load('@langchain/community/dist/document_loaders/web/firecrawl.js')) as {
    readonly FireCrawlLoader: new (options: object) => Loader
  }
  return new FireCrawlLoader({ url, mode, params, apiKey: key, apiUrl: house.server.url }).load()
}

const loader = '@langchain/community 1.1.29, `FireCrawlLoader`'
const loaderCases: readonly ClientCase[] = [
  {
    client: loader,
    method: 'mode scrape',
    run: async (house) => {
      const [found] = await langchain(house, 'scrape', house.at('/good/article'), { formats: ['markdown'] })
      must(found?.pageContent.includes('but it walks on six') && 'title' in found.metadata, found)
    },
  },
  {
    client: loader,
    method: 'mode crawl',
    run: async (house) => {
      const options = { limit: 3, scrapeOptions: { formats: ['markdown'] } }
      const found = await langchain(house, 'crawl', house.at('/crawl/'), options)
      must(found.length === 3 && found.every(({ pageContent }) => pageContent !== ''), found)
    },
  },
  {
    client: loader,
    method: 'mode map',
    run: async (house) => {
      const found = await langchain(house, 'map', house.at('/crawl/'), { limit: 4 })
      must(found.length === 4, found)
    },
  },
]

/** Searches of the programs. Each finds the one page, and gives its words where it scrapes. */
export const otherSearchCases: readonly ClientCase[] = [
  {
    client: commandLine,
    method: 'search',
    run: async (house) => {
      const found = JSON.parse(await cli(house, 'search', words, '--limit', '3', '--json')) as object
      must(JSON.stringify(found).includes(house.at('/good/article')), found)
      const text = await cli(house, 'search', words, '--scrape', '--scrape-formats', 'markdown', '--json')
      must(text.includes('but it walks on six'), text)
    },
  },
  {
    client: mcp,
    method: 'firecrawl_search',
    run: async (house) => {
      const text = await callTool(house, 'firecrawl_search', { query: words, limit: 3 })
      must(text.includes(house.at('/good/article')), text)
      const read = { query: words, limit: 3, scrapeOptions: { formats: ['markdown'] } }
      must((await callTool(house, 'firecrawl_search', read)).includes('but it walks on six'), text)
    },
  },
  {
    client: aiSdk,
    method: 'search',
    run: async (house) => {
      const found = await aiTool(house, 'search', { query: words, limit: 3 })
      must(JSON.stringify(found)?.includes(house.at('/good/article')), found)
    },
  },
]

export const otherCases: readonly ClientCase[] = [...cliCases, ...mcpCases, ...aiCases, ...loaderCases]
