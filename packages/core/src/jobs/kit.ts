import type { Backlog } from '@harvestman/webhooks'
import type { Lender } from '@harvestman/coordination'
import type { Ledger, Queue, Store } from '@harvestman/ports'
import type { Scheduler } from '@harvestman/schedule'
import type { ScrapeRequest } from '../schema/scrape.ts'
import type { Caller } from '../scrape/caller.ts'
import type { Kit } from '../scrape/kit.ts'
import type { Wants } from '../scrape/readings.ts'
import type { Scraped } from '../scrape/scraped.ts'
import type { JobRoom } from './job-room.ts'
import type { Opening } from './log/facts.ts'
import type { StorageKit } from './log/storage.ts'
import type { Tally } from './log/tally.ts'
import type { JobKind } from './run/strategy.ts'

/** Kit that jobs work with: the ports and parts of an engine. */
export interface JobKit extends StorageKit {
  readonly scrape: Kit
  /** Loads and reads one page. */
  readonly scrapePage: (request: ScrapeRequest, caller: Caller, wants: Wants) => Promise<Scraped>
  readonly ledger: Ledger
  /** The most that a page costs, as far as that is known before it is loaded. */
  readonly priceAtMost: (request: ScrapeRequest, wants: Wants) => number
  readonly store: Store
  /** The same, with writes in turns by team. */
  readonly storeOf: (team: string) => Store
  /** Bounds what jobs keep; absent where the store has the room. */
  readonly room?: JobRoom | undefined
  readonly queue: Queue
  /** True when starting a job also starts the work on all jobs. */
  readonly works: boolean
  readonly kinds: readonly JobKind[]
  /** The name of this engine among all that may work on the same jobs. */
  readonly owner: string
  readonly scheduler: Scheduler
  /** Asks the scheduler who may start; to be called whenever that may have changed. */
  readonly dispatch: () => void
  /** Lends what there is no place for here to other engines. */
  readonly lender: Lender
  /** Tells the operator of the engine; for a job, when one is given. */
  readonly warn: (message: string, cause?: unknown, job?: { readonly id: string; readonly team: string }) => void
  /** Tells that a job has ended here. */
  readonly hasEnded: (job: Opening, tally: Tally) => void
  /** Tells that a job held its lease here and did nothing, though it could have. */
  readonly stoodStill: (job: { readonly id: string; readonly team: string }) => void
  /** Tells that the store was put back to an earlier state and has lost some of a job; it continues from what is there. */
  readonly wentBack: (job: { readonly id: string; readonly team: string }) => void
  /** Tells of a job that was not over and not among the open ones, so that no worker would have looked for it. */
  readonly stranded: (job: { readonly id: string; readonly team: string }) => void
  /** Messages of webhooks that were not delivered yet. */
  readonly backlog: Backlog
  /** Sign what a team is sent; several while one is being replaced. */
  readonly webhookSecrets: (team: string) => readonly string[]
  /** Webhook of jobs that were given none; `{{JOB_ID}}` in it stands for the id of the job. */
  readonly webhook?: string | undefined
  /** Milliseconds that a job is kept. */
  readonly life: number
  /** Milliseconds after which a job whose engine is not heard of is taken up by another. */
  readonly leaseTime: number
}
