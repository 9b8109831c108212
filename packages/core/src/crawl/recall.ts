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
  /** Whether the page of this number is one that nothing leads to. */
  isUnlinked(number: number): boolean
  /** Notes the pages when all others are done, and what is to be remembered when these are. */
  follow(note: KeepNotes, tools: VisitTools): Promise<void>
}

export interface RecallOptions {
  readonly pages: FollowedByCrawl
  readonly signal: AbortSignal
  /** How many addresses were found. */
  readonly found: () => number
  readonly left: () => number
  /** Whether more pages may be visited. */
  readonly hasRoom: () => boolean
}

export function makeRecall({ pages, signal, found, left, hasRoom }: RecallOptions): Recall {
  const happened = makeNotifier()
  const met = new Set<string>()
  const gone = new Set<string>()
  let from: number | undefined
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
      if (note.gone !== undefined) gone.add(note.gone)
      if (fact.is === 'page') met.add(fact.url)
      happened.notify()
    },
    follow: async (note, tools) => {
      await idle()
      if (from === undefined) await recall(note, tools)
      await idle()
      await pages.note(met, gone)
    },
  }
}
