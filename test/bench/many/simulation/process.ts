// One process that works on jobs: the scheduler, the supervisor, leases, logs, checkpoints, frontier and ledger that ship.
// What is simulated is the network, the processor and the server of the store.
import { randomUUID } from 'node:crypto'

import type { Queue, Store } from '@harvestman/ports'

import { storeLedger } from '../../../../packages/coordination/src/credits/ledger.ts'
import { crawlKind } from '../../../../packages/core/src/crawl/crawl.ts'
import { makeDispatcher } from '../../../../packages/schedule/src/dispatcher.ts'
import { makeJobs, type Jobs } from '../../../../packages/core/src/jobs/jobs.ts'
import type { JobKit } from '../../../../packages/core/src/jobs/kit.ts'
import { defaultManners } from '../../../../packages/schedule/src/politeness.ts'
import { makeScheduler } from '../../../../packages/schedule/src/scheduler.ts'
import { openHelpers, type Helpers } from '../../../../packages/coordination/src/loans/owner.ts'
import { sharedRests } from '../../../../packages/coordination/src/hosts/shared-rests.ts'
import { makeWorkWrappers } from '../../../../packages/core/src/scrape/work-wrappers.ts'
import type { Kit } from '../../../../packages/core/src/scrape/kit.ts'
import type { Scraped } from '../../../../packages/core/src/scrape/scraped.ts'
import { openPermits } from '../../../../packages/coordination/src/permits/permits.ts'
import { makeBacklog } from '../../../../packages/webhooks/src/backlog.ts'
import { countedScheduler } from './counted-scheduler.ts'
import type { Link } from './server.ts'
import type { SimulatedTime } from './time.ts'
import type { MadeUpWeb } from './web.ts'

export interface ProcessOptions {
  readonly name: string
  readonly time: SimulatedTime
  readonly web: MadeUpWeb
  readonly store: Store
  readonly queue: Queue
  readonly link: Link
  /** Pages at once. */
  readonly slots: number
  /** Milliseconds of one core for a page, and of one that is lent beyond that: of its lender, and of its borrower. */
  readonly cpu: number
  readonly lentCpu: number
  /** Bytes of the document of a page. */
  readonly document: number
  /** Visits at once of a team, of all processes. */
  readonly teamConcurrency?: number | undefined
  /** A job was given up because it did nothing though it could. */
  readonly stood: () => void
  /** A page was loaded. */
  readonly loaded: (job: string, url: string) => void
  /** A job has nothing left to do. */
  readonly ended: (job: string) => void
}

export interface SimulatedProcess {
  readonly jobs: Jobs
  readonly link: Link
  readonly running: number
  /** Addresses that are known to its jobs and not visited, and those of them that are in memory. */
  readonly known: number
  readonly waiting: number
  /** Milliseconds in which its core had something to do. */
  readonly busy: number
  /** The jobs that it has. */
  readonly worksOn: ReadonlySet<string>
}

const leaseTime = 15_000
const life = 86_400_000
export function startProcess(options: ProcessOptions): SimulatedProcess {
  const { name, time, web, store, queue, link, slots, cpu, lentCpu, document } = options
  const { stood, loaded, ended } = options
  const { teamConcurrency = Infinity } = options
  const { clock } = time
  const owner = `${name}/0/0/${name}`
  const worksOn = new Set<string>()
  const known = new Map<string, () => number>()
  let [busy, free] = [0, 0]
  const onRest = (host: string, rest: number): void => scheduler.rest(host, rest)
  const rests = sharedRests({ store, clock, longest: defaultManners.maxRest, onRest })
  const permits = openPermits({ store, clock, engine: name, leaseTime })
  const woken = (): void => dispatcher.dispatch()
  const others = openHelpers({ store, queue, clock, owner, leaseTime, woken })
  const { scheduler, counts } = countedScheduler(
    makeScheduler({
      ...{ now: time.now, slots, rested: rests.tell, permits, woken, others },
      teamConcurrency: () => teamConcurrency,
    }),
  )
  const dispatcher = makeDispatcher(scheduler, clock, (turn) => {
    if (!link.isDead) jobs.start(turn)
  })
  const useCore = async (ms: number): Promise<void> => {
    busy += ms
    free = Math.max(free, time.now()) + ms
    await time.sleep(free - time.now())
  }
  const lender: Helpers = {
    ...others,
    run: async (group, piece, signal) => {
      const lent = await others.run(group, piece, signal)
      if (link.isDead) return new Promise(() => undefined)
      if ('value' in lent) await useCore(lentCpu)
      return lent
    },
  }
  const scrapePage: JobKit['scrapePage'] = async ({ url }, { id, group = '', hold }) => {
    const page = await web.visit(url, time.sleep)
    if (link.isDead) return new Promise(() => undefined)
    await useCore(worksOn.has(group) ? cpu : cpu + lentCpu)
    loaded(group, url)
    await hold?.reserve(1)
    await hold?.settle(1)
    // What it says is not made: its bytes are charged where the log is written.
    link.owed += document
    const { status, headers, latency, links } = page
    const metadata = { sourceURL: url, url, statusCode: status, scrapeId: id, proxyUsed: 'basic', creditsUsed: 1 }
    const visit = { page: { url, status, headers, latency }, at: clock.now() }
    return { document: { markdown: '', metadata }, visit, values: { 'page.allLinks': links } } as unknown as Scraped
  }
  const [schema, site] = [{}, {}] as unknown as Parameters<typeof crawlKind>
  const crawls = crawlKind(schema, site)
  const kit: JobKit = {
    scrape: { newId: randomUUID, around: makeWorkWrappers() } as unknown as Kit,
    scrapePage,
    ledger: storeLedger(store, { clock }),
    priceAtMost: () => 1,
    store,
    storeOf: () => store,
    vault: undefined,
    queue,
    wentBack: () => undefined,
    stranded: () => undefined,
    works: false,
    clock,
    kinds: [
      {
        ...crawls,
        open: async (opening, context) => {
          const strategy = await crawls.open(opening, context)
          worksOn.add(opening.id)
          known.set(opening.id, () => strategy.left())
          context.signal.addEventListener('abort', () => known.delete(opening.id), { once: true })
          const verdict = (): ReturnType<NonNullable<typeof strategy.verdict>> => {
            worksOn.delete(opening.id)
            ended(opening.id)
            return strategy.verdict?.() ?? { status: 'completed' }
          }
          return { ...strategy, left: () => strategy.left(), verdict }
        },
      },
    ],
    owner,
    scheduler,
    dispatch: () => dispatcher.dispatch(),
    helpers: lender,
    warn: () => undefined,
    hasEnded: () => undefined,
    stalled: stood,
    backlog: makeBacklog(),
    webhookSecrets: () => [],
    life,
    leaseTime,
  }
  const jobs = makeJobs(kit)
  rests.begin()
  return {
    jobs,
    link,
    worksOn,
    get running() {
      return scheduler.taken
    },
    get known() {
      return [...known.values()].reduce((sum, left) => sum + left(), 0)
    },
    get waiting() {
      return counts.waiting
    },
    get busy() {
      return busy
    },
  }
}
