// Functions that a plugin's kind of job can call while it runs, built from the engine's own functions.
import type { JobWork } from '../plugin/job.ts'
import type { LoadedPage, LoadOptions, PartOptions } from '../plugin/job-pages.ts'
import { tariff } from '../credits/tariff.ts'
import { isEncodedJson } from '@harvestman/ports/values'
import type { Caller } from '../scrape/caller.ts'
import type { Scraped } from '../scrape/scraped.ts'
import type { WebKit } from './web-kit.ts'
import type { Work } from './work-strategy.ts'

/**
 * Creates the functions that a plugin's kind of job can call while it runs. They charge the job unless `isFree` is set, and
 * reject with `insufficient_credits` if it has too few.
 */
export function makeJobWork(work: Work<unknown>, ports: unknown, web: WebKit): JobWork {
  const { steps, signal, keep, pay } = work
  const caller = ({ isFree = false, signal: own = signal }: PartOptions): Caller =>
    isFree ? work.unpaid(own) : work.part(own)
  const scrape = async (
    url: string,
    { price, page, withBlocks, ...options }: LoadOptions = {},
  ): Promise<LoadedPage> => {
    if (!price) return loadedPage(await web.scrape(url, caller(options), { page, withBlocks }))
    const load = async (): Promise<LoadedPage> =>
      loadedPage(await web.scrape(url, caller({ ...options, isFree: true }), { page, withBlocks }))
    return pay(tariff.page, price, load)
  }
  return {
    steps,
    signal,
    ports,
    keep,
    pay,
    scrape,
    clock: web.clock,
    get spent() {
      return work.spent
    },
    search: (words, limit, options = {}) => web.search(words, limit, caller(options), options),
    map: (url, limit, { words, ...options } = {}) => web.map(url, words, limit, caller(options)),
  }
}

/**
 * Extracts the Markdown, links and metadata of a document, and adds its blocks. Absent Markdown is an empty string, absent links are an empty list.
 */
export function loadedPage({ document, blocks }: Pick<Scraped, 'document' | 'blocks'>): LoadedPage {
  const { markdown, links, metadata } = document
  const text = decodeIfEncoded(markdown)
  return {
    url: metadata.url,
    markdown: typeof text === 'string' ? text : '',
    links: Array.isArray(links) ? (links as string[]) : [],
    metadata,
    ...(blocks && { blocks }),
  }
}

/** Parses an `EncodedJson`. Returns any other value, also a string of JSON, unchanged. */
export function decodeIfEncoded(value: unknown): unknown {
  return isEncodedJson(value) ? value.toJSON() : value
}
