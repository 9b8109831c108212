// The files of a site with its preferences: robots.txt, tdmrep.json, llms.txt and licences.
import type { PluginContext } from '@harvestman/core/plugin'

import { readRobotsStatements, type RobotsStatements } from './robots-text.ts'
import { readRsl, type RslContent } from './rsl.ts'
import { readTdmrep, type TdmRule } from './tdmrep.ts'

/** Reads the files of sites. Each is fetched once for concurrent callers, and cached for a day in this process. */
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

const maxBytes = 512_000
const day = 86_400_000
// A file that could not be fetched is requested again soon.
const failureTime = 300_000
const timeout = 10_000
const maxEntries = 2_000

interface Entry {
  until: number
  readonly text: Promise<string | undefined>
}

type Context = Pick<PluginContext, 'fetchText' | 'clock' | 'signal'>

/** Creates the reader. `bot` selects the group of robots.txt. */
export function makeSiteFiles({ fetchText, clock, signal: closing }: Context, bot: string): SiteFiles {
  const entries = new Map<string, Entry>()
  const textOf = async (url: string, signal: AbortSignal): Promise<string | undefined> => {
    signal.throwIfAborted()
    const known = entries.get(url)
    if (known && known.until > clock.now()) return until(known.text, signal)
    // Not with the signal of the first caller, because others wait for the same file.
    const ends = AbortSignal.any([closing, AbortSignal.timeout(timeout)])
    const text = fetchText(new URL(url), { maxBytes, signal: ends }).catch(() => {
      entry.until = clock.now() + failureTime
      return undefined
    })
    const entry: Entry = { until: clock.now() + day, text }
    entries.delete(url)
    entries.set(url, entry)
    const [oldest] = entries.keys()
    if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest)
    return until(text, signal)
  }
  return {
    robots: async (origin, signal) => {
      const url = `${origin}/robots.txt`
      return readRobotsStatements((await textOf(url, signal)) ?? '', url, bot)
    },
    tdmrep: async (origin, signal) => readTdmrep((await textOf(tdmrepUrl(origin), signal)) ?? ''),
    hasLlmsTxt: async (origin, signal) => isMarkdown(await textOf(`${origin}/llms.txt`, signal)),
    license: async (url, signal) => {
      const text = await textOf(url, signal)
      return text === undefined ? undefined : readRsl(text)
    },
  }
}

/** Returns whether a file is an llms.txt, which begins with a heading, and not a page that the site returns for any path. */
function isMarkdown(text: string | undefined): boolean {
  return text !== undefined && /^\uFEFF?\s*#\s/.test(text)
}

function until<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop))
}
