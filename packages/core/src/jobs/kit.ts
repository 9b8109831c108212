import type { Backlog } from '@harvestman/webhooks'
import type { Helpers } from '@harvestman/coordination'
import type { Ledger, Queue, Store } from '@harvestman/ports'
import type { Scheduler } from '@harvestman/schedule'
import type { ScrapeRequest } from '../schema/scrape.ts'
import type { Caller } from '../scrape/caller.ts'
import type { Kit } from '../scrape/kit.ts'
import type { Wants } from '../scrape/readings.ts'
import type { Scraped } from '../scrape/scraped.ts'
import type { JobMemory } from './job-memory.ts'
import type { Opening } from './log/facts.ts'
import type { StorageKit } from './log/storage.ts'
import type { Tally } from './log/tally.ts'
import type { JobKind } from './run/strategy.ts'

/** Dependencies of jobs: the ports and parts of an engine. */
export interface JobKit extends StorageKit {
  readonly scrape: Kit
  /** Loads one page and makes its document. */
  readonly scrapePage: (request: ScrapeRequest, caller: Caller, wants: Wants) => Promise<Scraped>
  readonly ledger: Ledger
  /** Returns the maximum price of a page, as far as it is known before loading. */
  readonly priceAtMost: (request: ScrapeRequest, wants: Wants) => number
  readonly store: Store
  /** Returns a view of the store that queues writes fairly by team. */
  readonly storeOf: (team: string) => Store
  /** Memory limit for jobs; absent if they are not stored in memory. */
  readonly room?: JobMemory | undefined
  readonly queue: Queue
  /** If true, opening or reading a job also starts the worker. */
  readonly works: boolean
  readonly kinds: readonly JobKind[]
  /** Id of this engine, unique among the engines that share the store. */
  readonly owner: string
  readonly scheduler: Scheduler
  /** Asks the scheduler for the next visits. Call it whenever one may have become possible. */
  readonly dispatch: () => void
  /** Hands pages to other engines when this one has no free slot. */
  readonly helpers: Helpers
  /** Logs a warning for the operator, optionally about a job. */
  readonly warn: (message: string, cause?: unknown, job?: { readonly id: string; readonly team: string }) => void
  /** Called when a job has ended in this engine. */
  readonly hasEnded: (job: Opening, tally: Tally) => void
  /** Called when a job held its lease here without progress, although it could have continued. */
  readonly stalled: (job: { readonly id: string; readonly team: string }) => void
  /** Called when the store went back to an earlier state and lost part of a job. The job continues from that state. */
  readonly wentBack: (job: { readonly id: string; readonly team: string }) => void
  /** Called for an unfinished job that was missing from the index of open jobs, so that no worker would have found it. */
  readonly stranded: (job: { readonly id: string; readonly team: string }) => void
  /** Undelivered webhook messages. */
  readonly backlog: Backlog
  /** Returns the keys that sign a team's webhook messages. Several while a key is being rotated. */
  readonly webhookSecrets: (team: string) => readonly string[]
  /** Default webhook of jobs; `{{JOB_ID}}` in it is replaced by the id of the job. */
  readonly webhook?: string | undefined
  /** Milliseconds after which a job expires. */
  readonly life: number
  /** Milliseconds after which another engine takes over the jobs of a silent engine. */
  readonly leaseTime: number
}
