import { EngineError } from '../../errors/error.ts'
import type { Store } from '../../ports/store.ts'
import type { HostAnswer } from '../../schedule/politeness.ts'
import type { HostTurn } from '../../schedule/scheduler.ts'
import type { Scraped } from '../../scrape/scrape.ts'
import { tryPage, type TriedPage } from './attempt.ts'
import type { Strategy, RunContext, PageToScrape, Scratch, JobTask, Attempt } from './strategy.ts'
import type { Entry, Opening } from '../log/facts.ts'
import type { JobKit } from '../kit.ts'
import { pageId } from '../log/page-ids.ts'
import type { JobStorage } from '../log/checkpoint.ts'

/** The hands of a job: makes its visits, when the scheduler says so. */
export interface PageLoader extends RunContext {
  /** Visits under way. */
  readonly running: number
  /** Makes a visit and reports what came of it. Resolves when all of that is kept. */
  visit(turn: HostTurn, strategy: Strategy, report: (entries: readonly Entry[]) => Promise<void>): Promise<void>
}

export interface PageLoaderOptions {
  readonly opening: Opening
  readonly storage: JobStorage
  readonly kit: JobKit
  readonly note: RunContext['note']
  readonly signal: AbortSignal
}

/** How often a page is asked for that does not answer, in all. */
const mostTries = 3

export function makePageLoader({ opening, storage, kit, note, signal }: PageLoaderOptions): PageLoader {
  const { id: job } = opening
  const { scheduler } = kit
  const tries = new Map<number, number>()
  // A signal for each visit: listeners on one that lasts stand in a list, and those taken out of it long ago would hold
  // the later ones, and their pages, until the next full collection.
  const running = new Set<AbortController>()
  signal.addEventListener('abort', () => running.forEach((visit) => visit.abort(signal.reason)), { once: true })

  const offer: RunContext['offer'] = (host, count) => {
    scheduler.offer(job, host, count)
    kit.dispatch()
  }
  const now = (): number => kit.clock.now()
  const load = ({ request, readings = [] }: PageToScrape, { id, key, signal }: Attempt): Promise<Scraped> => {
    const { id: group, team, filesAt } = opening
    const caller = { team, id, task: key, signal, keep: false, filesAt, group }
    return kit.scrapePage(request, caller, { readings, encoded: true })
  }
  const makeVisit = ({ number }: JobTask, { signal }: AbortController): Attempt => {
    const made = (tries.get(number) ?? 0) + 1
    tries.set(number, made)
    return { id: pageId(job), key: `${job}/${number}`, signal, isLast: made >= mostTries }
  }

  return {
    note,
    offer,
    signal,
    get running() {
      return running.size
    },
    visit: async (turn, strategy, report) => {
      const task = signal.aborted ? undefined : strategy.take(turn.host)
      if (!task) return scheduler.done(turn, {})
      const stop = new AbortController()
      const visit = makeVisit(task, stop)
      let answer: HostAnswer = {}
      running.add(stop)
      try {
        const came = turn.isGone
          ? givenUp(task, visit, now())
          : await tryPage(task, visit, { strategy, scrape: load, now })
        answer = came.answer
        if (signal.aborted) return
        if ('entries' in came) {
          tries.delete(task.number)
          // It counts as running until it is kept: a store that is slow slows the visits, and nothing piles up.
          await report(came.entries)
        } else {
          strategy.putBack(task)
          offer(task.host)
        }
      } finally {
        running.delete(stop)
        scheduler.done(turn, answer)
        kit.dispatch()
      }
    },
    slowDown: (host, pause) => scheduler.obeyCrawlDelay(host, pause),
    scratch: (name) => scratchIn(storage, name, kit.store),
    warn: (message, cause) => kit.warn(message, cause, opening),
  }
}

/** Of a host that is gone every page would fail, after a rest each. */
function givenUp({ number, url }: JobTask, { id }: Attempt, at: number): TriedPage {
  const message = 'The host failed many times in a row, so this page was not asked for.'
  return {
    entries: [{ fact: { is: 'failed', at, task: number, id, url, code: 'connection_failed', message } }],
    answer: {},
  }
}

function scratchIn({ name: storage, keep }: JobStorage, name: string, store: Store): Scratch {
  const keyOf = (part: number): string => `${storage}/${name}/${part}`
  return {
    write: (part, bytes) => store.set(keyOf(part), bytes, keep()),
    read: async (part) => {
      const bytes = await store.get(keyOf(part))
      if (bytes instanceof Uint8Array) return bytes
      throw new EngineError('store_failed', 'The store lost a part of a job.')
    },
  }
}
