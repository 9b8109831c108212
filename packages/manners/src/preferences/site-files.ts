// The files of a site with its preferences: robots.txt, tdmrep.json, llms.txt and licences.
import type { PluginContext } from '@harvestman/core/plugin'

import { readRobotsStatements, type RobotsStatements } from './robots-text.ts'
import { readRsl, type RslContent } from './rsl.ts'
import { readTdmrep, type TdmRule } from './tdmrep.ts'

/** Reads the files of sites. Each is fetched once for concurrent callers. The parsed files are cached in this process. */
export interface SiteFiles {
  robots(origin: string, signal: AbortSignal): Promise<RobotsStatements>
  tdmrep(origin: string, signal: AbortSignal): Promise<readonly TdmRule[]>
  /** Returns whether the site has an llms.txt. */
  hasLlmsTxt(origin: string, signal: AbortSignal): Promise<boolean>
  /** Reads a licence, or returns `undefined` if there is none. */
  license(url: string, signal: AbortSignal): Promise<readonly RslContent[] | undefined>
}

/** URL of the TDM file of an origin. */
export const tdmrepUrl = (origin: string): string => `${origin}/.well-known/tdmrep.json`

const minute = 60_000
const day = 86_400_000
// A file that could not be fetched is requested again soon.
const failureTime = 300_000
const timeout = 10_000
// Of each kind of file.
const maxEntries = 1_000
const maxBytes = 100_000
// The engine stores robots.txt for a day, and reads at most this much of it.
const robotsOptions = { maxBytes: 512_000, lifetime: minute, maxEntries: 200 }

type Context = Pick<PluginContext, 'fetchText' | 'clock' | 'signal'>

/** Returns the value of a file, or `undefined` if there is none. Rejects only if aborted. */
type ReadFile<Value> = (url: string, signal: AbortSignal) => Promise<Value | undefined>

interface Entry<Value> {
  until: number
  readonly value: Promise<Value | undefined>
}

/** Creates the reader. `bot` selects the group of robots.txt. */
export function makeSiteFiles(context: Context, bot: string): SiteFiles {
  const robots = cachedFiles(context, (text, url) => readRobotsStatements(text, url, bot), robotsOptions)
  const tdmrep = cachedFiles(context, readTdmrep)
  const llms = cachedFiles(context, isMarkdown)
  const licenses = cachedFiles(context, readRsl)
  return {
    robots: async (origin, signal) => {
      const url = `${origin}/robots.txt`
      return (await robots(url, signal)) ?? readRobotsStatements('', url, bot)
    },
    tdmrep: async (origin, signal) => (await tdmrep(tdmrepUrl(origin), signal)) ?? [],
    hasLlmsTxt: async (origin, signal) => (await llms(`${origin}/llms.txt`, signal)) ?? false,
    license: licenses,
  }
}

/** Caches the parsed values of files, not their texts: each value is used for many pages. */
function cachedFiles<Value>(
  { fetchText, clock, signal: closing }: Context,
  parse: (text: string, url: string) => Value,
  options = { maxBytes, lifetime: day, maxEntries },
): ReadFile<Value> {
  const entries = new Map<string, Entry<Value>>()
  const load = async (url: string): Promise<Value | undefined> => {
    // Not with the signal of the first caller, because others wait for the same file.
    const signal = AbortSignal.any([closing, AbortSignal.timeout(timeout)])
    const text = await fetchText(new URL(url), { maxBytes: options.maxBytes, signal })
    return text === undefined ? undefined : parse(text, url)
  }
  return async (url, signal) => {
    signal.throwIfAborted()
    const known = entries.get(url)
    if (known && known.until > clock.now()) return until(known.value, signal)
    const value = load(url).catch(() => {
      entry.until = clock.now() + failureTime
      return undefined
    })
    const entry: Entry<Value> = { until: clock.now() + options.lifetime, value }
    entries.delete(url)
    entries.set(url, entry)
    const [oldest] = entries.keys()
    if (entries.size > options.maxEntries && oldest !== undefined) entries.delete(oldest)
    return until(value, signal)
  }
}

/** Returns whether a file is an llms.txt, which begins with a heading, and not a page that the site returns for any path. */
function isMarkdown(text: string): boolean {
  return /^\uFEFF?\s*#\s/.test(text)
}

function until<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop))
}
