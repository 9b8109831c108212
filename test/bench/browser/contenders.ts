// The ways to get the document of a page out of a browser. Each uses the same program, and gives the same document.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

import { builtIn } from '../../../packages/core/src/defaults.ts'
import { browserLoader } from '../../../packages/core/src/loaders/browser.ts'
import { buildScrapeSchema } from '../../../packages/core/src/plugin/build-schema.ts'
import type { LoaderKit, LoadJob } from '../../../packages/core/src/plugin/parts.ts'
import { makeRegistry } from '../../../packages/core/src/plugin/registry.ts'
import { makePlan } from '../../../packages/core/src/scrape/plan.ts'
import { check } from '../../../packages/core/src/schema/problems.ts'
import { requestDefaults } from '../../../packages/core/src/schema/scrape.ts'
import { puppeteerBrowser, type PuppeteerOptions } from '../../../packages/puppeteer/src/index.ts'
import { flags, perContext, ready, reusedTargets, type Contender, type Setting } from './protocol.ts'

// What is not ours is loaded from elsewhere, and known by the few things that are used of it.
interface AnyPage {
  goto(url: string, options?: object): Promise<unknown>
  waitForSelector(selector: string): Promise<unknown>
  waitForLoadState(state: string): Promise<unknown>
  content(): Promise<string>
  evaluate(script: string): Promise<unknown>
  close(): Promise<void>
  route(pattern: string, handle: (route: AnyRoute) => void): Promise<void>
}
interface AnyRoute {
  request(): { url(): string }
  continue(): Promise<void>
  abort(): Promise<void>
}
interface AnyContext {
  newPage(): Promise<AnyPage>
  close(): Promise<void>
}
interface AnyBrowser extends AnyContext {
  createBrowserContext(): Promise<AnyContext>
  newContext(options?: object): Promise<AnyContext>
}

function load<T>(peers: string, name: string): Promise<T> {
  const path = createRequire(join(peers, 'package.json')).resolve(name)
  return import(pathToFileURL(path).href) as Promise<T>
}

async function puppeteer({ executable }: Setting): Promise<AnyBrowser> {
  const path = createRequire(new URL('../../../packages/puppeteer/package.json', import.meta.url)).resolve(
    'puppeteer-core',
  )
  const { default: library } = (await import(pathToFileURL(path).href)) as {
    default: { launch(o: object): Promise<AnyBrowser> }
  }
  return library.launch({ executablePath: executable, headless: 'shell', pipe: true, args: flags })
}

async function playwright({ executable, peers }: Setting): Promise<AnyBrowser> {
  type Library = { readonly chromium: { launch(options: object): Promise<AnyBrowser> } }
  const { default: library } = await load<{ readonly default: Library }>(peers, 'playwright-core')
  return library.chromium.launch({ executablePath: executable, args: flags })
}

const allowAll = { checkUrl: () => undefined, resolve: async () => ({ address: '127.0.0.1', family: 4 as const }) }
const profile = {
  headers: {},
  mobile: false,
  blockAds: true,
  skipTlsVerification: false,
  location: { country: 'US', languages: ['en-US'] },
}

function ours(
  more: { readonly pictures: boolean; readonly group?: string },
  options: PuppeteerOptions = {},
): Contender {
  return async ({ executable, concurrency }) => {
    const browser = puppeteerBrowser({ executablePath: executable, tabs: concurrency, ...options })(allowAll)
    return {
      visit: async (url) => {
        const signal = AbortSignal.timeout(60_000)
        const tab = await browser.open({ ...profile, ...more }, signal)
        try {
          await tab.goto(new URL(url), signal)
          return await tab.html(signal)
        } finally {
          await tab.close()
        }
      },
      close: () => browser.close(),
    }
  }
}

const registry = makeRegistry(builtIn({ browser: true }), [])
const scrapeSchema = buildScrapeSchema(registry, requestDefaults)

/** As a request with actions goes: its plan, our loader, and a tab for it; with a word when it is a page of a job. */
function acting(actions: readonly object[], group?: string): Contender {
  return async ({ executable, concurrency }) => {
    const browser = puppeteerBrowser({ executablePath: executable, tabs: concurrency })(allowAll)
    const clock = { now: () => Date.now(), sleep: (ms: number) => sleep(ms) }
    const most = { bytes: 100_000_000, values: 10_000_000 }
    return {
      visit: async (url) => {
        const request = check(scrapeSchema, { url, actions, formats: ['rawHtml'] })
        const plan = makePlan(request, { registry, ports: new Map() })
        const common = {
          headers: {},
          team: 'bench',
          maxBytes: 50_000_000,
          most,
          signal: AbortSignal.timeout(60_000),
          timeLeft: () => 60_000,
        }
        // Cast: a bench has no store and no fetcher, and this loader uses neither.
        const job = { ...plan, ...common, group } as unknown as LoadJob
        const page = await browserLoader.load(job, { browser, clock } as unknown as LoaderKit)
        if ('pass' in page) throw new Error(page.pass)
        return new TextDecoder().decode(page.body)
      },
      close: () => browser.close(),
    }
  }
}

const pauseOf = 200
const waits = [{ type: 'wait', milliseconds: pauseOf }]
const scrolls = [{ type: 'wait', selector: ready }, { type: 'scroll' }, { type: 'scroll' }]

/** A new context, or a new page in the same one, for every address. */
function perUrl(
  launch: (setting: Setting) => Promise<AnyBrowser>,
  open: (browser: AnyBrowser) => Promise<AnyContext | undefined>,
  look: (page: AnyPage, url: string) => Promise<void>,
): Contender {
  return async (setting) => {
    const browser = await launch(setting)
    return {
      visit: async (url) => {
        const context = await open(browser)
        const page = await (context ?? browser).newPage()
        try {
          await look(page, url)
          return await page.content()
        } finally {
          await (context ?? page).close()
        }
      },
      close: () => browser.close(),
    }
  }
}

async function untilReady(page: AnyPage, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'domcontentloaded' })
  await page.waitForSelector(ready)
}

async function waiting(page: AnyPage, url: string): Promise<void> {
  await untilReady(page, url)
  await sleep(pauseOf)
}

/** Twice down by what is in sight, with the moment after each that a page needs. */
async function scrolling(page: AnyPage, url: string): Promise<void> {
  await untilReady(page, url)
  for (let times = 0; times < 2; times++) {
    await page.evaluate('scrollBy({ top: innerHeight * 0.9, behavior: "instant" })')
    await sleep(60)
  }
}

/** What a page service does that asks about every request, and waits for everything. */
async function routed(page: AnyPage, url: string): Promise<void> {
  await page.route(
    '**/*',
    (route) => void (/doubleclick|adservice/.test(route.request().url()) ? route.abort() : route.continue()),
  )
  await page.goto(url, { waitUntil: 'load' })
  await page.waitForSelector(ready)
}

const reused: Contender = async (setting) => {
  const browser = await puppeteer(setting)
  const free = await Promise.all(Array.from({ length: setting.concurrency }, () => browser.newPage()))
  return {
    visit: async (url) => {
      const page = free.pop()!
      try {
        await untilReady(page, url)
        return await page.content()
      } finally {
        free.push(page)
      }
    },
    close: () => browser.close(),
  }
}

interface CrawledPage {
  readonly page: AnyPage
  readonly request: { readonly url: string; readonly uniqueKey: string }
}

/** Crawlee's crawler with its checks of the whole machine turned off: they would stop it on a busy one. */
const crawlee: Contender = async (setting) => {
  const { default: library } = await load<{
    readonly default: {
      readonly PuppeteerCrawler: new (
        options: object,
        config: object,
      ) => {
        run(urls?: string[]): Promise<void>
        addRequests(urls: object[]): Promise<unknown>
        teardown(): Promise<void>
      }
      readonly Configuration: new (options: object) => object
    }
  }>(setting.peers, 'crawlee')
  const waiting = new Map<string, (html: string) => void>()
  const path = createRequire(new URL('../../../packages/puppeteer/package.json', import.meta.url)).resolve(
    'puppeteer-core',
  )
  const { default: launcher } = (await import(pathToFileURL(path).href)) as { default: object }
  const crawler = new library.PuppeteerCrawler(
    {
      launchContext: {
        launcher,
        launchOptions: { executablePath: setting.executable, headless: 'shell', args: flags },
      },
      keepAlive: true,
      minConcurrency: setting.concurrency,
      maxConcurrency: setting.concurrency,
      browserPoolOptions: { useFingerprints: false },
      autoscaledPoolOptions: {
        systemStatusOptions: {
          maxCpuOverloadedRatio: 1,
          maxEventLoopOverloadedRatio: 1,
          maxMemoryOverloadedRatio: 1,
          maxClientOverloadedRatio: 1,
        },
      },
      preNavigationHooks: [
        (_: unknown, options: { waitUntil?: string }) => void (options.waitUntil = 'domcontentloaded'),
      ],
      requestHandler: async ({ page, request }: CrawledPage) => {
        await page.waitForSelector(ready)
        waiting.get(request.url)?.(await page.content())
      },
    },
    new library.Configuration({ persistStorage: false, logLevel: 1 }),
  )
  const running = crawler.run()
  return {
    visit: async (url) => {
      const came = new Promise<string>((resolve) => waiting.set(url, resolve))
      await crawler.addRequests([{ url, uniqueKey: url }])
      return came
    },
    close: async () => {
      await crawler.teardown()
      await running.catch(() => undefined)
    },
  }
}

const none = async (): Promise<undefined> => undefined
const newContext = (browser: AnyBrowser): Promise<AnyContext> => browser.createBrowserContext()

export const contenders: Readonly<Record<string, Contender>> = {
  ours: ours({ pictures: false }),
  'ours, with pictures': ours({ pictures: true }),
  'ours, one session': ours({ pictures: false, group: 'bench' }),
  'ours, a wait': acting(waits),
  'ours, one session, a wait': acting(waits, 'bench'),
  'ours, a wait and scrolls': acting(scrolls),
  'ours, one session, a wait and scrolls': acting(scrolls, 'bench'),
  'puppeteer, context per URL': perUrl(puppeteer, newContext, untilReady),
  'puppeteer, context per URL, a wait': perUrl(puppeteer, newContext, waiting),
  'puppeteer, context per URL, a wait and scrolls': perUrl(puppeteer, newContext, scrolling),
  'puppeteer, page per URL': perUrl(puppeteer, none, untilReady),
  'puppeteer, page per URL, networkidle2': perUrl(puppeteer, none, async (page, url) => {
    await page.goto(url, { waitUntil: 'networkidle2' })
  }),
  'puppeteer, pages reused': reused,
  'playwright, context per URL': perUrl(playwright, (browser) => browser.newContext(), untilReady),
  'page service that routes': perUrl(playwright, (browser) => browser.newContext(), routed),
  'crawlee, PuppeteerCrawler': crawlee,
  'raw protocol, context per URL': perContext,
  'raw protocol, pages reused': reusedTargets,
}

/** Those that need packages which are not ours. */
export const foreign: ReadonlySet<string> = new Set([
  'playwright, context per URL',
  'page service that routes',
  'crawlee, PuppeteerCrawler',
])
