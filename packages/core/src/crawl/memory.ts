import type { CrawlRequest } from '../schema/crawl.ts'
import { makeSeen, normaliseUrl, similarKey, type Trap } from '@harvestman/site'
import type { HostRules } from './host-rules.ts'
import { crawlNoteOf } from './notes.ts'
import type { Fact } from '../jobs/log/facts.ts'
import { threatRules } from '../threats/rules.ts'
import { makeCrawlScope, type CrawlScope } from './scope.ts'

/** State of a crawl: its scope and the URLs found so far. Derived from the facts of its job. */
export interface CrawlMemory {
  readonly scope: CrawlScope
  /** Moves the scope to the URL that the start redirects to. */
  move(landing: string): void
  /** Returns whether two URLs count as the same page. */
  isSame(one: string, other: string): boolean
  /** Remembers a URL to visit. Returns whether it is new. */
  meet(url: string): boolean
  /** Returns whether the URL is known as one to visit. */
  knows(url: string): boolean
  /** Remembers a skipped URL. Returns whether it should be reported. */
  leave(url: string): boolean
  /** Returns whether the decision about a URL, as written in a link, is final. */
  isSettled(text: string): boolean
  settle(text: string): void
  /** Remembers a trap. Returns whether it is the first of its kind and shape. */
  meetTrap(trap: TrapName): boolean
  /** Number of traps found. */
  readonly traps: number
  fold(fact: Fact): void
  /** Returns the changes since the last call, for `restore`. */
  take(): MemoryPart
  restore(part: MemoryPart): void
}

/** Part of a snapshot: hashes of URLs, traps, and the URL that the start redirects to if it was found in this part. */
export interface MemoryPart {
  readonly seen: Uint8Array
  readonly left: Uint8Array
  readonly traps: readonly TrapName[]
  readonly moved?: string | undefined
}

/** Identifies a trap. */
export type TrapName = Pick<Trap, 'kind' | 'shape'>

/** Maximum number of traps reported. */
const maxTraps = 1_000

/** Maximum number of skipped URLs reported; there may be millions. */
const maxSkippedUrls = 20_000

type HasParser = (name: string) => boolean

function scopeOf(request: CrawlRequest, { allows }: HostRules, hasParser: HasParser): CrawlScope {
  const { parsers, threatProtection } = request.scrapeOptions
  const present = parsers.filter(({ type }) => hasParser(type))
  return makeCrawlScope(request.url, { ...request, parsers: present }, allows, threatRules(threatProtection))
}

/** Creates the memory of a new crawl. Throws `invalid_request` if its start is not a URL or a pattern is invalid. */
export function crawlMemory(request: CrawlRequest, rules: HostRules, hasParser: HasParser = () => true): CrawlMemory {
  const seen = makeSeen()
  const left = makeSeen()
  let settled = makeSeen()
  const traps = new Set<string>()
  let [foldedTraps, foldedMove]: [TrapName[], string?] = [[]]
  let scope = scopeOf(request, rules, hasParser)

  const keyOfNormal = (url: string): string => (request.deduplicateSimilarURLs ? similarKey(url) : url)
  const keyOf = (url: string): string => keyOfNormal(normaliseUrl(url, request) ?? url)
  const meetTrap = ({ kind, shape }: TrapName): boolean => {
    const name = `${kind} ${shape}`
    if (traps.size >= maxTraps || traps.has(name)) return false
    traps.add(name)
    return true
  }
  const move = (landing: string): void => {
    scope = scope.moved(landing)
    settled = makeSeen()
  }

  return {
    get scope() {
      return scope
    },
    move,
    isSame: (one, other) => keyOf(one) === keyOf(other),
    meet: (url) => seen.add(keyOf(url)),
    knows: (url) => seen.has(keyOf(url)),
    leave: (url) => left.size < maxSkippedUrls && left.add(url),
    isSettled: (text) => settled.has(text),
    settle: (text) => void settled.add(text),
    meetTrap,
    get traps() {
      return traps.size
    },
    fold: (fact) => {
      const note = crawlNoteOf(fact)
      // All URLs are normalized except the first one, the start.
      for (const [url] of note.found ?? []) seen.keep(seen.size === 0 ? keyOf(url) : keyOfNormal(url))
      for (const [url] of note.left ?? []) left.keep(url)
      if (note.trap) {
        meetTrap(note.trap)
        foldedTraps.push(note.trap)
      }
      if (note.moved !== undefined) move((foldedMove = note.moved))
      if (note.landed !== undefined) seen.keep(keyOf(note.landed))
    },
    take: () => {
      const part = { seen: seen.take(), left: left.take(), traps: foldedTraps, moved: foldedMove }
      foldedTraps = []
      foldedMove = undefined
      return part
    },
    restore: (part) => {
      seen.restore(part.seen)
      left.restore(part.left)
      part.traps.forEach(meetTrap)
      if (part.moved !== undefined) move(part.moved)
    },
  }
}
