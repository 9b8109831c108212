// Determines how often each page of a target is checked: about as often as it changes.
import { getMany, layout } from '@harvestman/core/plugin'
import type { Store, Value } from '@harvestman/ports'

import { digestOf } from '../ids.ts'
import { monitorKeys } from '../keys.ts'

/** Change statistics of a page. */
interface Pace {
  /** Time of the first and of the last visit, in milliseconds since 1970. */
  readonly since: number
  readonly at: number
  /** Number of visits after the first, and how many of them found a change. */
  readonly looks: number
  readonly changes: number
  readonly scrapeId: string
}

interface KeptPace extends Pace {
  /** Id of the check that stored it, and the state before that check. */
  readonly check: string
  readonly before?: Pace | undefined
}

/** A page that is not due yet: when it was last visited, and the id of that scrape. */
export type RestingPage = Pick<Pace, 'at' | 'scrapeId'> & { readonly url: string }

/** A visit to a page. */
export interface NotedLook {
  readonly url: string
  readonly scrapeId: string
  readonly hasChanged: boolean
}

/** Visit statistics for the pages of one target, during one check. */
export interface Paces {
  /** Splits pages into due and resting ones. All engines that work on the check get the same result. */
  split(urls: readonly string[]): Promise<{ readonly due: readonly string[]; readonly resting: readonly RestingPage[] }>
  /** Records a visit. Has no effect if this check already recorded it. */
  note(look: NotedLook): Promise<void>
}

export interface PaceOptions {
  readonly monitor: string
  readonly target: string
  readonly check: string
  /** The scheduled time of the check. */
  readonly now: number
  /** Maximum time between two visits, in milliseconds. */
  readonly most: number
  readonly life: number
}

const paces = layout<KeptPace>(1, { check: 'text', scrapeId: 'text' })
const what = 'How often a page of a monitor changes'
const readAtOnce = 500

/**
 * Opens the revisit intervals of the pages of a target. `split` divides URLs into due pages and pages that need no visit yet;
 * an unknown page is due. Times are in milliseconds. Calls reject if the store fails or a record is damaged.
 */
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
        const values = await getMany(store, some.map(keyOf))
        for (const [place, url] of some.entries()) {
          const pace = before(values[place])
          // If the last visit lies in the future, the clock was ahead then. Such a page is due.
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
 * Returns the milliseconds until the next visit: twice the mean interval between changes, so that a page that never
 * changes is visited less and less often. The interval shrinks if most visits found a change, because such a page may
 * change more often than it is visited. At most `most`; 0 before the second visit.
 */
export function waitOf({ since, at, looks, changes }: Omit<Pace, 'scrapeId'>, most: number): number {
  if (looks === 0) return 0
  return Math.min(((2 * (at - since)) / (changes + 1)) * (1 - changes / looks), most)
}

function plain({ since, at, looks, changes, scrapeId }: Pace): Pace {
  return { since, at, looks, changes, scrapeId }
}
