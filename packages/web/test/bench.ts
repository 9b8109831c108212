import { createServer, type Server as NodeServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { answers } from '@harvestman/answers'
import { createEngine, type Engine, type EngineOptions } from '@harvestman/core'
import type { Plugin } from '@harvestman/core/plugin'
import { hosting, type Hosting } from '@harvestman/hosting'
import { live } from '@harvestman/live'
import { apiKeys, createApi, combineAuth, serve, teamKeys, type Server } from '@harvestman/http'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { launch, type Browser, type Page } from 'puppeteer-core'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'

import { plainBrowser } from '../../../test/plain-browser.ts'
import { withWebPage, type WebPageOptions } from '../src/index.ts'

/** Pages of a site by path; those that are not there are 404. */
export type Pages = Readonly<
  Record<string, string | { readonly status: number; readonly html: string; readonly after?: number }>
>

export interface Bench {
  readonly url: string
  readonly site: string
  readonly engine: Engine & Hosting
  /** A tab of the page whose console errors and foreign requests fail the test. */
  open(hash?: string, size?: { width: number; height: number }): Promise<Page>
}

export interface BenchOptions {
  readonly keys?: string
  readonly adminKey?: string
  /** Whether the engine has a browser of its own, for pages and for live sessions. */
  readonly hasBrowser?: boolean
  /** What the engine is given beside. */
  readonly parts?: Pick<EngineOptions, 'llm' | 'search'>
  /** What is said of the server in its status. */
  readonly page?: WebPageOptions
  /** Beside those that answer from the web. */
  readonly plugins?: readonly Plugin[]
}

/** A server with its page, a site to read, and a real browser to look with; the tests that use it have the tag `browser`. */
export function useBench(
  pages: Pages,
  { keys, adminKey, hasBrowser = false, parts = {}, page = {}, plugins = [] }: BenchOptions = {},
): Bench {
  let browser: Browser
  let site: NodeServer
  let server: Server
  const held: { engine?: Engine & Hosting } = {}
  const faults: string[] = []
  beforeEach(() => {
    faults.length = 0
  })
  beforeAll(async () => {
    site = await serveSite(pages)
    const browsers = hasBrowser ? [live({ sessions: puppeteerSessions() })] : []
    const engine = createEngine({
      allowPrivate: ['127.0.0.0/8'],
      plugins: [answers, hosting(), ...browsers, ...plugins],
      ...(hasBrowser && { browser: puppeteerBrowser() }),
      ...parts,
    })
    held.engine = engine
    const own = keys === undefined ? undefined : apiKeys(keys)
    const authenticate = adminKey === undefined ? own : combineAuth(own, teamKeys(engine.teams))
    server = await serve(await withWebPage(createApi(engine, { authenticate, adminKey }), page), { port: 0 })
    browser = await launch({ executablePath: await plainBrowser(), args: ['--no-sandbox', '--disable-gpu'] })
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
    await held.engine?.close()
    site?.close()
  })
  return {
    get url() {
      return server.url
    },
    get site() {
      return `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    },
    get engine() {
      if (!held.engine) throw new Error('The bench is not open.')
      return held.engine
    },
    open: async (hash = '#/try', { width, height } = { width: 1280, height: 800 }) => {
      const context = await browser.createBrowserContext()
      const page = await context.newPage()
      // A machine that is busy with other things is waited for.
      page.setDefaultTimeout(120_000)
      await page.setViewport({ width, height })
      await page.evaluateOnNewDocument(countHashChanges)
      page.on('pageerror', (error) => faults.push(String(error)))
      page.on('console', (message) => {
        const text = message.text()
        // A refusal of the API is shown to the person; the browser notes it as well.
        if (message.type() === 'error' && !text.startsWith('Failed to load resource')) faults.push(text)
      })
      page.on('request', (request) => {
        const { protocol, host } = new URL(request.url())
        if (protocol.startsWith('http') && host !== new URL(server.url).host) faults.push(`asked for ${request.url()}`)
      })
      await page.goto(`${server.url}/${hash}`)
      await page.waitForSelector('h1')
      return Object.assign(page, {
        ...waitingFirst(page),
        [Symbol.asyncDispose]: async () => {
          await context.close()
          expect(faults).toEqual([])
        },
      })
    },
  }
}

async function serveSite(pages: Pages): Promise<NodeServer> {
  const site = createServer((request, response) => {
    const page = pages[new URL(request.url ?? '/', 'http://site').pathname]
    const {
      status,
      html,
      after = 0,
    } = typeof page === 'string' ? { status: 200, html: page } : (page ?? { status: 404, html: 'gone' })
    setTimeout(() => response.writeHead(status, { 'content-type': 'text/html' }).end(html), after)
  })
  await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready))
  return site
}

/**
 * Counts the changes of `location.hash` whose view is not rendered yet: `hashchange` is fired in a later task, so the page shows the
 * previous view for a while. Runs in the page before its own scripts.
 */
const countHashChanges = `
  let pending = 0
  Object.defineProperty(globalThis, 'pendingHashChanges', { get: () => pending })
  navigation.addEventListener('navigate', ({ hashChange }) => void (hashChange && (pending += 1)))
  addEventListener('hashchange', () => setTimeout(() => (pending -= 1)))
`

/**
 * The methods that read from the page or act on it. Each waits until the view of the current hash is rendered; those that need an
 * element wait for the element, too, because a view renders its parts one after the other.
 */
function waitingFirst(page: Page) {
  const [readers, elementMethods] = [
    ['$', '$$', '$$eval', 'evaluate', 'waitForFunction', 'waitForSelector'],
    ['$eval', 'click', 'focus', 'select', 'type'],
  ] as const
  const frame = page.mainFrame()
  const isRendered = (): Promise<unknown> => frame.waitForFunction('!globalThis.pendingHashChanges')
  return Object.fromEntries(
    [...readers, ...elementMethods].map((name) => {
      const method = page[name].bind(page) as (first: string, ...more: unknown[]) => Promise<unknown>
      const needsElement = elementMethods.some((one) => one === name)
      return [
        name,
        async (first: string, ...more: unknown[]) => {
          await isRendered()
          if (needsElement) await frame.waitForSelector(first)
          return method(first, ...more)
        },
      ]
    }),
  )
}

/** Waits until as many elements are there as are expected. */
export async function countOf(page: Page, selector: string, count: number): Promise<void> {
  await page.waitForFunction(`document.querySelectorAll(${JSON.stringify(selector)}).length === ${count}`)
}

/** What an element says, once it says something. */
export async function textOf(page: Page, selector: string): Promise<string> {
  const text = await page.waitForFunction(
    `document.querySelector(${JSON.stringify(selector)})?.innerText.trim() || undefined`,
  )
  return String(await text.jsonValue())
}

/** Chooses a tab by the beginning of its name, and waits until it is the one that shows. */
export async function tab(page: Page, name: string): Promise<void> {
  const path = `//button[@role="tab"][starts-with(., "${name}")]`
  await page.locator(`::-p-xpath(${path})`).click()
  await page.waitForSelector(`::-p-xpath(${path}[@aria-selected="true"])`)
}

/** Answers requests of the page whose address has these words in place of the server. */
export async function answerFor(page: Page, words: string, answer: (url: URL) => object): Promise<void> {
  await page.setRequestInterception(true)
  page.on('request', (request) => {
    if (!request.url().includes(words)) return void request.continue()
    const body = JSON.stringify({ success: true, ...answer(new URL(request.url())) })
    void request.respond({ status: 200, contentType: 'application/json', body })
  })
}
