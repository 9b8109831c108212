import { EngineError } from '../../errors/error.ts'
import type { JobLease } from '../worker/job-lease.ts'
import type { Strategy, JobKind } from './strategy.ts'
import type { Entry, Opening } from '../log/facts.ts'
import type { JobKit } from '../kit.ts'
import { makeCheckpointer, type Checkpointer } from '../log/checkpoint.ts'
import { makeJobState, type JobState } from '../log/state.ts'
import { makePageLoader, type PageLoader } from './page-loader.ts'
import { makeNotifier, type Notifier } from '../../lib/notifier.ts'

/** What a run is made of, before anything of the job is known. */
export interface RunParts {
  readonly state: JobState
  readonly record: Checkpointer
  readonly loader: PageLoader
  readonly strategy: Strategy
  readonly seen: Notifier
  readonly end: AbortController
  /** How what happens is kept, once somebody writes; and how many pages are done and not kept yet. */
  readonly keeper: { add: (entries: readonly Entry[]) => Promise<void>; pages: number }
}

/** Opens them; nothing is read yet. */
export function openParts({ opening, storage }: JobLease, kit: JobKit): RunParts {
  const { clock, store } = kit
  const end = new AbortController()
  const keeper: RunParts['keeper'] = { add: () => Promise.reject(new Error('The log is still being read.')), pages: 0 }
  const loader = makePageLoader({
    opening,
    storage,
    kit,
    signal: end.signal,
    note: async (notes) => {
      if (notes.length > 0) await keeper.add(notes.map((note) => ({ fact: { is: 'noted', at: clock.now(), note } })))
    },
  })
  const state = makeJobState(store, storage.name, storage.keep)
  const strategy = kindOf(opening, kit).open(opening, loader)
  const record = makeCheckpointer(store, storage, async () => ({
    opening,
    tally: state.tally,
    left: leftOf(state, strategy, keeper),
    places: state.places,
    contents: await state.contents.keep(),
    failures: state.failures,
  }))
  return { state, record, loader, strategy, seen: makeNotifier(), end, keeper }
}

/** What a strategy is done with is told of when it is kept, and counts as left until then: so the sum stays the same. */
export function leftOf({ tally }: JobState, strategy: Strategy, { pages }: RunParts['keeper']): number {
  return tally.status === 'scraping' ? strategy.left() + pages : 0
}

export function pagesIn(entries: readonly Entry[]): number {
  return entries.filter(({ fact }) => fact.is === 'page' || fact.is === 'failed').length
}

function kindOf({ kind }: Opening, { kinds }: JobKit): JobKind {
  const found = kinds.find(({ name }) => name === kind)
  if (found) return found
  throw new EngineError('not_configured', `This engine knows no jobs of the kind ${kind}.`)
}
