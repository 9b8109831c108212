import { areStored } from '@harvestman/coordination'
import { EngineError, publicMessage } from '@harvestman/ports'
import { makeNotifier } from '@harvestman/toolbox/notifier'
import type { HostTurn, JobTerms } from '@harvestman/schedule'
import { readCheckpoint } from '../log/checkpoint.ts'
import { noteEntries, startLost, type Fact, type Opening } from '../log/facts.ts'
import { becomeWriter, replayLog } from '../log/replay.ts'
import { openRestored } from '../log/snapshot.ts'
import type { JobState } from '../log/state.ts'
import type { JobStorage } from '../log/storage.ts'
import type { JobKit } from '../kit.ts'
import { hasUnprocessedMore } from '../log/tally.ts'
import type { Command } from './command.ts'
import { makeCommandProcessor } from './command-processor.ts'
import { openBudget, type Budget, type OutOfCredits } from './budget.ts'
import { runContext } from './context.ts'
import { makeEnding, type Ending } from './ending.ts'
import { openJournal, type JournalOptions } from './journal.ts'
import type { LeasedJob } from './leased-job.ts'
import { workOf } from './load-page.ts'
import { makePageLoader } from './page-loader.ts'
import type { JobKind, KeepNotes, Strategy } from './strategy.ts'

/** A job running in this engine. */
export interface JobRun {
  readonly opening: Opening
  readonly storage: JobStorage
  readonly state: JobState
  /** Log position at which this run took over the job. */
  readonly takenAt: number
  /** Number of known pages that are not loaded yet. */
  readonly left: number
  /** Increases with each visit and each write, so that a stuck run is noticed. */
  readonly progress: number
  /** Processes the pending commands, then starts to discover pages. Visits may be requested from now on. */
  begin(readCommands: () => Promise<readonly Command[]>): void
  /** Runs the visit that the scheduler grants. */
  visit(turn: HostTurn): void
  /** Processes the commands that were not processed before. `commands` are all commands of the job. */
  follow(commands: readonly Command[]): Promise<void>
  /** Resolves when the state has changed. */
  changed(signal: AbortSignal): Promise<void>
  /** Resolves when the job has ended or runs elsewhere; rejects if the store is damaged or a newer version must run the job. */
  readonly over: Promise<void>
  /** True if the store has lost writes of this run, or may have. The job must be restarted at once. */
  readonly wentBack: boolean
  /** Starts no more visits. Resolves when the running ones have ended, or after `within` milliseconds. */
  drain(within: number): Promise<void>
  /** Stops this run. The next worker that takes the job continues it. */
  stop(reason: EngineError): Promise<void>
}

/**
 * Continues a job from the end of its log. Returns `undefined` if there is nothing left to do. Rejects if the store fails or
 * the end of the log is damaged, and with `not_configured` if this engine lacks the kind of the job.
 */
export async function openRun(job: LeasedJob, commands: readonly Command[], kit: JobKit): Promise<JobRun | undefined> {
  const { opening, storage, by } = job
  // Avoids reading the log of an ended job that only has webhook messages to send: its checkpoint suffices.
  const known = await readCheckpoint(kit.store, opening.id)
  const isKnownOver = known && known.tally.status !== 'scraping' && !hasUnprocessedMore(commands, known.tally)
  // A store that has just gone back may have the checkpoint of an end whose segment it has lost.
  if (isKnownOver && (await areStored(kit.store, [storage.log.key(known.places - 1)]))[0] === true) return undefined
  const end = new AbortController()
  const kind = kindOf(opening, kit)
  const open = async (): Promise<Strategy> => kind.open(opening, runContext(job, kit, end.signal))
  const { strategy, state, parts } = await openRestored(open, storage, kit.store)
  const pagesBefore = pagesOf(state)
  let places = 0
  const fold = (fact: Fact): void => {
    if (fact.is === 'opened') places = fact.segments ?? 1
    strategy.fold(fact)
  }
  await replayLog(storage.log, fold, state)
  if (state.places < places) await becomeWriter(storage.log, state, strategy.fold, startLost(opening), by)
  else if (known && state.places < known.places) {
    const lost = known.places - state.places
    kit.warn(
      `The store has lost the last ${lost} segments of the log of a job. Their pages are loaded again.`,
      undefined,
      opening,
    )
  }
  const isOver = state.tally.status !== 'scraping'
  const goesOn = !isOver || hasUnprocessedMore(commands, state.tally)
  if (goesOn) {
    const at = kit.clock.now()
    const fact: Fact = isOver ? { is: 'reopened', at } : { is: 'taken', at, by }
    await becomeWriter(storage.log, state, strategy.fold, fact, by)
  }
  const budget = await openBudget({ opening, state, left: goesOn ? strategy.left() : 0, kit })
  const snapshot = { parts, pages: pagesOf(state) - pagesBefore }
  const takenAt = state.places - 1
  const run = makeRun({ job, state, takenAt, strategy, isReopened: isOver, snapshot, budget, end, kit })
  if (goesOn) return run
  // The last worker may have crashed before it wrote the final checkpoint.
  await run.stop(new EngineError('aborted', 'The job has ended.'))
  return undefined
}

function pagesOf({ tally }: JobState): number {
  return tally.completed + tally.failed
}

function kindOf({ kind }: Opening, { kinds }: JobKit): JobKind {
  const found = kinds.find(({ name }) => name === kind)
  if (found) return found
  throw new EngineError('not_configured', `This engine knows no jobs of the kind ${kind}.`)
}

function termsOf(opening: Opening, { concurrency, delay }: Strategy, { remoteReadings, pages }: JobKind): JobTerms {
  const { id, team, teamConcurrency } = opening
  // A delay per host means one visit at a time, and zero-data-retention pages must not be stored: both stay in this engine.
  const allowsHelpers =
    remoteReadings !== undefined && delay === undefined && pages?.(opening).zeroDataRetention === false
  return { id, team, teamConcurrency, concurrency, delay, allowsHelpers }
}

interface RunOptions {
  readonly job: LeasedJob
  readonly state: JobState
  readonly takenAt: number
  readonly strategy: Strategy
  readonly isReopened: boolean
  readonly snapshot: JournalOptions['snapshot']
  readonly budget: Budget
  /** Aborts the running visits. */
  readonly end: AbortController
  readonly kit: JobKit
}

function makeRun(options: RunOptions): JobRun {
  const { job, state, strategy, snapshot, budget, end, kit } = options
  const { opening, storage } = job
  const { scheduler } = kit
  const { pricing } = kindOf(opening, kit)
  const changes = makeNotifier()
  const visited = makeNotifier()
  let progress = 0
  const stored = (): void => {
    progress += 1
    budget.settle()
    changes.notify()
  }
  const wentBack = (): void => (kit.wentBack(opening), ending.goBack())
  const journal = openJournal({ job, state, strategy, snapshot, changed: stored, wentBack, kit })
  const ending = makeEnding({ job, state, journal, budget, end, changed: changes.notify, kit })
  const spent = ({ spent: why, by }: OutOfCredits): Promise<void> => {
    const left = strategy.left()
    const message = `${why} ${left} ${left === 1 ? 'page was' : 'pages were'} left.`
    return ending.finish({ is: 'ended', status: by === 'job' ? 'completed' : 'failed', cancelled: left, message })
  }
  const loader = makePageLoader({ opening, strategy, pricing, budget, spent, kit, signal: end.signal })
  const { explore, follow, endWhenDone, fail } = makeExploring(options, ending, () => loader.running === 0)

  return {
    opening,
    storage,
    state,
    takenAt: options.takenAt,
    get left() {
      return journal.left
    },
    begin: (readCommands) => {
      kit.room?.began(opening.id, (why) => void fail(why))
      scheduler.join(termsOf(opening, strategy, kindOf(opening, kit)))
      journal.save()
      void explore(readCommands)
    },
    get progress() {
      return progress
    },
    visit: (turn) => {
      progress += 1
      void loader.visit(turn, ending.add).then(endWhenDone).finally(visited.notify)
    },
    follow,
    changed: changes.wait,
    over: ending.over,
    get wentBack() {
      return journal.hasMoved || journal.wentBack !== undefined
    },
    drain: async (within) => {
      scheduler.leave(opening.id)
      const enough = AbortSignal.any([AbortSignal.timeout(within), end.signal])
      while (loader.running > 0 && !enough.aborted) await visited.wait(enough).catch(() => undefined)
    },
    stop: ending.stop,
  }
}

/** Discovers pages and processes commands until nothing is left to do. */
function makeExploring(options: RunOptions, ending: Ending, isResting: () => boolean) {
  const { job, strategy, end, kit } = options
  let isExplored = false

  const endWhenDone = (): void => {
    if (!isExplored || ending.hasBegun || !isResting() || strategy.left() > 0) return
    if (commands.newer) return void ending.leave(commands.newer)
    if (!commands.isIdle) return
    void ending.finish({ is: 'ended', cancelled: 0, ...(strategy.verdict?.() ?? { status: 'completed' }) })
  }
  const fail = (message: string): Promise<void> =>
    ending.finish({ is: 'ended', status: 'failed', cancelled: strategy.left(), message })
  const commands = makeCommandProcessor({ ...options, ending, processed: endWhenDone, fail })
  const note: KeepNotes = async (notes) => {
    if (notes.length === 0) return
    await ending.add(noteEntries(notes, kit.clock.now()))
    endWhenDone()
  }
  const explore = async (readCommands: () => Promise<readonly Command[]>): Promise<void> => {
    try {
      // They may cancel the job.
      await commands.begin(readCommands)
      if (ending.hasBegun) return
      await kit.scrape.around.run(workOf(job.opening), async () => strategy.explore(note))
    } catch (error) {
      if (end.signal.aborted) return
      await fail(publicMessage(error, 'Harvestman has a bug.'))
    }
    isExplored = true
    endWhenDone()
  }

  return { explore, follow: commands.follow, endWhenDone, fail }
}
