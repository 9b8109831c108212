// How often each page of a target is looked at: about as often as it changes.
import { getMany, layout } from '@harvestman/core/plugin'
import type { Store, Value } from '@harvestman/ports'

import { digestOf } from '../ids.ts'
import { monitorKeys } from '../keys.ts'

/** What the looks at a page have shown. */
interface Pace {
  /** When it was looked at first, and last. */
  readonly since: number
  readonly at: number
  /** Looks after the first, and those of them that found a change. */
  readonly looks: number
  readonly changes: number
  readonly scrapeId: string
}

interface KeptPace extends Pace {
  /** The check that has written it, and what stood here before that check. */
  readonly check: string
  readonly before?: Pace | undefined
}

/** A page that need not be looked at yet: when it was looked at last, and as what. */
export type RestingPage = Pick<Pace, 'at' | 'scrapeId'> & { readonly url: string }

/** A look at a page. */
export interface NotedLook {
  readonly url: string
  readonly scrapeId: string
  readonly hasChanged: boolean
}

/** The pages of one target in one check. */
export interface Paces {
  /** Which of them are to be looked at. The same for each engine that works on the check. */
  split(urls: readonly string[]): Promise<{ readonly due: readonly string[]; readonly resting: readonly RestingPage[] }>
  /** Doing so again for the same check changes nothing. */
  note(look: NotedLook): Promise<void>
}

export interface PaceOptions {
  readonly monitor: string
  readonly target: string
  readonly check: string
  /** The time that the check is for. */
  readonly now: number
  /** The longest time between two looks. */
  readonly most: number
  readonly life: number
}

const paces = layout<KeptPace>(1, { check: 'text', scrapeId: 'text' })
const what = 'How often a page of a monitor changes'
const readAtOnce = 500

export function openPaces(store: Store, { monitor, target, check, now, most, life }: PaceOptions): Paces {
  const keyOf = (url: string): string => monitorKeys.pace(digestOf(monitor, target, url))
  const before = (kept: Value | undefined): Pace | undefined => {
    const pace = paces.open(what, kept)
    return pace?.check === check ? pace.before : pace
  }
  return {
    split: async (urls) => {
      const due: string[] = []
      const resting: RestingPage[] = []
      for (let from = 0; from < urls.length; from += readAtOnce) {
        const some = urls.slice(from, from + readAtOnce)
        const kept = await getMany(store, some.map(keyOf))
        for (const [place, url] of some.entries()) {
          const pace = before(kept[place])
          // A page that was visited while the clock was ahead is due.
          if (pace && pace.at <= now && now - pace.at < waitOf(pace, most))
            resting.push({ url, at: pace.at, scrapeId: pace.scrapeId })
          else due.push(url)
        }
      }
      return { due, resting }
    },
    note: async ({ url, scrapeId, hasChanged }) => {
      const step = (old: Pace | undefined): Pace => ({
        ...{ at: now, scrapeId, since: old?.since ?? now },
        looks: old ? old.looks + 1 : 0,
        changes: (old?.changes ?? 0) + (old && hasChanged ? 1 : 0),
      })
      await store.update(
        keyOf(url),
        (old) => {
          const pace = paces.open(what, old)
          return pace?.check === check ? old : paces.seal({ ...step(pace), check, before: pace && plain(pace) })
        },
        { ttl: life },
      )
    },
  }
}

/**
 * Twice the mean time between its changes so far: a page that never changed is looked at ever less often. Less than that when
 * many looks have found a change: a page that has changed at each look may change more often than it is looked at.
 */
export function waitOf({ since, at, looks, changes }: Omit<Pace, 'scrapeId'>, most: number): number {
  if (looks === 0) return 0
  return Math.min(((2 * (at - since)) / (changes + 1)) * (1 - changes / looks), most)
}

function plain({ since, at, looks, changes, scrapeId }: Pace): Pace {
  return { since, at, looks, changes, scrapeId }
}
