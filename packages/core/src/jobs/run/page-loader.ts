import { EngineError } from '../../errors/error.ts'
import type { Store } from '../../ports/store.ts'
import type { HostAnswer } from '../../schedule/politeness.ts'
import type { Turn } from '../../schedule/scheduler.ts'
import type { Looks } from '../../scrape/caller.ts'
import { scrape } from '../../scrape/scrape.ts'
import { tryPage } from './attempt.ts'
import type { Strategy, RunContext, Scratch, JobTask, Attempt } from './strategy.ts'
import type { Entry, FailedFact, Opening } from '../log/facts.ts'
import { hostAnswer } from './host-answer.ts'
import type { JobKit } from '../kit.ts'
import { pageId } from '../log/page-ids.ts'
import type { JobStorage } from '../log/checkpoint.ts'

/** The hands of a job: makes its visits, when the scheduler says so. */
export interface PageLoader extends RunContext {
  /** Visits under way. */
  readonly running: number
  /** Makes a visit and reports what came of it. Resolves when all of that is kept. */
  visit(turn: Turn, strategy: Strategy, report: (entries: readonly Entry[]) => Promise<void>): Promise<void>
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
/** The host says that it has too much to do, and may be asked again. */
const busyStatuses: ReadonlySet<number> = new Set([429, 503])

export function makePageLoader({ opening, storage, kit, note, signal }: PageLoaderOptions): PageLoader {
  const { id: job } = opening
  const { scheduler } = kit
  const tries = new Map<number, number>()
  const answers = new WeakMap<Attempt, HostAnswer>()
  // A signal for each visit: listeners on one that lasts stand in a list, and those taken out of it long ago would hold
  // the later ones, and their pages, until the next full collection.
  const running = new Set<AbortController>()
  signal.addEventListener('abort', () => running.forEach((visit) => visit.abort(signal.reason)), { once: true })

  const offer: RunContext['offer'] = (host, count) => {
    scheduler.offer(job, host, count)
    kit.dispatch()
  }
  const makeVisit = ({ number }: JobTask, { signal }: AbortController): Attempt => {
    const made = (tries.get(number) ?? 0) + 1
    tries.set(number, made)
    return { id: pageId(job), signal, isLast: made >= mostTries }
  }

  return {
    note,
    offer,
    signal,
    get running() {
      return running.size
    },
    scrape: async (request, visit, looks) => {
      const document = await load(request, visit, { opening, kit, looks, answers })
      const { status = 0 } = answers.get(visit) ?? {}
      if (busyStatuses.has(status) && !visit.isLast) throw busy(status)
      return document
    },
    visit: async (turn, strategy, report) => {
      const task = signal.aborted ? undefined : strategy.take(turn.host)
      if (!task) return scheduler.done(turn, {})
      const stop = new AbortController()
      const visit = makeVisit(task, stop)
      running.add(stop)
      try {
        const entries = turn.isGone
          ? [givenUp(task, visit, kit.clock.now())]
          : await make(task, visit, strategy, { answers, kit })
        if (signal.aborted) return
        if (entries) {
          tries.delete(task.number)
          // It counts as running until it is kept: a store that is slow slows the visits, and nothing piles up.
          await report(entries)
        } else {
          strategy.putBack(task)
          offer(task.host)
        }
      } finally {
        running.delete(stop)
        scheduler.done(turn, answers.get(visit) ?? {})
        kit.dispatch()
      }
    },
    slowDown: (host, pause) => scheduler.obeyCrawlDelay(host, pause),
    scratch: (name) => scratchIn(storage, name, kit.store),
    warn: (message, cause) => kit.warn(message, cause, opening),
  }
}

/** Makes a visit, and notes what it says of the host. Gives nothing when the page is to be asked for again. */
async function make(
  task: JobTask,
  visit: Attempt,
  strategy: Strategy,
  { answers, kit }: Pick<Loading, 'answers' | 'kit'>,
): Promise<readonly Entry[] | undefined> {
  const outcome = await tryPage(task, visit, strategy, () => kit.clock.now())
  const failure = 'again' in outcome ? outcome.again : failureIn(outcome.entries)
  if (failure && !answers.has(visit)) answers.set(visit, { failed: isAboutTheHost(failure) })
  return 'again' in outcome ? undefined : outcome.entries
}

/** Of a host that is gone every page would fail, after a rest each. */
function givenUp({ number, url }: JobTask, { id }: Attempt, at: number): Entry {
  const message = 'The host failed many times in a row, so this page was not asked for.'
  return { fact: { is: 'failed', at, task: number, id, url, code: 'connection_failed', message } }
}

interface Loading {
  readonly opening: Opening
  readonly kit: JobKit
  readonly looks: Looks | undefined
  readonly answers: WeakMap<Attempt, HostAnswer>
}

function load(request: Parameters<RunContext['scrape']>[0], visit: Attempt, { opening, kit, looks, answers }: Loading) {
  const { id: session, team, filesAt } = opening
  const see: Looks['see'] = (seen, values) => {
    answers.set(visit, hostAnswer(request.url, seen, kit.clock.now()))
    looks?.see(seen, values)
  }
  const { id, signal } = visit
  return scrape(
    request,
    { team, id, signal, keep: false, mayPrint: true, filesAt, session, looks: { at: looks?.at ?? [], see } },
    kit.scrape,
  )
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

function busy(status: number): EngineError {
  return new EngineError('bad_response', `The host answered ${status}: it has too much to do. Try again later.`)
}

function failureIn([first]: readonly Entry[]): FailedFact | undefined {
  return first?.fact.is === 'failed' ? first.fact : undefined
}

const hostFailures: ReadonlySet<string> = new Set(['connection_failed', 'timeout', 'bad_response', 'dns_failed'])

function isAboutTheHost({ code }: Pick<EngineError, 'code'>): boolean {
  return hostFailures.has(code)
}
