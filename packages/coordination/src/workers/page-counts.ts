// Number of pages that each team is loading on the engines of a store.
import type { Store } from '@harvestman/ports'
import { coordinationKeys } from '../keys.ts'
import { heartbeat } from '../records/heartbeat.ts'
import { layout } from '../records/layout.ts'
import { listAll } from '../records/list-all.ts'
import { isOwnerGone } from '../records/owner.ts'

/** Pages that are loading now. */
export interface LoadingPages {
  /** Pages of jobs. */
  readonly ofJobs: number
  /** Pages and files of requests that are no jobs. */
  readonly single: number
}

/** Counts the loading pages of all engines on a store. */
export interface PageCounts {
  /** Returns the number of loading pages of a team. Counts from other engines are up to a second old. */
  of(team: string): Promise<LoadingPages>
  close(): Promise<void>
}

export interface PageCountsOptions {
  readonly store: Store
  /** The name of this engine. */
  readonly owner: string
  /** Returns the loading pages of this engine by team, without teams that load nothing. */
  readonly here: () => ReadonlyMap<string, LoadingPages>
}

interface Shown {
  readonly owner: string
  readonly teams: Readonly<Record<string, LoadingPages>>
}

const shownLayout = layout<Shown>(1, { owner: 'text', teams: 'record' })
/** Milliseconds between two updates of an engine, and lifetime of an update. */
const [showEvery, shownFor] = [1_000, 5_000]
const none: LoadingPages = { ofJobs: 0, single: 0 }

/**
 * Opens the counts, and publishes the counts of this engine while it loads pages. `of` adds up the pages of a team on
 * all engines, and rejects if the store fails.
 */
export function openPageCounts({ store, owner, here }: PageCountsOptions): PageCounts {
  const own = (team: string): LoadingPages => here().get(team) ?? none
  if (store.reach === 'process') return { of: async (team) => own(team), close: async () => undefined }
  // The last part of an engine's name is unique and random.
  const key = coordinationKeys.loading(owner.split('/').at(-1) ?? owner)
  let isShown = false
  const show = async (): Promise<void> => {
    const teams = Object.fromEntries(here())
    const isBusy = Object.keys(teams).length > 0
    if (isBusy) await store.set(key, shownLayout.seal({ owner, teams }), { ttl: shownFor })
    else if (isShown) await store.delete(key)
    isShown = isBusy
  }
  const stopBeating = heartbeat(show, showEvery)
  return {
    of: async (team) => {
      let { ofJobs, single } = own(team)
      for await (const entries of listAll(store, coordinationKeys.loading.begins)) {
        for (const entry of entries) {
          const shown =
            entry.key === key ? undefined : shownLayout.openWhole('The loading pages of an engine', entry.value)
          if (!shown || isOwnerGone(shown.owner) || !Object.hasOwn(shown.teams, team)) continue
          ofJobs += shown.teams[team]?.ofJobs ?? 0
          single += shown.teams[team]?.single ?? 0
        }
      }
      return { ofJobs, single }
    },
    close: async () => {
      stopBeating()
      if (isShown) await store.delete(key).catch(() => undefined)
    },
  }
}
