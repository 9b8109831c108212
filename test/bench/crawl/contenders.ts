// The contenders of the crawl. One runs in a process at a time; those of others come from the folder of peers.
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import type { createEngine } from '@harvestman/core'

import { walk, wholeLinks, type Walk } from './walk.ts'

export interface Contender {
  /** What comes out beside links. */
  readonly gives: string
  readonly crawl: (walk: Walk, peers: string) => Promise<void>
}

/** What somebody writes in an afternoon. */
async function naive({ start, limit, atOnce, told }: Walk): Promise<void> {
  // Loaded by who uses it: the memory of a contender is its own.
  const { parseHTML } = await import('linkedom')
  const { default: PQueue } = await import('p-queue')
  const { default: TurndownService } = await import('turndown')
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' })
  const queue = new PQueue({ concurrency: atOnce })
  const seen = new Set([start])
  const add = (url: string): void => {
    void queue.add(async () => {
      const { document } = parseHTML(await (await fetch(url)).text())
      const hrefs = [...document.querySelectorAll('a[href]')].map((link) => link.getAttribute('href') ?? undefined)
      for (const element of document.querySelectorAll('script, style, noscript')) element.remove()
      told(service.turndown(document.body as never).length)
      for (const link of wholeLinks(hrefs, url)) {
        if (seen.size >= limit || seen.has(link) || !link.startsWith(start)) continue
        seen.add(link)
        add(link)
      }
    })
  }
  add(start)
  await queue.onIdle()
}

interface OurOptions {
  readonly onlyMainContent: boolean
  readonly store: 'memory' | 'file'
}

function ours({ onlyMainContent, store: kind }: OurOptions): Contender['crawl'] {
  // One engine for all crawls of the process, as it is used; what it holds goes with the process.
  let engine: ReturnType<typeof createEngine> | undefined
  return async ({ start, limit, atOnce, told }) => {
    const core = await import('@harvestman/core')
    engine ??= core.createEngine({
      allowPrivate: ['127.0.0.0/8'],
      ...(kind === 'file' && { store: await storeOnDisk() }),
    })
    const crawl = await engine.crawl({
      url: start,
      limit,
      sitemap: 'skip',
      maxConcurrency: atOnce,
      scrapeOptions: { onlyMainContent, formats: ['markdown', 'links'] },
    })
    for await (const { markdown } of crawl.documents()) told(markdown.length)
  }
}

async function storeOnDisk() {
  const { sqliteStore } = await import('@harvestman/keyv')
  const folder = mkdtempSync(join(tmpdir(), 'crawl-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true }))
  return sqliteStore(join(folder, 'jobs.db'))
}

const fetchOnly: Contender['crawl'] = async ({ start, limit, atOnce, told }, peers) => {
  const { Agent, request } = await load<Undici>(peers, 'undici')
  const dispatcher = new Agent({ connections: atOnce })
  // Not to look for links, the addresses are told: those of the site follow a rule.
  const names = await linksOf(start, limit)
  await walk({ start, limit, atOnce, told }, async (url) => {
    const { body } = await request(url, { dispatcher })
    return { letters: (await body.text()).length, links: url === start ? names : [] }
  })
  await dispatcher.close()
}

/** The addresses of the site from its own links, before the time is taken. */
async function linksOf(start: string, limit: number): Promise<readonly string[]> {
  const text = await (await fetch(start)).text()
  const names = new Map([...text.matchAll(/href="(\/articles\/\d+-(\w+))"/g)].map(([, path, word]) => [path, word]))
  const words = [...new Set(names.values())]
  return Array.from(
    { length: limit - 1 },
    (_, index) => new URL(`/articles/${index + 1}-${words[index % words.length]}`, start).href,
  )
}

const mdream: Contender['crawl'] = async (options, peers) => {
  const { Agent, request } = await load<Undici>(peers, 'undici')
  const { htmlToMarkdown } = await load<{ htmlToMarkdown(html: string, options: object): unknown }>(peers, 'mdream')
  const dispatcher = new Agent({ connections: options.atOnce })
  await walk(options, async (url) => {
    const html = await (await request(url, { dispatcher })).body.text()
    const markdown = String(htmlToMarkdown(html, { origin: options.start }))
    const hrefs = [...html.matchAll(/<a\s[^>]*?href="([^"]*)"/g)].map(([, href]) => href)
    return { letters: markdown.length, links: wholeLinks(hrefs, url) }
  })
  await dispatcher.close()
}

const cheerio: Contender['crawl'] = async ({ start, limit, atOnce, told }, peers) => {
  const { Agent, request } = await load<Undici>(peers, 'undici')
  const { load: open } = await load<{ load(html: string): CheerioRoot }>(peers, 'cheerio')
  const { default: PQueue } = await import('p-queue')
  const dispatcher = new Agent({ connections: atOnce })
  const queue = new PQueue({ concurrency: atOnce })
  await walk(
    { start, limit, atOnce, told },
    (url) =>
      queue.add(async () => {
        const $ = open(await (await request(url, { dispatcher })).body.text())
        const hrefs = $('a[href]')
          .toArray()
          .map((element) => $(element).attr('href'))
        return { letters: $('body').text().length, links: wholeLinks(hrefs, url) }
      }) as ReturnType<Parameters<typeof walk>[1]>,
  )
  await dispatcher.close()
}

function crawlee(isTuned: boolean): Contender['crawl'] {
  return async ({ start, limit, atOnce, told }, peers) => {
    const { CheerioCrawler, Configuration, log } = await load<Crawlee>(peers, 'crawlee')
    log.setLevel(log.LEVELS.OFF)
    const tuned = {
      minConcurrency: atOnce,
      maxConcurrency: atOnce,
      autoscaledPoolOptions: {
        systemStatusOptions: { maxCpuOverloadedRatio: 1, maxEventLoopOverloadedRatio: 1, maxMemoryOverloadedRatio: 1 },
      },
    }
    const options = {
      maxRequestsPerCrawl: limit,
      ...(isTuned && tuned),
      requestHandler: async ({ $, enqueueLinks }: CrawleeVisit) => {
        told($('body').text().length)
        await enqueueLinks()
      },
    }
    await new CheerioCrawler(options, new Configuration({ persistStorage: false })).run([start])
  }
}

const spider: Contender['crawl'] = async ({ start, limit, told }, peers) => {
  const { Website } = await load<Spider>(peers, '@spider-rs/spider-rs')
  const website = new Website(start).withBudget({ '*': limit }).build()
  await website.crawl((_: unknown, page: { readonly content: string } | undefined) => {
    if (page) told(page.content.length)
  })
}

export const contenders: Readonly<Record<string, Contender>> = {
  'naive stack': { gives: 'Markdown', crawl: naive },
  'ours, whole page': { gives: 'Markdown, metadata', crawl: ours({ onlyMainContent: false, store: 'memory' }) },
  'ours, main content': { gives: 'Markdown, metadata', crawl: ours({ onlyMainContent: true, store: 'memory' }) },
  'ours, whole page, SQLite': {
    gives: 'Markdown, metadata, kept',
    crawl: ours({ onlyMainContent: false, store: 'file' }),
  },
  'ours, main content, SQLite': {
    gives: 'Markdown, metadata, kept',
    crawl: ours({ onlyMainContent: true, store: 'file' }),
  },
  'undici + mdream (Rust)': { gives: 'Markdown', crawl: mdream },
  'p-queue + undici + cheerio': { gives: 'text', crawl: cheerio },
  'Crawlee, tuned': { gives: 'text', crawl: crawlee(true) },
  'Crawlee, default': { gives: 'text', crawl: crawlee(false) },
  'spider-rs (Rust)': { gives: 'HTML', crawl: spider },
  'fetch alone': { gives: 'HTML', crawl: fetchOnly },
}

async function load<Module>(peers: string, name: string): Promise<Module> {
  const found = createRequire(join(peers, 'package.json')).resolve(name)
  const module = (await import(pathToFileURL(found).href)) as { readonly default?: object }
  return { ...module.default, ...module } as Module
}

interface Undici {
  readonly Agent: new (options: object) => { close(): Promise<void> }
  request(url: string, options: object): Promise<{ readonly body: { text(): Promise<string> } }>
}

interface CheerioRoot {
  (what: unknown): { text(): string; attr(name: string): string | undefined; toArray(): readonly unknown[] }
}

interface CrawleeVisit {
  readonly $: CheerioRoot
  enqueueLinks(): Promise<unknown>
}

interface Crawlee {
  readonly CheerioCrawler: new (
    options: object,
    configuration: object,
  ) => { run(urls: readonly string[]): Promise<unknown> }
  readonly Configuration: new (options: object) => object
  readonly log: { readonly LEVELS: { readonly OFF: number }; setLevel(level: number): void }
}

interface Spider {
  readonly Website: new (url: string) => SpiderSite
}

interface SpiderSite {
  withBudget(budget: object): SpiderSite
  build(): SpiderSite
  crawl(told: (error: unknown, page: { readonly content: string }) => void): Promise<void>
}
