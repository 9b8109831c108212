// Pages that earlier crawls tracked and that have no incoming links any more. A crawl with tracking visits them after all other
// pages.
import { makeNotifier } from '@harvestman/toolbox/notifier'
import type { Fact } from '../jobs/log/facts.ts'
import type { KeepNotes } from '../jobs/run/strategy.ts'
import type { FollowedByCrawl } from './explore.ts'
import { crawlNoteOf, type CrawlNote } from './notes.ts'
import { sortUrls } from './sort.ts'
import type { VisitTools } from './visit.ts'

/** Tracks which pages exist, and revisits pages that only earlier crawls know. */
export interface Recall {
  fold(fact: Fact): void
  /** Returns whether no link leads to the page with this number. */
  isUnlinked(number: number): boolean
  /** Adds the pages when all others are finished, and stores the tracked pages when these are finished too. */
  follow(note: KeepNotes, tools: VisitTools): Promise<void>
  /** Returns the changes since the last call, for `restore`. */
  takePart(): RecallPart
  restore(part: RecallPart): void
}

/** Pages that were visited, pages that no longer exist, and the number of the first page without a link. */
export interface RecallPart {
  readonly met: readonly string[]
  readonly gone: readonly string[]
  readonly from?: number | undefined
}

export interface RecallOptions {
  readonly pages: FollowedByCrawl
  readonly signal: AbortSignal
  /** Returns the number of URLs found. */
  readonly found: () => number
  readonly left: () => number
  /** Returns whether more pages may be visited. */
  readonly hasRoom: () => boolean
}

/** Maximum number of pages tracked per site. */
const maxTrackedPages = 20_000

/**
 * Creates the state for pages known from earlier crawls. Once all other pages are finished, the known ones that have not been
 * visited are added to the crawl; then the visited pages, at most 20,000, are stored for the next crawl, and missing ones are
 * removed. `follow` rejects with the signal's reason, or if the store fails.
 */
export function makeRecall({ pages, signal, found, left, hasRoom }: RecallOptions): Recall {
  const happened = makeNotifier()
  const met = new Set<string>()
  const missing = new Set<string>()
  let from: number | undefined
  let fresh: { met: string[]; gone: string[] } = { met: [], gone: [] }
  const idle = async (): Promise<void> => {
    while (left() > 0) await happened.wait(signal)
  }
  const recall = async (note: KeepNotes, tools: VisitTools): Promise<void> => {
    const known = hasRoom() ? await pages.list() : []
    const sorted = await sortUrls(known, { by: 'sitemap' }, tools)
    const notes: CrawlNote[] = [{ recalled: true }, ...sorted.flat()]
    await note(notes)
  }
  return {
    isUnlinked: (number) => from !== undefined && number >= from,
    fold: (fact) => {
      const note = crawlNoteOf(fact)
      if (note.recalled) from ??= found()
      if (note.gone !== undefined) {
        missing.add(note.gone)
        fresh.gone.push(note.gone)
      }
      if (fact.is === 'page' && met.size < maxTrackedPages) {
        met.add(fact.url)
        fresh.met.push(fact.url)
      }
      happened.notify()
    },
    follow: async (note, tools) => {
      await idle()
      if (from === undefined) await recall(note, tools)
      await idle()
      await pages.note(met, missing)
    },
    takePart: () => {
      const part = { ...fresh, from }
      fresh = { met: [], gone: [] }
      return part
    },
    restore: (part) => {
      for (const url of part.met) met.add(url)
      for (const url of part.gone) missing.add(url)
      from ??= part.from
    },
  }
}
