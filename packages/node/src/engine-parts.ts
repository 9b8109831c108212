// Opens the ports of a configuration, and an engine with them.
import { createEngine, EngineError, fileBlobs, type Engine, type StaticProxies } from '@harvestman/core'
import { faultText } from '@harvestman/toolbox/guarded'
import type { Plugin } from '@harvestman/core/plugin'
import type { Blobs, Observer, Queue, Store } from '@harvestman/ports'
import type { ApiOptions } from '@harvestman/http'
import { lineLog, measuredStore, observers, type Prometheus } from '@harvestman/telemetry'
import { findBrowser, puppeteerBrowser, whyUnconfined, type PuppeteerOptions } from '@harvestman/puppeteer'
import { impitFetcher, isImpitInstalled } from '@harvestman/puppeteer/impit'

import { fileReaders } from './file-readers.ts'
import { botPlugins } from './bot.ts'
import { preferencesOf } from './preferences.ts'
import { environmentNames } from './setting-variables.ts'
import type { Config } from './settings.ts'
import { llmOf } from './llm.ts'
import { loadPlugins } from './plugins.ts'
import { proxiesOf } from './proxies.ts'
import { openSearch } from './search.ts'
import { secretKeyOf } from './secret-key.ts'
import { isForMany, openQueue, openStore } from './services.ts'
import { takeUncaught } from './uncaught.ts'
import { untilThere } from './until-there.ts'

/** An open engine, with the parts that a server needs. */
export interface OpenedEngine<Opened> {
  readonly engine: Opened
  /** The configured proxies, with their state. */
  readonly proxies: StaticProxies | undefined
  /** Logs and counts errors that happened outside of the engine. */
  readonly onFault: NonNullable<ApiOptions['onFault']>
  close(): Promise<void>
}

/** Options of `openEngine`, in addition to the configuration. */
export interface OpenOptions {
  /** Receives log lines. */
  readonly write?: (line: string) => void
  /** Collects the metrics of the engine. */
  readonly metrics?: Prometheus | undefined
  /**
   * Whether this process runs the jobs that it starts. Default: true, unless the store is shared by several hosts, where
   * workers run them.
   */
  readonly works?: boolean | undefined
  /** Whether the engine stays open for further requests, so that in-memory data is useful. */
  readonly serves?: boolean
  /**
   * Set this if the process runs nothing else. Uncaught errors are then logged and counted. An unhandled rejection ends
   * nothing; after an uncaught exception this is called once: close the server and end the process. A server or worker is also
   * ended if its main thread is stuck (`stuckTimeout`).
   */
  readonly onBroken?: (() => void) | undefined
  /** Plugins in addition to the configured ones. */
  readonly plugins?: readonly Plugin[]
  /** Receives events in addition to the log. */
  readonly observer?: Observer | undefined
}

/**
 * Creates an engine from a configuration, with the parts that are open, and the plugins that `makePlugins` returns besides the
 * configured ones. With `serves`, waits up to `storeWait` milliseconds for the store. Rejects if a store, plugin or other part
 * cannot be opened, after closing the parts that are open.
 *
 * @internal
 */
export async function openWith<const Plugins extends readonly Plugin[]>(
  config: Config,
  options: OpenOptions,
  makePlugins: () => Promise<Plugins>,
) {
  const parts: Parts = {}
  try {
    return await openParts(parts, config, options, makePlugins)
  } catch (error) {
    // The reason why a part cannot be opened matters more than that another one cannot be closed.
    await closeParts(parts).catch(() => undefined)
    throw error
  }
}

/** Parts of an engine that must be closed. They are set as soon as they are open. */
interface Parts {
  engine?: Pick<Engine, 'close'>
  store?: Store | undefined
  queue?: Queue | undefined
  blobs?: Blobs | undefined
}

async function closeParts({ engine, store, queue, blobs }: Parts): Promise<void> {
  await engine?.close()
  await Promise.all([blobs?.close(), queue?.close()])
  await store?.close()
}

async function openParts<const Plugins extends readonly Plugin[]>(
  parts: Parts,
  config: Config,
  options: OpenOptions,
  makePlugins: () => Promise<Plugins>,
) {
  const { write = () => undefined, metrics, works = !isForMany(config.store), serves = false } = options
  const plugins = [...(await loadPlugins(config.plugins)), ...(options.plugins ?? [])]
  const store = (parts.store = await openReadableStore(config, options))
  const queue = (parts.queue = await openQueue(config.queue, config.store))
  const browser = browserOptions(config)
  const blobs = (parts.blobs = await openFiles(config))
  const found = await openSearch(config, serves)
  const observer = observers(
    lineLog({ level: config.log, format: config.logFormat, write }),
    metrics?.observer,
    options.observer,
  )
  const proxies = proxiesOf(config)
  const engine = createEngine({
    ...{ store, queue, works, blobs },
    secretKey: secretKeyOf(config),
    browser: browser && puppeteerBrowser(browser),
    identityFetcher: config.httpIdentity && isImpitInstalled() ? impitFetcher() : undefined,
    proxies,
    llm: await llmOf(config),
    search: found.search,
    allowPrivate: config.allowPrivate,
    userAgent: config.userAgent,
    headers: config.headers,
    robots: config.robots,
    webhook: config.webhook,
    webhookSecret: config.webhookSecrets,
    observer,
    plugins: [
      ...(await fileReaders(config)),
      ...(await makePlugins()),
      ...found.plugins,
      ...plugins,
      // Policies run in this order, and this one requests files of the host, so other policies come first.
      preferencesOf(config),
      // The last one: it signs the requests of the other plugins.
      ...botPlugins(config),
    ],
    defaults: { maxAge: config.maxAge, timeout: config.timeout },
    ...{ limits: config.limits, keep: config.keep },
  })
  parts.engine = engine
  const onFault: OpenedEngine<unknown>['onFault'] = (fault, id, where) =>
    observer({ kind: 'fault', where, message: faultText(fault), team: '', id, at: Date.now() })
  const { onBroken } = options
  if (onBroken) takeUncaught({ onFault: (fault) => onFault(fault, '', 'process'), onBroken })
  return { engine, proxies, onFault, close: async () => closeParts(parts) }
}

/** Opens the store. A server reads it once before background tasks do, so that a problem is reported once. */
async function openReadableStore(config: Config, options: OpenOptions): Promise<Store | undefined> {
  const { metrics, serves = false, write = () => undefined } = options
  const store = await openStore(config.store)
  try {
    if (serves) await untilThere(async () => store?.get('harvestman'), { write, within: config.storeWait })
  } catch (error) {
    await store?.close()
    throw error
  }
  return store && metrics ? measuredStore(store, metrics.onStoreCall) : store
}

/**
 * Opens the configured storage for files, or returns `undefined` to use the store. Rejects with `not_configured` for an S3
 * location without a key.
 */
export async function openFiles(config: Config): Promise<Blobs | undefined> {
  const { files, s3Endpoint, s3Region, s3KeyId, s3Secret, s3Public } = config
  if (files === undefined) return undefined
  if (!files.startsWith('s3://')) return fileBlobs(files, { bytes: config.filesBytes })
  const { host: bucket, pathname } = new URL(files)
  const folder = pathname.replace(/^\/|\/$/g, '')
  if (s3KeyId === undefined || s3Secret === undefined)
    throw new EngineError(
      'not_configured',
      `Files on S3 need a key. Set ${environmentNames.s3KeyId[0]} and ${environmentNames.s3Secret[0]}.`,
    )
  const { s3Blobs } = await import('@harvestman/s3')
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

/**
 * Returns the options of the configured browser, or of one that is found on this host; `undefined` without a browser, which
 * means that pages are only loaded over HTTP.
 */
export function browserOptions({
  browser: named,
  reachableAt,
}: Pick<Config, 'browser' | 'reachableAt'>): PuppeteerOptions | undefined {
  if (named === undefined) return findBrowser() && {}
  if (isHere(named)) return { executablePath: named }
  // A URL may contain a comma, but only a comma before another URL is a separator.
  return { endpoint: named.split(/[\s,]+(?=(?:wss?|https?):)/), reachableAt }
}

/** Returns whether the browser setting is an executable on this host, not the endpoint of a remote browser. */
export function isHere(named: string): boolean {
  return !/^(wss?|https?):/.test(named)
}

/** Returns which process isolation the local browser lacks, with a remedy; `undefined` if it has all or is remote. */
export async function whatBrowserLacks(config: Pick<Config, 'browser' | 'reachableAt'>): Promise<string | undefined> {
  const options = browserOptions(config)
  const program = options && !options.endpoint ? findBrowser(options) : undefined
  return program && whyUnconfined(program.executable)
}
