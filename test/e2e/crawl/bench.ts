// What the tests of crawls share: an engine that may visit this machine, and what came of a crawl.
import {
  createEngine,
  type Crawl,
  type Engine,
  type ExplainedUrl,
  type JobErrors,
  type JobStatus,
} from '@harvestman/core'
import { startSite, type Site, type SiteOptions } from '@harvestman/testing'
import { afterEach } from 'vitest'

type Options = NonNullable<Parameters<typeof createEngine>[0]>

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
})

/** Closes it after the test. */
export function keep<One extends { close(): Promise<void> }>(one: One): One {
  open.push(one)
  return one
}

export function openEngine(options: Options = {}): Engine {
  return keep(createEngine({ allowPrivate: ['127.0.0.0/8'], ...options }))
}

/** All names lead to this machine. */
export const here: NonNullable<Options['resolver']> = async () => [{ address: '127.0.0.1', family: 4 }]

export async function openSite(options?: SiteOptions): Promise<Site> {
  return keep(await startSite(options))
}

export interface Outcome {
  readonly status: JobStatus
  /** Where the pages were, in order. */
  readonly urls: readonly string[]
  readonly errors: JobErrors
  readonly explained: readonly ExplainedUrl[]
}

export async function outcomeOf(crawl: Crawl): Promise<Outcome> {
  const urls: string[] = []
  for await (const { metadata } of crawl.documents()) urls.push(metadata.url)
  const explained: ExplainedUrl[] = []
  for await (const address of crawl.explain()) explained.push(address)
  return { status: await crawl.status(), urls: urls.sort(), errors: await crawl.errors(), explained }
}

export async function crawlOf(request: object, engine: Engine = openEngine()): Promise<Outcome> {
  return outcomeOf(await engine.unchecked.crawl({ sitemap: 'skip', ...request }))
}
