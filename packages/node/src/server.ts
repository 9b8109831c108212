import { EngineError } from '@harvestman/ports'
import {
  apiKeys,
  checkPeer,
  createApi,
  combineAuth,
  isLoopback,
  serve,
  teamKeys,
  withPeers,
  type Authenticate,
  type Handler,
  type Server,
} from '@harvestman/http'
import { prometheus, type Prometheus } from '@harvestman/telemetry'
import { withWebPage } from '@harvestman/web'

import { withBotDirectory } from './bot.ts'
import { environmentNames } from './setting-variables.ts'
import type { Config } from './settings.ts'
import { limitsOf } from './limits.ts'
import { browserOptions, whatBrowserLacks, type OpenOptions } from './engine-parts.ts'
import { openEngine, type Opened, type ServedEngine } from './open.ts'
import type { OpenedApi } from './opened-api.ts'
import { remedies } from './remedies.ts'
import { unusedEmbedding } from './search.ts'
import { whatKeyLacks } from './secret-key.ts'
import { isForMany, whatServiceLacks } from './services.ts'
import { untilThere } from './until-there.ts'
import { watchProcess, type ProcessWatch } from './watch-process.ts'

/** Warns at startup if the browser lacks isolation. Never rejects, so callers need not await it. */
async function warnOfBrowser(config: Config, { write = () => undefined }: OpenOptions): Promise<void> {
  const lacks = await whatBrowserLacks(config)
  if (lacks !== undefined) write(`${lacks}\n`)
}

/** Warns if the store is read-only, as on a full disk. Never rejects. */
async function warnOfStore(engine: ServedEngine, { write = () => undefined }: OpenOptions): Promise<void> {
  await engine.checkStore().catch((error: unknown) => {
    if (EngineError.is(error) && error.code === 'store_failed') write(`Nothing can be stored. ${error.message}\n`)
  })
}

/** Warns about missing keys, settings without effect and misconfigured services. Never rejects. */
async function warnOfServices(config: Config, { write = () => undefined }: OpenOptions): Promise<void> {
  const { store, queue } = config
  const noKey = whatKeyLacks(config)
  if (noKey !== undefined) write(`${noKey}\n`)
  const noIndex = unusedEmbedding(config)
  if (noIndex !== undefined) write(`${noIndex}\n`)
  const named = new Set([store, queue].filter((address) => address !== undefined))
  // Services that are unreachable are reported elsewhere.
  const all = await Promise.all([...named].map((address) => whatServiceLacks(address).catch(() => undefined)))
  for (const lacks of all) if (lacks !== undefined) write(`${lacks}\n`)
}

/**
 * Starts a server. If the store is not available yet, retries for `storeWait` milliseconds. Rejects if the engine cannot be
 * opened and, after closing the engine, with `invalid_request` if the port cannot be used or `not_configured` if the host needs
 * API keys or the peer URL a secret.
 */
export async function startServer(config: Config, options: OpenOptions): Promise<Server> {
  const metrics = prometheus()
  const waiting = { write: options.write ?? (() => undefined), within: config.storeWait }
  const watch = watchProcess(config, options)
  const opened = await openWatched(watch, config, { serves: true, ...options, metrics })
  const { engine, onFault } = opened
  const close = async (): Promise<void> => {
    await opened.close()
    await watch.close()
  }
  try {
    void warnOfBrowser(config, options)
    void warnOfServices(config, options)
    const authenticate = await untilThere(() => whoAsks(config, engine), waiting)
    if (config.credits !== undefined) {
      const grant = { team: 'default', credits: config.credits, id: 'start' }
      await untilThere(() => engine.ledger.grant(grant), waiting)
    }
    const render = renderOf(metrics, opened)
    const { adminKey, publicUrl, trustedProxies: trustProxy } = config
    const { onResponse } = metrics
    const known = { authenticate, adminKey, remedies, trustProxy, publicUrl }
    const api = createApi(engine, { ...known, metrics: render, onFault, onResponse })
    // Resume the jobs that were left when the last server ended.
    if (options.works ?? !isForMany(config.store)) await untilThere(() => engine.jobs.work(), waiting)
    const { port, host, grace } = config
    const all = withMcp(withBotDirectory(await withOthers(api, engine, config), config), watch.onRequest)
    const server = await serve(
      await withWebPage(all, {
        limits: () => limitsOf(config),
        doctor: async () => (await import('./doctor.ts')).examineServer(config),
      }),
      { port, host, grace },
    )
    void warnOfStore(engine, options)
    const leave = await announce(server, engine, config)
    // Starts the watchdog's thread before the first request, which then takes less time.
    watch.onRequest()
    // A failure, such as a close in the meantime, concerns nobody: the first scrape then takes longer.
    void engine.warmUp().catch(() => undefined)
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

/** Opens an engine that tells the watchdog what it does. Closes the watchdog if it cannot be opened. */
async function openWatched(watch: ProcessWatch, config: Config, options: OpenOptions): Promise<Opened> {
  try {
    return await openEngine(config, { ...options, observer: watch.observer })
  } catch (error) {
    await watch.close()
    throw error
  }
}

/**
 * Opens an engine with the HTTP API of version 1 and 2 for a caller in this process, without a port. Rejects if the
 * store or another part cannot be opened.
 */
export async function startApi(config: Config, options: OpenOptions): Promise<OpenedApi> {
  const { engine, onFault, close } = await openEngine(config, { serves: true, works: true, ...options })
  return { ask: createApi(engine, { onFault, remedies }), close }
}

function renderOf(metrics: Prometheus, { engine: { jobs, monitors }, proxies }: Opened): () => Promise<string> {
  // An unreachable store is reported by the health check.
  const orNothing = <T>(reading: Promise<T>): Promise<T | undefined> => reading.catch(() => undefined)
  return async () => {
    const [teams, monitorLag] = await Promise.all([orNothing(jobs.countByTeam()), orNothing(monitors.lag())])
    const open = teams && Object.values(teams).reduce((sum, count) => sum + count, 0)
    return metrics.render({ open, teams, monitorLag, ...jobs.here() }, await proxies?.status())
  }
}

/** Accepts configured keys, then keys of teams. Without any key, only localhost is served. */
async function whoAsks(config: Config, { teams }: ServedEngine): Promise<Authenticate | undefined> {
  const own = apiKeys(config.apiKeys.join(','))
  // If keys are required anyway, check team keys as well, so that new ones work at once.
  const hasTeams = own !== undefined || config.adminKey !== undefined || (await teams.list()).length > 0
  return hasTeams ? combineAuth(own, teamKeys(teams)) : own
}

// Peers without a secret are only reachable from localhost.
const noSecret = 'loopback'

/** Forwards requests about live browsers of other processes to their owners, if this process has a peer URL. */
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
  // Replace port 0 by the port that the system has chosen.
  if (url.port === '0') url.port = String(port)
  return engine.live.announce(url.href)
}

/** Serves MCP tools next to the API, at `/mcp`. */
function withMcp(api: Handler, onRequest: () => void): Handler {
  // Loaded with the first request, because the MCP library is large.
  let mcp: Promise<Handler> | undefined
  const load = async (): Promise<Handler> => (await import('@harvestman/tools/mcp')).mcpHandler({ ask: api })
  const answer: Handler = async (request, transport) => {
    mcp ??= load()
    return (await mcp)(request, transport)
  }
  const handle: Handler = (request, transport) => {
    onRequest()
    return new URL(request.url).pathname === '/mcp' ? answer(request, transport) : api(request, transport)
  }
  const { isOpen, watch, onFault, forwarded } = api
  return Object.assign(handle, {
    ...(isOpen !== undefined && { isOpen }),
    ...(forwarded && { forwarded }),
    ...(onFault && { onFault }),
    ...(watch && { watch }),
  })
}

const ofWorker = /^\/(?:metrics$|health(?:\/|$))/

/**
 * Starts a worker, which runs jobs and serves only health and metrics. Rejects if the engine cannot be opened and, after
 * closing it, if the port cannot be used or the store does not become available within `storeWait` milliseconds.
 */
export async function startWorker(config: Config, options: OpenOptions): Promise<Server> {
  const metrics = prometheus()
  const waiting = { write: options.write ?? (() => undefined), within: config.storeWait }
  const watch = watchProcess(config, options)
  const opened = await openWatched(watch, config, { ...options, metrics, works: true })
  const { engine, onFault } = opened
  let server: Server | undefined
  const closeAll = async (): Promise<void> => {
    await opened.close()
    await server?.close()
    await watch.close()
  }
  try {
    const { adminKey, host, port } = config
    // Health is public. Metrics are served to localhost if there is no admin key, else only with the key.
    const authenticate = adminKey === undefined && isLoopback(host) ? undefined : noCaller
    const api = createApi(engine, { authenticate, adminKey, metrics: renderOf(metrics, opened), onFault })
    const probed = async (request: Request): Promise<Response> =>
      ofWorker.test(new URL(request.url).pathname) ? api(request) : new Response(null, { status: 404 })
    server = await serve(Object.assign(probed, { isOpen: false }), { port, host })
    await untilThere(() => engine.jobs.work(), waiting)
    void warnOfBrowser(config, options)
    void warnOfServices(config, options)
    return { url: server.url, port: server.port, close: closeAll, [Symbol.asyncDispose]: closeAll }
  } catch (error) {
    await closeAll()
    throw error
  }
}

const noCaller: Authenticate = () => undefined

/** Adds the environment variable, since operators know settings by that name. */
function naming({ code, message, details }: EngineError): EngineError {
  return new EngineError(code, `${message} Keys are set in ${environmentNames.apiKeys[0]}.`, { details })
}
