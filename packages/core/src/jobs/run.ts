import { EngineError } from '../errors/error.ts'
import type { Store } from '../ports/store.ts'
import type { Turn } from '../schedule/scheduler.ts'
import type { Claim } from './claim.ts'
import type { Contents } from './contents.ts'
import type { Course, JobKind } from './course.ts'
import type { EndedFact, Entry, Fact, Opening } from './facts.ts'
import type { JobKit } from './kit.ts'
import { readLetters } from './letters.ts'
import { becomeWriter, readToEnd } from './read-log.ts'
import { keepRecord, type Drawer, type KeptRecord } from './record.ts'
import { makeStanding, type Standing } from './standing.ts'
import type { Tally } from './tally.ts'
import { visitor, type Visitor } from './visitor.ts'
import { watchers, type Watchers } from './watchers.ts'
import { isSuperseded, openWriter, type Writer } from './writer.ts'

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

/** What a run is made of, before anything of the job is known. */
interface Parts {
  readonly standing: Standing
  readonly record: KeptRecord
  readonly desk: Visitor
  readonly course: Course
  readonly seen: Watchers
  readonly end: AbortController
  /** How what happens is kept, once somebody writes; and how many pages are done and not kept yet. */
  readonly keeper: { add: (entries: readonly Entry[]) => Promise<void>; pages: number }
}

function openParts({ opening, drawer }: Claim, kit: JobKit): Parts {
  const { clock, store } = kit
  const end = new AbortController()
  const keeper: Parts['keeper'] = { add: () => Promise.reject(new Error('The log is still being read.')), pages: 0 }
  const desk = visitor({
    opening,
    drawer,
    kit,
    signal: end.signal,
    note: async (notes) => {
      if (notes.length > 0) await keeper.add(notes.map((note) => ({ fact: { is: 'noted', at: clock.now(), note } })))
    },
  })
  const standing = makeStanding(store, drawer.name, drawer.keep)
  const course = kindOf(opening, kit).open(opening, desk)
  const record = keepRecord(store, drawer, async () => ({
    opening,
    tally: standing.tally,
    left: leftOf(standing, course, keeper),
    places: standing.places,
    contents: await standing.contents.keep(),
    failures: standing.failures,
  }))
  return { standing, record, desk, course, seen: watchers(), end, keeper }
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

function makeRun({ opening, drawer, by, lost }: Claim, parts: Parts, place: number, kit: JobKit): Run {
  const { standing, record, desk, course, seen, end, keeper } = parts
  const { clock, scheduler, store } = kit
  const { id, team } = opening
  const over = Promise.withResolvers<void>()
  let [isExplored, isEnding] = [false, false]
  let closing: Promise<void> | undefined

  const writer: Writer = openWriter({
    log: drawer.log,
    by,
    place,
    clock,
    kept: (entries) => {
      const facts = entries.map(({ fact }) => fact)
      standing.take(facts)
      keeper.pages -= pagesIn(entries)
      record.save()
      seen.tell()
    },
    troubled: (error) => desk.warn('The store does not take what a job brings, and is asked again.', error),
  })
  const add = async (entries: readonly Entry[]): Promise<void> => {
    for (const { fact } of entries) course.fold(fact)
    keeper.pages += pagesIn(entries)
    try {
      await writer.add(entries)
    } catch (error) {
      await leave(error)
    }
  }
  keeper.add = async (entries) => {
    await add(entries)
    goOn()
  }

  const goOn = (): void => {
    if (!isExplored || isEnding || desk.running > 0 || course.left() > 0) return
    void finish({ is: 'ended', cancelled: 0, ...(course.verdict?.() ?? { status: 'completed' }) })
  }
  const finish = async (ended: EndedFact, ...before: Fact[]): Promise<void> => {
    if (isEnding) return
    isEnding = true
    end.abort(new EngineError('aborted', 'The job has ended.'))
    await add([...before, { ...ended, at: clock.now() }].map((fact) => ({ fact })))
    await close()
  }
  // Also while the job is ending: a store that does not take its end is not asked for ever.
  const close = (): Promise<void> => (closing ??= leaveAll())
  const leaveAll = async (): Promise<void> => {
    isEnding = true
    scheduler.leave(id)
    await writer.close()
    await record.close()
    over.resolve()
    seen.tell()
  }
  /** Somebody else writes the log, or the store is closed: what happens here counts no more. */
  const leave = async (error: unknown): Promise<void> => {
    if (!isSuperseded(error)) desk.warn('A job stops here; it goes on where it is taken up next.', error)
    end.abort(new EngineError('aborted', 'The job runs elsewhere now.'))
    await close()
  }
  lost.addEventListener('abort', () => void leave(undefined), { once: true })

  const follow = async (): Promise<void> => {
    const known = standing.tally.letters
    const letters = (await readLetters(store, id)).slice(known)
    if (letters.length === 0 || isEnding) return
    const answered: Fact = { is: 'answered', at: clock.now(), letters: known + letters.length }
    if (letters.some(({ asks }) => asks === 'cancel')) {
      await finish({ is: 'ended', status: 'cancelled', cancelled: course.left() }, answered)
      return
    }
    for (const letter of letters) if (letter.asks === 'more') course.more?.(letter.body)
    await add([{ fact: answered }])
  }
  const explore = async (): Promise<void> => {
    try {
      // What people have asked for meanwhile comes first: there may be more to do than the log says, or nothing.
      await follow()
      await course.explore()
    } catch (error) {
      if (end.signal.aborted) return
      const message = EngineError.is(error) ? error.message : 'Harvestman has a fault.'
      await finish({ is: 'ended', status: 'failed', cancelled: course.left(), message })
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
      scheduler.join({ id, team, concurrency: course.concurrency, delay: course.delay })
      record.save()
      void explore()
    },
    visit: (turn) => void desk.visit(turn, course, add).then(goOn),
    readLetters: follow,
    changed: seen.wait,
    over: over.promise,
    stop: async (reason) => {
      end.abort(reason)
      await close()
    },
  }
}

/** What a course is done with is told of when it is kept, and counts as left until then: so the sum stays the same. */
function leftOf({ tally }: Standing, course: Course, { pages }: Parts['keeper']): number {
  return tally.status === 'scraping' ? course.left() + pages : 0
}

function pagesIn(entries: readonly Entry[]): number {
  return entries.filter(({ fact }) => fact.is === 'page' || fact.is === 'failed').length
}

function kindOf({ kind }: Opening, { kinds }: JobKit): JobKind {
  const found = kinds.find(({ name }) => name === kind)
  if (found) return found
  throw new EngineError('not_configured', `This engine knows no jobs of the kind ${kind}.`)
}

/** Whether a job that has ended was asked to go on. One that was cancelled stays so. */
export async function asksForMore(store: Store, id: string, { status, letters }: Tally): Promise<boolean> {
  if (status !== 'completed') return false
  return (await readLetters(store, id)).slice(letters).some(({ asks }) => asks === 'more')
}
