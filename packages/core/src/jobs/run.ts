import { EngineError } from '../errors/error.ts'
import type { Store } from '../ports/store.ts'
import type { Turn } from '../schedule/scheduler.ts'
import type { Claim } from './claim.ts'
import type { Contents } from './contents.ts'
import { makeEnding, type Ending } from './ending.ts'
import type { Fact, Opening } from './facts.ts'
import type { JobKit } from './kit.ts'
import { readLetters } from './letters.ts'
import { becomeWriter, readToEnd } from './read-log.ts'
import type { Drawer } from './record.ts'
import { leftOf, openParts, type Parts } from './run-parts.ts'
import type { Tally } from './tally.ts'

/** A job as it runs in this engine. */
export interface Run {
  readonly opening: Opening
  readonly drawer: Drawer
  readonly tally: Tally
  readonly left: number
  readonly places: number
  readonly contents: Contents
  readonly failures: readonly number[]
  /** Starts looking for pages. Visits may be asked for from then on. */
  begin(): void
  /** Makes the visit that the scheduler says is next. */
  visit(turn: Turn): void
  /** Follows the letters that have come. */
  readLetters(): Promise<void>
  /** Resolves when there is something new to see. */
  changed(signal: AbortSignal): Promise<void>
  /** Resolves when the job has ended, or does not run here any more. */
  readonly over: Promise<void>
  /** Stops working here. The job goes on where it is taken up next. */
  stop(reason: EngineError): Promise<void>
}

/** Goes on with a job from where its log ends; gives nothing when there is nothing to go on with. */
export async function startRun(claim: Claim, kit: JobKit): Promise<Run | undefined> {
  const parts = openParts(claim, kit)
  const place = await takeLog(claim, parts, kit)
  return place === undefined ? undefined : makeRun(claim, parts, place, kit)
}

/** Reads the log and makes this its writer. Gives the place to write at, or nothing when the job is over. */
async function takeLog({ opening, drawer, by }: Claim, parts: Parts, kit: JobKit): Promise<number | undefined> {
  const { standing, course, record } = parts
  const { clock, store } = kit
  const take = (facts: readonly Fact[]): void => {
    standing.take(facts)
    for (const fact of facts) course.fold(fact)
  }
  const length = await readToEnd(drawer.log, 0, take)
  const isOver = standing.tally.status !== 'scraping'
  if (isOver && !(await asksForMore(store, opening.id, standing.tally))) {
    await record.close()
    return undefined
  }
  const at = clock.now()
  return becomeWriter(drawer.log, length, isOver ? { is: 'reopened', at } : { is: 'taken', at, by }, by, take)
}

/** Goes on from the place in the log. */
function makeRun(claim: Claim, parts: Parts, place: number, kit: JobKit): Run {
  const { opening, drawer } = claim
  const { standing, record, desk, course, seen, end, keeper } = parts
  const { id, team } = opening
  const ending = makeEnding(claim, parts, place, kit)
  let isExplored = false

  const goOn = (): void => {
    if (!isExplored || ending.hasBegun || desk.running > 0 || course.left() > 0) return
    void ending.finish({ is: 'ended', cancelled: 0, ...(course.verdict?.() ?? { status: 'completed' }) })
  }
  keeper.add = async (entries) => {
    await ending.add(entries)
    goOn()
  }
  const follow = (): Promise<void> => followLetters(opening, parts, ending, kit)
  const explore = async (): Promise<void> => {
    try {
      // What people have asked for meanwhile comes first: there may be more to do than the log says, or nothing.
      await follow()
      await course.explore()
    } catch (error) {
      if (end.signal.aborted) return
      const message = EngineError.is(error) ? error.message : 'Harvestman has a fault.'
      await ending.finish({ is: 'ended', status: 'failed', cancelled: course.left(), message })
    }
    isExplored = true
    goOn()
  }

  return {
    opening,
    drawer,
    contents: standing.contents,
    failures: standing.failures,
    get tally() {
      return standing.tally
    },
    get left() {
      return leftOf(standing, course, keeper)
    },
    get places() {
      return standing.places
    },
    begin: () => {
      kit.scheduler.join({ id, team, concurrency: course.concurrency, delay: course.delay })
      record.save()
      void explore()
    },
    visit: (turn) => void desk.visit(turn, course, ending.add).then(goOn),
    readLetters: follow,
    changed: seen.wait,
    over: ending.over,
    stop: ending.stop,
  }
}

/** Follows the letters that have come since it was looked last. */
async function followLetters(
  { id }: Opening,
  { standing, course }: Parts,
  ending: Ending,
  { clock, store }: JobKit,
): Promise<void> {
  const known = standing.tally.letters
  const letters = (await readLetters(store, id)).slice(known)
  if (letters.length === 0 || ending.hasBegun) return
  const answered: Fact = { is: 'answered', at: clock.now(), letters: known + letters.length }
  if (letters.some(({ asks }) => asks === 'cancel')) {
    return ending.finish({ is: 'ended', status: 'cancelled', cancelled: course.left() }, answered)
  }
  for (const letter of letters) if (letter.asks === 'more') course.more?.(letter.body)
  await ending.add([{ fact: answered }])
}

/** Whether a job that has ended was asked to go on. One that was cancelled stays so. */
export async function asksForMore(store: Store, id: string, { status, letters }: Tally): Promise<boolean> {
  if (status !== 'completed') return false
  return (await readLetters(store, id)).slice(letters).some(({ asks }) => asks === 'more')
}
