import { answers } from '@harvestman/answers'
import { createEngine, EngineError, fileBlobs, type Engine } from '@harvestman/core'
import { faultText } from '@harvestman/ports/adapters'
import type { Plugin } from '@harvestman/core/plugin'
import type { Blobs, Observer, Sandbox } from '@harvestman/ports'
import { documents } from '@harvestman/documents'
import {
  apiKeys,
  checkPeer,
  createApi,
  firstToKnow,
  serve,
  teamKeys,
  withPeers,
  type ApiOptions,
  type Authenticate,
  type Handler,
  type Server,
} from '@harvestman/http'
import { hosting, type Hosting } from '@harvestman/hosting'
import { live, type Live } from '@harvestman/live'
import { mcpHandler } from '@harvestman/mcp'
import { pdf } from '@harvestman/pdf'
import { lineLog, observers, prometheus, type Prometheus } from '@harvestman/telemetry'
import { s3Blobs } from '@harvestman/s3'
import {
  findBrowser,
  puppeteerBrowser,
  puppeteerSessions,
  whyUnconfined,
  type PuppeteerOptions,
} from '@harvestman/puppeteer'
import { localSandbox } from '@harvestman/sandbox'
import { withWebPage } from '@harvestman/web'

import { environmentNames, type Config } from './config.ts'
import { llmOf } from './llm.ts'
import { loadPlugins } from './plugins.ts'
import { proxiesOf } from './proxies.ts'
import { remedies } from './remedies.ts'
import { openSearch } from './search.ts'
import { isForMany, openQueue, openStore } from './services.ts'
import { takeUncaught } from './uncaught.ts'
import { untilThere } from './until-there.ts'

/** An engine with what a server has. */
export type ServedEngine = Engine & Hosting & { readonly live: Live }

/** An engine with all that a server needs. */
export interface Opened {
  readonly engine: ServedEngine
  /** For what broke beside the engine: tells the log, and counts it. */
  readonly onFault: NonNullable<ApiOptions['onFault']>
  close(): Promise<void>
}

/** What `openEngine` takes beside the configuration. */
export interface OpenOptions {
  /** Takes the lines of the log. */
  readonly write?: (line: string) => void
  /** Counts what the engine does. */
  readonly metrics?: Prometheus | undefined
  /**
   * Whether jobs are worked on here when they are asked for. When absent: not where several machines share a store, for
   * some of them work then.
   */
  readonly works?: boolean | undefined
  /** Whether it lives on to be asked again, so that what is kept in memory is of use. */
  readonly serves?: boolean
  /**
   * Give it where the process runs nothing else: what nobody has caught in it is logged and counted then. A promise that failed
   * ends nothing. After an exception this is called, once: close the server and end the process.
   */
  readonly onBroken?: (() => void) | undefined
  /** Join those of the configuration. */
  readonly plugins?: readonly Plugin[]
  /** Is told what happens, beside the log. */
  readonly observer?: Observer | undefined
}

/** Puts an engine together from a configuration. */
export async function openEngine(config: Config, options: OpenOptions = {}): Promise<Opened> {
  const { write = () => undefined, metrics, works = !isForMany(config.store), serves = false } = options
  const given = [...(await loadPlugins(config.plugins)), ...(options.plugins ?? [])]
  const store = openStore(config.store)
  const queue = openQueue(config.queue, config.store)
  const browser = browserOptions(config)
  const blobs = openFiles(config)
  const found = openSearch(config, serves)
  const browsers = live({ sessions: browser && puppeteerSessions(browser), sandbox: openSandbox(config, write) })
  const observer = observers(
    lineLog({ level: config.log, format: config.logFormat, write }),
    metrics?.observer,
    options.observer,
  )
  const engine = createEngine({
    store,
    queue,
    works,
    blobs,
    browser: browser && puppeteerBrowser(browser),
    proxies: proxiesOf(config),
    llm: llmOf(config),
    search: found.search,
    allowPrivate: config.allowPrivate,
    userAgent: config.userAgent,
    headers: config.headers,
    robots: config.robots,
    webhook: config.webhook,
    webhookSecret: config.webhookSecrets,
    observer,
    plugins: [
      pdf(),
      documents(),
      answers,
      hosting({ uploadBytes: config.uploadBytes }),
      browsers,
      ...found.plugins,
      ...given,
    ],
    defaults: { maxAge: config.maxAge, timeout: config.timeout },
    keep: { storeBytes: config.memoryBytes, jobBytes: config.jobBytes },
  })
  const onFault: Opened['onFault'] = (fault, id, where) =>
    observer({ kind: 'fault', where, message: faultText(fault), team: '', id, at: Date.now() })
  const { onBroken } = options
  if (onBroken) takeUncaught({ onFault: (fault) => onFault(fault, '', 'process'), onBroken })
  return {
    engine,
    onFault,
    close: async () => {
      await engine.close()
      await Promise.all([blobs?.close(), queue?.close()])
      await store?.close()
    },
  }
}

function openFiles({ files, s3Endpoint, s3Region, s3KeyId, s3Secret, s3Public }: Config): Blobs | undefined {
  if (files === undefined) return undefined
  if (!files.startsWith('s3://')) return fileBlobs(files)
  const { host: bucket, pathname } = new URL(files)
  const folder = pathname.replace(/^\/|\/$/g, '')
  if (s3KeyId === undefined || s3Secret === undefined)
    throw new EngineError(
      'not_configured',
      `Files on S3 need a key. Set ${environmentNames.s3KeyId[0]} and ${environmentNames.s3Secret[0]}.`,
    )
  return s3Blobs({
    endpoint: s3Endpoint ?? `https://s3.${s3Region}.amazonaws.com`,
    bucket,
    region: s3Region,
    accessKeyId: s3KeyId,
    secretAccessKey: s3Secret,
    isPublic: s3Public,
    ...(folder !== '' && { prefix: `${folder}/` }),
  })
}

/** The browser that was named, or one that is found; without any, pages are loaded over HTTP. */
function browserOptions({
  browser: named,
  reachableAt,
}: Pick<Config, 'browser' | 'reachableAt'>): PuppeteerOptions | undefined {
  if (named === undefined) return findBrowser() && {}
  if (isHere(named)) return { executablePath: named }
  // A comma may stand in an address, but not before another one.
  return { endpoint: named.split(/[\s,]+(?=(?:wss?|https?):)/), reachableAt }
}

/** Whether a browser that was named is a program, and not the endpoint of one that runs elsewhere. */
export function isHere(named: string): boolean {
  return !/^(wss?|https?):/.test(named)
}

/** What the browser of this machine lacks between its pages and the machine, and what can be done. */
export async function whatBrowserLacks(config: Pick<Config, 'browser' | 'reachableAt'>): Promise<string | undefined> {
  const options = browserOptions(config)
  const program = options && !options.endpoint ? findBrowser(options) : undefined
  return program && whyUnconfined(program.executable)
}

/** Said at the start, so that nobody runs without knowing. Never rejects, and nothing waits for it. */
async function warnOfBrowser(config: Config, { write = () => undefined }: OpenOptions): Promise<void> {
  const lacks = await whatBrowserLacks(config)
  if (lacks !== undefined) write(`${lacks}\n`)
}

function openSandbox(
  { sandbox: mode, sandboxBound: bound }: Config,
  write: (line: string) => void,
): Sandbox | undefined {
  return mode === 'off' ? undefined : localSandbox({ mode, bound, onWarning: write })
}

/** Puts a server together from a configuration, and starts it. Closing it closes all that was opened for it. */
export async function openServer(config: Config, options: OpenOptions = {}): Promise<Server> {
  const metrics = prometheus()
  const patience = { write: options.write ?? (() => undefined), within: config.storeWait }
  const { engine, onFault, close } = await openEngine(config, { serves: true, ...options, metrics })
  try {
    void warnOfBrowser(config, options)
    const authenticate = await untilThere(() => whoAsks(config, engine), patience)
    if (config.credits !== undefined) {
      const grant = { team: 'default', credits: config.credits, id: 'start' }
      await untilThere(() => engine.ledger.grant(grant), patience)
    }
    const render = async (): Promise<string> => {
      // A store that is away is told of by the health of the server.
      const openJobs = await engine.jobs.count().catch(() => undefined)
      return metrics.render(openJobs === undefined ? undefined : { openJobs })
    }
    const api = createApi(engine, { authenticate, adminKey: config.adminKey, metrics: render, onFault, remedies })
    // What was left when the last server ended goes on without being asked for.
    if (options.works ?? !isForMany(config.store)) await untilThere(() => engine.jobs.work(), patience)
    const { port, host, grace } = config
    const all = withMcp(await withOthers(api, engine, config))
    const server = await serve(await withWebPage(all), { port, host, grace })
    const leave = await announce(server, engine, config)
    const closeAll = async (): Promise<void> => {
      await leave()
      await server.close()
      await close()
    }
    return { url: server.url, port: server.port, close: closeAll, [Symbol.asyncDispose]: closeAll }
  } catch (error) {
    await close()
    throw EngineError.is(error) && error.code === 'not_configured' ? naming(error) : error
  }
}

/** The keys of the environment, then those of the teams. Without any of them this machine alone is answered. */
async function whoAsks(config: Config, { teams }: ServedEngine): Promise<Authenticate | undefined> {
  const own = apiKeys(config.apiKeys.join(','))
  // Where a key is asked for anyhow, keys that are made later are known at once.
  const hasTeams = own !== undefined || config.adminKey !== undefined || (await teams.list()).length > 0
  return hasTeams ? firstToKnow(own, teamKeys(teams)) : own
}

// Only this machine reaches those that have none.
const noSecret = 'loopback'

/** Passes what is asked about live browsers of other processes on to them, where processes say where they are. */
async function withOthers(api: Handler, engine: ServedEngine, config: Config): Promise<Handler> {
  const { peerUrl, peerSecret } = config
  if (peerUrl === undefined || browserOptions(config) === undefined) return api
  checkPeer(peerUrl, peerSecret)
  return withPeers(api, { find: engine.live.findOwner, secret: peerSecret ?? noSecret })
}

async function announce({ port }: Server, engine: ServedEngine, config: Config): Promise<() => Promise<void>> {
  const { peerUrl } = config
  if (peerUrl === undefined || browserOptions(config) === undefined) return async () => undefined
  const url = new URL(peerUrl)
  // The port that was chosen, where the system chose it.
  if (url.port === '0') url.port = String(port)
  return engine.live.announce(url.href)
}

/** Tools for models stand beside the API, at `/mcp`. */
function withMcp(api: Handler): Handler {
  const mcp = mcpHandler({ ask: api })
  const handle: Handler = (request, transport) =>
    new URL(request.url).pathname === '/mcp' ? mcp(request) : api(request, transport)
  const { isOpen, watch, onFault } = api
  return Object.assign(handle, {
    ...(isOpen !== undefined && { isOpen }),
    ...(onFault && { onFault }),
    ...(watch && { watch }),
  })
}

/** Puts a worker together from a configuration, and starts it: it answers nothing but whether it lives and is ready. */
export async function openWorker(config: Config, options: OpenOptions = {}): Promise<Server> {
  const patience = { write: options.write ?? (() => undefined), within: config.storeWait }
  const { engine, onFault, close } = await openEngine(config, { ...options, works: true })
  let server: Server | undefined
  const closeAll = async (): Promise<void> => {
    await close()
    await server?.close()
  }
  try {
    const api = createApi(engine, { onFault })
    const health = async (request: Request): Promise<Response> =>
      new URL(request.url).pathname.startsWith('/health') ? api(request) : new Response(null, { status: 404 })
    server = await serve(Object.assign(health, { isOpen: false }), { port: config.port, host: config.host })
    await untilThere(() => engine.jobs.work(), patience)
    void warnOfBrowser(config, options)
    return { url: server.url, port: server.port, close: closeAll, [Symbol.asyncDispose]: closeAll }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** Operators know a setting by the name they set it under. */
function naming({ code, message, details }: EngineError): EngineError {
  return new EngineError(code, `${message} Keys are set in ${environmentNames.apiKeys[0]}.`, { details })
}
