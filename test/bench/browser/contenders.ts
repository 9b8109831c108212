// The ways to get the document of a page out of a browser. Each uses the same program, and gives the same document.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { puppeteerBrowser, type PuppeteerOptions } from '../../../packages/puppeteer/src/index.ts'
import { flags, perContext, ready, reusedTargets, type Contender, type Setting } from './protocol.ts'

// What is not ours is loaded from elsewhere, and known by the few things that are used of it.
interface AnyPage {
  goto(url: string, options?: object): Promise<unknown>
  waitForSelector(selector: string): Promise<unknown>
  waitForLoadState(state: string): Promise<unknown>
  content(): Promise<string>
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
  more: { readonly pictures: boolean; readonly session?: string },
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
  'ours, one session': ours({ pictures: false, session: 'bench' }),
  'puppeteer, context per URL': perUrl(puppeteer, newContext, untilReady),
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
