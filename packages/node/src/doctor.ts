import { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'

import { EngineError, type Engine } from '@harvestman/core'
import { browserBounds, findBrowser } from '@harvestman/puppeteer'

import { errorMessage } from '@harvestman/toolbox/error-message'
import { boundsOf } from './browser-bounds.ts'
import { readConfig, type ConfigSources, type ReadConfig } from './config.ts'
import type { Config } from './settings.ts'
import { runChecks, type Checks } from './doctor-list.ts'
import type { Finding } from './finding.ts'
import { endpointOf, llmOf } from './llm.ts'
import { isHere, whatBrowserLacks } from './engine-parts.ts'
import { openEngine, type Opened } from './open.ts'
import { withoutSecrets } from './proxies.ts'
import { isForMany, openStore, withoutCredentials, whatServiceLacks } from './services.ts'
import { remedies } from './remedies.ts'
import { bot } from './bot.ts'
import { whatKeyLacks } from './secret-key.ts'

/**
 * Checks what works on this host. `settle` adds the host application's defaults to the configuration. An invalid configuration
 * is a finding too; then nothing else is checked. A check that fails is a finding and does not reject.
 */
export async function examine(
  sources: ConfigSources,
  settle: (config: Config) => Config = (config) => config,
): Promise<readonly Finding[]> {
  const read = tryRead(sources, settle)
  if ('fault' in read) return [node(), read.fault]
  const [found, ...others] = await examineServer(read.config)
  const { variables } = await import('./doctor-settings.ts')
  return [...(found ? [found] : []), configured(read), variables(sources.env), await port(read), ...others]
}

/**
 * Checks a running server, whose configuration is valid and whose port is in use by itself. A check that fails is a finding
 * and does not reject.
 */
export async function examineServer(config: Config): Promise<readonly Finding[]> {
  const [services, { code }, { search }, { keys, peers }] = await Promise.all([
    import('./doctor-services.ts'),
    import('./doctor-code.ts'),
    import('./doctor-search.ts'),
    import('./doctor-settings.ts'),
  ])
  const of = (run: (read: Looked) => Finding | Promise<Finding>, timeout = 10_000) => ({
    timeout,
    run: (each: Config) => run({ config: each }),
  })
  const checks: Checks = {
    store: of(store, 15_000),
    queue: { timeout: 10_000, run: services.queue },
    files: { timeout: 30_000, run: services.files },
    // The first start may have to unpack the browser.
    browser: of(browser, 100_000),
    proxies: of(async (read) => withUnreachable(proxies(read), await services.reachProxies(config))),
    model: of(model, 65_000),
    search: { timeout: 35_000, run: search },
    code: { timeout: 90_000, run: code },
    peers: { timeout: 1_000, run: peers },
    mail: { timeout: 10_000, run: services.mail },
    monitors: { timeout: 5_000, run: services.monitorFolder },
    watchdog: { timeout: 1_000, run: services.watchdog },
    keys: { timeout: 1_000, run: keys },
    bot: { timeout: 1_000, run: bot },
    scraping: of(scraping, 30_000),
  }
  return [node(), ...(await runChecks(checks, config))]
}

function withUnreachable(found: Finding, unreachable: readonly string[]): Finding {
  if (unreachable.length === 0) return found
  return {
    name: found.name,
    state: 'broken',
    message: unreachable.join('; '),
    fix: 'Start it, or remove it from the setting.',
  }
}

/** The part of a configuration that checks use. */
type Looked = Pick<ReadConfig, 'config'>

function tryRead(sources: ConfigSources, settle: (config: Config) => Config): ReadConfig | { readonly fault: Finding } {
  try {
    const read = readConfig(sources)
    return { ...read, config: settle(read.config) }
  } catch (error) {
    const message = errorMessage(error)
    return { fault: { name: 'configuration', state: 'broken', message, fix: 'Correct this value.' } }
  }
}

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isNew = major > 22 || (major === 22 && minor >= 19)
  const message = `Node ${process.versions.node}`
  return isNew
    ? { name: 'node', state: 'good', message }
    : { name: 'node', state: 'broken', message, fix: 'Install Node 22.19 or newer.' }
}

function configured({ origins }: ReadConfig): Finding {
  const set = Object.entries(origins).map(([key, origin]) => `${key} from ${origin}`)
  return { name: 'configuration', state: 'good', message: set.length > 0 ? set.join(', ') : 'all defaults' }
}

async function store({ config }: Looked): Promise<Finding> {
  const name = 'store'
  if (config.store === undefined || config.store === 'memory:') {
    const most = `results and uploads: at most ${megabytes(config.keep.storeBytes)}, jobs: ${megabytes(config.keep.jobBytes)}; the oldest are removed first`
    return { name, state: 'good', message: `in memory: ${most}; all data is lost when the process ends` }
  }
  if (isForMany(config.store)) return server(config.store, config)
  const file = resolve(config.store.slice('sqlite:'.length))
  const folder = nearestFolder(dirname(file))
  try {
    if (existsSync(file)) accessSync(file, constants.W_OK)
    rmSync(mkdtempSync(join(folder, '.harvestman-')), { recursive: true })
    return { name, state: 'good', message: `SQLite file ${file}; ${boundOfFiles(config)}` }
  } catch {
    const fix = 'Set HARVESTMAN_STORE to sqlite:<a writable file>, or to memory:.'
    return { name, state: 'broken', message: `${file} cannot be written`, fix }
  }
}

function boundOfFiles({ uploadBytes }: Config): string {
  return `upload space: ${megabytes(uploadBytes)}`
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}

/** Checks the connection to a shared store. */
async function server(address: string, config: Config): Promise<Finding> {
  const name = 'store'
  const opened = await openStore(address)
  try {
    await opened?.get('doctor')
    const lacks = await whatServiceLacks(address)
    if (lacks !== undefined) return { name, state: 'missing', message: withoutCredentials(address), fix: lacks }
    const noKey = whatKeyLacks(config)
    if (noKey !== undefined) return { name, state: 'missing', message: withoutCredentials(address), fix: noKey }
    return { name, state: 'good', message: `${withoutCredentials(address)}; ${boundOfFiles(config)}` }
  } catch (error) {
    const message = errorMessage(error)
    return {
      name,
      state: 'broken',
      message: `${withoutCredentials(address)}: ${message}`,
      fix: 'Start it, or set HARVESTMAN_STORE.',
    }
  } finally {
    await opened?.close()
  }
}

function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder))
}

function port({ config }: Looked): Promise<Finding> {
  const where = `${config.host}:${config.port}`
  return new Promise((done) => {
    const probe = createServer()
    probe.once('error', () =>
      done({
        name: 'port',
        state: 'missing',
        message: `${where} is in use`,
        fix: 'Set PORT to a free port, or stop the process that listens there.',
      }),
    )
    probe.listen(config.port, config.host, () =>
      probe.close(() => done({ name: 'port', state: 'good', message: `${where} is free` })),
    )
  })
}

const drawnPage = 'drawn for the reader'

/** Renders a page and reads its visible text. Without any font, a page is rendered without text. */
async function browser({ config }: Looked): Promise<Finding> {
  const name = 'browser'
  const found = config.browser ?? findBrowser()?.executable
  if (found === undefined) {
    return {
      name,
      state: 'missing',
      message: 'none: no screenshots, actions, waitFor or mobile; pages are loaded over HTTP',
      fix: remedies.browser,
    }
  }
  const message = await withPage(
    config,
    `<script>document.write('<h1>${drawnPage}</h1>')</script>`,
    async (engine, url) => {
      const { actions } = await engine.scrape({
        url,
        actions: [{ type: 'executeJavascript', script: 'document.body.innerText' }],
        // The first start may have to unpack the browser.
        timeout: 90_000,
      })
      return JSON.stringify(actions?.javascriptReturns ?? []).includes(drawnPage)
        ? undefined
        : 'A page was rendered without text, because no font is installed. Install one (apt-get install fonts-dejavu-core).'
    },
  )
  const lacks = message === undefined ? await whatBrowserLacks(config) : undefined
  if (lacks !== undefined)
    return { name, state: 'missing', message: `${found} renders pages, but without its limits`, fix: lacks }
  if (message === undefined) {
    const bounds = isHere(found) ? boundsOf(browserBounds()) : undefined
    return { name, state: 'good', ...bounds, message: bounds ? `${found}; ${bounds.message}` : found }
  }
  const fix = 'Fix that, or set another browser with HARVESTMAN_BROWSER.'
  return { name, state: 'missing', message: `${found}: ${message}`, fix }
}

function proxies({ config }: Looked): Finding {
  const name = 'proxies'
  const tiers = { basic: config.proxies, enhanced: config.enhancedProxies }
  const proxies = Object.entries(tiers)
    .filter(([, addresses]) => addresses.length > 0)
    .map(([tier, addresses]) => `${tier}: ${addresses.map(withoutSecrets).join(', ')}`)
  if (config.enhancedProxies.length > 0) return { name, state: 'good', message: proxies.join('; ') }
  const missing = 'no enhanced one: `proxy: enhanced` is refused, and `auto` is basic'
  return {
    name,
    state: 'missing',
    message: [...proxies, missing].join('; '),
    fix: remedies.proxies,
  }
}

const modelSchema = {
  type: 'object',
  properties: { color: { type: 'string' }, legs: { type: 'integer' } },
  required: ['color', 'legs'],
  additionalProperties: false,
} as const

/** Sends one request with a schema to the model, as formats do. */
async function model({ config }: Looked): Promise<Finding> {
  const name = 'model'
  const llm = await llmOf(config)
  const where = endpointOf(config)
  if (!llm || !where) {
    return {
      name,
      state: 'missing',
      message: 'none: no summaries, no answers about pages; json has only the values that pages mark up',
      fix: remedies.llm,
    }
  }
  try {
    const prompt = 'A green spider has eight legs. Give its color and the number of its legs.'
    const { value } = await llm.ask({ prompt, schema: modelSchema }, AbortSignal.timeout(60_000))
    const message = `${config.llmModel ?? 'the only model'} at ${new URL(where.url).origin} returned ${JSON.stringify(value)}`
    return { name, state: 'good', message }
  } catch (error) {
    const message = EngineError.is(error) ? error.message : 'The model did not respond within a minute.'
    return {
      name,
      state: 'missing',
      message,
      fix: 'Check HARVESTMAN_LLM_URL, HARVESTMAN_LLM_KEY and HARVESTMAN_LLM_MODEL.',
    }
  }
}

const samplePage = 'data for the reader'

/** Scrapes a local page like any other page, including the worker thread. */
async function scraping({ config }: Looked): Promise<Finding> {
  const name = 'scraping'
  const message = await withPage(config, `<title>t</title><main><h1>${samplePage}</h1></main>`, async (engine, url) => {
    const { markdown } = await engine.scrape({ url, includeTags: ['main > h1'], timeout: 10_000 })
    return markdown.includes(samplePage) ? undefined : 'a page was loaded, but its text is wrong'
  })
  if (message !== undefined) return { name, state: 'broken', message }
  return { name, state: 'good', message: 'a page was loaded, read and turned into Markdown' }
}

/** Serves a page on localhost and scrapes it with an engine. Returns the problem, or `undefined`. */
async function withPage(
  config: Config,
  body: string,
  attempt: (engine: Engine, url: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const site = createServer((socket) => {
    // Browsers drop connections without closing them.
    socket.on('error', () => undefined)
    // Read the request, because a socket with unread data never ends.
    socket.resume()
    socket.end(
      `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    )
  })
  await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready))
  const address = site.address() as { readonly port: number }
  // No proxy leads to a page on localhost.
  const here = {
    store: 'memory:',
    files: undefined,
    queue: undefined,
    proxies: [],
    enhancedProxies: [],
    allowPrivate: [`127.0.0.1/32:${address.port}`],
  }
  let opened: Opened | undefined
  try {
    opened = await openEngine({ ...config, ...here })
    return await attempt(opened.engine, `http://127.0.0.1:${address.port}/`)
  } catch (error) {
    return EngineError.is(error) ? error.message : 'a page could not be read'
  } finally {
    await opened?.close()
    site.close()
  }
}
