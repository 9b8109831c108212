// Stores the state of pages at the last check that could read them.
import type { Json, Store } from '@harvestman/ports'
import { layout } from '@harvestman/core/plugin'

import { digestOf } from '../ids.ts'
import { monitorKeys } from '../keys.ts'

/** The state of a page after a check. */
export interface Baseline {
  /** Id of the check that stored it. */
  readonly check: string
  readonly scrapeId: string | null
  readonly isGone: boolean
  readonly value?: Json
}

/** Also has the previous baseline, for a check that must compare again because the store lost its pages. */
interface KeptBaseline extends Baseline {
  readonly before?: Baseline | undefined
}

interface Known {
  readonly check: string
  readonly now: readonly string[]
  /** The URLs known before that check. */
  readonly before: readonly string[]
}

const baselines = layout<KeptBaseline>(1, { check: 'text' })
const knowns = layout<Known>(1, { check: 'text', now: 'list', before: 'list' })

/** Maximum number of known pages per target. The oldest are dropped. */
const maxKnownPages = 20_000

/** State of the pages of one target, across checks. */
export interface Baselines {
  /** Returns the state of a page before this check. */
  before(check: string, url: string): Promise<Baseline | undefined>
  /** Stores the state of a page. Has no effect if this check already stored it. */
  keep(url: string, baseline: Baseline): Promise<void>
  /** Returns the URLs known before a check. */
  knownBefore(check: string): Promise<readonly string[]>
  /** Stores the URLs known after a check. Has no effect if this check already stored them. */
  know(check: string, urls: readonly string[]): Promise<void>
}

/**
 * Opens the stored states of the pages of one target, which its checks compare with. `life` is their TTL in milliseconds. A
 * check that is repeated gets the state from before its first run. Calls reject if the store fails or a record is damaged.
 */
export function openBaselines(store: Store, monitor: string, target: string, life: number): Baselines {
  const pageKey = (url: string): string => monitorKeys.page(digestOf(monitor, target, url))
  const knownKey = monitorKeys.known(digestOf(monitor, target))
  const readKnown = async (): Promise<Known | undefined> =>
    knowns.open('The pages of a monitor', await store.get(knownKey))
  return {
    before: async (check, url) => {
      const baseline = baselines.open('A page of a monitor', await store.get(pageKey(url)))
      return baseline?.check === check ? baseline.before : baseline
    },
    keep: async (url, baseline) => {
      const { check } = baseline
      await store.update(
        pageKey(url),
        (old) => {
          const known = baselines.open('A page of a monitor', old)
          if (known?.check === check) return old
          return baselines.seal({ ...baseline, before: known && withoutBefore(known) })
        },
        { ttl: life },
      )
    },
    knownBefore: async (check) => {
      const known = await readKnown()
      return known?.check === check ? known.before : (known?.now ?? [])
    },
    know: async (check, urls) => {
      await store.update(
        knownKey,
        (old) => {
          const known = knowns.open('The pages of a monitor', old)
          if (known?.check === check) return old
          return knowns.seal({ check, now: urls.slice(-maxKnownPages), before: known?.now ?? [] })
        },
        { ttl: life },
      )
    },
  }
}

function withoutBefore({ before: _before, ...baseline }: KeptBaseline): Baseline {
  return baseline
}
