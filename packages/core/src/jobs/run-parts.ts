import { EngineError } from '../errors/error.ts'
import type { Claim } from './claim.ts'
import type { Course, JobKind } from './course.ts'
import type { Entry, Opening } from './facts.ts'
import type { JobKit } from './kit.ts'
import { keepRecord, type KeptRecord } from './record.ts'
import { makeStanding, type Standing } from './standing.ts'
import { visitor, type Visitor } from './visitor.ts'
import { watchers, type Watchers } from './watchers.ts'

/** What a run is made of, before anything of the job is known. */
export interface Parts {
  readonly standing: Standing
  readonly record: KeptRecord
  readonly desk: Visitor
  readonly course: Course
  readonly seen: Watchers
  readonly end: AbortController
  /** How what happens is kept, once somebody writes; and how many pages are done and not kept yet. */
  readonly keeper: { add: (entries: readonly Entry[]) => Promise<void>; pages: number }
}

/** Opens them; nothing is read yet. */
export function openParts({ opening, drawer }: Claim, kit: JobKit): Parts {
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

/** What a course is done with is told of when it is kept, and counts as left until then: so the sum stays the same. */
export function leftOf({ tally }: Standing, course: Course, { pages }: Parts['keeper']): number {
  return tally.status === 'scraping' ? course.left() + pages : 0
}

export function pagesIn(entries: readonly Entry[]): number {
  return entries.filter(({ fact }) => fact.is === 'page' || fact.is === 'failed').length
}

function kindOf({ kind }: Opening, { kinds }: JobKit): JobKind {
  const found = kinds.find(({ name }) => name === kind)
  if (found) return found
  throw new EngineError('not_configured', `This engine knows no jobs of the kind ${kind}.`)
}
