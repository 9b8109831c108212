// Pages that earlier crawls have followed and nothing on the site leads to any more: a crawl that follows its pages looks
// at them last, when it has found all others.
import { makeNotifier } from '@harvestman/ports/adapters'
import type { Fact } from '../jobs/log/facts.ts'
import type { KeepNotes } from '../jobs/run/strategy.ts'
import type { FollowedByCrawl } from './explore.ts'
import { noteIn, type CrawlNote } from './notes.ts'
import { sortAddresses } from './sort.ts'
import type { VisitTools } from './visit.ts'

export interface Recall {
  fold(fact: Fact): void
  /** True when nothing leads to the page of this number. */
  isUnlinked(number: number): boolean
  /** Notes the pages when all others are done, and what is to be remembered when these are. */
  follow(note: KeepNotes, tools: VisitTools): Promise<void>
  /** Takes what was folded since the last call, for `restore`. */
  takePart(): RecallPart
  restore(part: RecallPart): void
}

/** Pages that were met and that are gone, and the number of the first that nothing leads to. */
export interface RecallPart {
  readonly met: readonly string[]
  readonly gone: readonly string[]
  readonly from?: number | undefined
}

export interface RecallOptions {
  readonly pages: FollowedByCrawl
  readonly signal: AbortSignal
  /** Number of addresses found. */
  readonly found: () => number
  readonly left: () => number
  /** True when more pages may be visited. */
  readonly hasRoom: () => boolean
}

/** No more pages of a site are remembered. */
const mostMet = 20_000

export function makeRecall({ pages, signal, found, left, hasRoom }: RecallOptions): Recall {
  const happened = makeNotifier()
  const met = new Set<string>()
  const gone = new Set<string>()
  let from: number | undefined
  let fresh: { met: string[]; gone: string[] } = { met: [], gone: [] }
  const idle = async (): Promise<void> => {
    while (left() > 0) await happened.wait(signal)
  }
  const recall = async (note: KeepNotes, tools: VisitTools): Promise<void> => {
    const known = hasRoom() ? await pages.list() : []
    const notes: CrawlNote[] = [{ recalled: true }, ...(await sortAddresses(known, { by: 'sitemap' }, tools))]
    await note(notes)
  }
  return {
    isUnlinked: (number) => from !== undefined && number >= from,
    fold: (fact) => {
      const note = noteIn(fact)
      if (note.recalled) from ??= found()
      if (note.gone !== undefined) {
        gone.add(note.gone)
        fresh.gone.push(note.gone)
      }
      if (fact.is === 'page' && met.size < mostMet) {
        met.add(fact.url)
        fresh.met.push(fact.url)
      }
      happened.notify()
    },
    follow: async (note, tools) => {
      await idle()
      if (from === undefined) await recall(note, tools)
      await idle()
      await pages.note(met, gone)
    },
    takePart: () => {
      const part = { ...fresh, from }
      fresh = { met: [], gone: [] }
      return part
    },
    restore: (part) => {
      for (const url of part.met) met.add(url)
      for (const url of part.gone) gone.add(url)
      from ??= part.from
    },
  }
}
