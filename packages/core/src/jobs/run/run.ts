import { EngineError } from '../../errors/error.ts'
import type { Store } from '../../ports/store.ts'
import type { HostTurn } from '../../schedule/scheduler.ts'
import type { JobLease } from '../worker/job-lease.ts'
import type { DocumentIndex } from '../log/document-index.ts'
import { makeEnding, type Ending } from './ending.ts'
import type { Fact, Opening } from '../log/facts.ts'
import type { JobKit } from '../kit.ts'
import { readCommands } from '../worker/commands.ts'
import { becomeWriter, readToEnd } from '../log/replay.ts'
import type { JobStorage } from '../log/checkpoint.ts'
import { leftOf, openParts, type RunParts } from './run-parts.ts'
import type { Tally } from '../log/tally.ts'

/** A job as it runs in this engine. */
export interface JobRun {
  readonly opening: Opening
  readonly storage: JobStorage
  readonly tally: Tally
  readonly left: number
  readonly places: number
  readonly contents: DocumentIndex
  readonly failures: readonly number[]
  /** Starts looking for pages. Visits may be asked for from then on. */
  begin(): void
  /** Makes the visit that the scheduler says is next. */
  visit(turn: HostTurn): void
  /** Follows the letters that have come. */
  readCommands(): Promise<void>
  /** Resolves when there is something new to see. */
  changed(signal: AbortSignal): Promise<void>
  /** Resolves when the job has ended, or does not run here any more. */
  readonly over: Promise<void>
  /** Stops working here. The job goes on where it is taken up next. */
  stop(reason: EngineError): Promise<void>
}

/** Goes on with a job from where its log ends; gives nothing when there is nothing to go on with. */
export async function startRun(lease: JobLease, kit: JobKit): Promise<JobRun | undefined> {
  const parts = openParts(lease, kit)
  const place = await takeLog(lease, parts, kit)
  return place === undefined ? undefined : makeRun(lease, parts, place, kit)
}

/** Reads the log and makes this its writer. Gives the place to write at, or nothing when the job is over. */
async function takeLog({ opening, storage, by }: JobLease, parts: RunParts, kit: JobKit): Promise<number | undefined> {
  const { state, strategy, record } = parts
  const { clock, store } = kit
  const take = (facts: readonly Fact[]): void => {
    state.take(facts)
    for (const fact of facts) strategy.fold(fact)
  }
  const length = await readToEnd(storage.log, 0, take)
  const isOver = state.tally.status !== 'scraping'
  if (isOver && !(await asksForMore(store, opening.id, state.tally))) {
    await record.close()
    return undefined
  }
  const at = clock.now()
  return becomeWriter(storage.log, length, isOver ? { is: 'reopened', at } : { is: 'taken', at, by }, by, take)
}

/** Goes on from the place in the log. */
function makeRun(lease: JobLease, parts: RunParts, place: number, kit: JobKit): JobRun {
  const { opening, storage } = lease
  const { state, record, loader, strategy, seen, end, keeper } = parts
  const { id, team } = opening
  const ending = makeEnding(lease, parts, place, kit)
  let isExplored = false

  const goOn = (): void => {
    if (!isExplored || ending.hasBegun || loader.running > 0 || strategy.left() > 0) return
    void ending.finish({ is: 'ended', cancelled: 0, ...(strategy.verdict?.() ?? { status: 'completed' }) })
  }
  keeper.add = async (entries) => {
    await ending.add(entries)
    goOn()
  }
  const follow = (): Promise<void> => followCommands(opening, parts, ending, kit)
  const explore = async (): Promise<void> => {
    try {
      // What people have asked for meanwhile comes first: there may be more to do than the log says, or nothing.
      await follow()
      await strategy.explore()
    } catch (error) {
      if (end.signal.aborted) return
      const message = EngineError.is(error) ? error.message : 'Harvestman has a fault.'
      await ending.finish({ is: 'ended', status: 'failed', cancelled: strategy.left(), message })
    }
    isExplored = true
    goOn()
  }

  return {
    opening,
    storage,
    contents: state.contents,
    failures: state.failures,
    get tally() {
      return state.tally
    },
    get left() {
      return leftOf(state, strategy, keeper)
    },
    get places() {
      return state.places
    },
    begin: () => {
      kit.scheduler.join({ id, team, concurrency: strategy.concurrency, delay: strategy.delay })
      record.save()
      void explore()
    },
    visit: (turn) => void loader.visit(turn, strategy, ending.add).then(goOn),
    readCommands: follow,
    changed: seen.wait,
    over: ending.over,
    stop: ending.stop,
  }
}

/** Follows the letters that have come since it was looked last. */
async function followCommands(
  { id }: Opening,
  { state, strategy }: RunParts,
  ending: Ending,
  { clock, store }: JobKit,
): Promise<void> {
  const known = state.tally.letters
  const letters = (await readCommands(store, id)).slice(known)
  if (letters.length === 0 || ending.hasBegun) return
  const answered: Fact = { is: 'answered', at: clock.now(), letters: known + letters.length }
  if (letters.some(({ asks }) => asks === 'cancel')) {
    return ending.finish({ is: 'ended', status: 'cancelled', cancelled: strategy.left() }, answered)
  }
  for (const letter of letters) if (letter.asks === 'more') strategy.more?.(letter.body)
  await ending.add([{ fact: answered }])
}

/** Whether a job that has ended was asked to go on. One that was cancelled stays so. */
export async function asksForMore(store: Store, id: string, { status, letters }: Tally): Promise<boolean> {
  if (status !== 'completed') return false
  return (await readCommands(store, id)).slice(letters).some(({ asks }) => asks === 'more')
}
