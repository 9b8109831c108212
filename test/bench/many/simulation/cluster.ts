// Many processes on one server, with faults, until all jobs have ended.
import { injectFaults, type FaultCounts, type FaultKind, type FaultTimes } from './faults.ts'
import { startProcess, type SimulatedProcess } from './process.ts'
import { goThroughOutages, watchProgress, type Outage, type OutageFinding } from './outages.ts'
import { simulateQueue } from './queue.ts'
import { checkLogs, type LogFindings } from './findings.ts'
import { cutOff, newLink, simulateServer, type SimulatedServer, type StoreCosts } from './server.ts'
import type { MadeUpWeb } from './web.ts'
import type { SimulatedTime } from './time.ts'
import type { StoreUse } from './uses.ts'
import { storeLedger } from '../../../../packages/coordination/src/credits/ledger.ts'

export interface ClusterPlan {
  readonly workers: number
  readonly slots: number
  /** Jobs at once for each process. */
  readonly jobsOfWorker: number
  /** Visits at once of a job; without it, as many as there is room for. */
  readonly maxConcurrency?: number
  /** Milliseconds of one core for a page, and of one that is lent beyond that: of its lender, and of its borrower. */
  readonly cpu: number
  readonly lentCpu: number
  /** Bytes of the document of a page. */
  readonly document?: number
  readonly store: StoreCosts
  readonly faults?: readonly FaultKind[]
  readonly faultTimes?: FaultTimes | undefined
  /** One after the other, at random moments. */
  readonly outages?: readonly Outage[]
  readonly seed?: number
  /** Jobs that visit the same site; one without it. */
  readonly jobsOfSite?: number | undefined
  /** Visits at once of a team, of all workers; without it, as many as there is room for. */
  readonly teamConcurrency?: number | undefined
  /** Sites whose jobs are of one team; a few without it, because what a team holds grows with its open jobs. */
  readonly sitesOfTeam?: number | undefined
  /** Teams have credits, which are set aside for pages and taken. */
  readonly isBound?: boolean
  /** Reads every log at its end, and looks whether each page is there once. */
  readonly isChecked?: boolean
  /** Is told of each tenth of the pages. */
  readonly progress?: (pages: number) => void
}

export interface ClusterFigures extends FaultCounts {
  readonly seconds: number
  /** Seconds until nine of ten pages were there: the last ones wait for the slowest hosts. */
  readonly mostlyDone: number
  readonly pages: number
  /** Visits beyond one for each page. */
  readonly again: number
  readonly calls: number
  /** Of them, those whose callers do not know what came of them. */
  readonly lostCalls: number
  readonly keys: number
  readonly bytes: number
  /** Shares of the time until nine of ten pages were there, between 0 and 1. */
  readonly storeBusy: number
  readonly coresBusy: number
  /** Of the worker that had most to do. */
  readonly busiestCore: number
  readonly slotsBusy: number
  /** Addresses that were known and not visited: in all, and those of them in the memory of a worker. */
  readonly mostKnown: number
  readonly mostWaiting: number
  /** Bytes of this process, with all workers in it, when memory was looked at. */
  readonly mostMemory: number
  /** Seconds in which jobs stood still because their worker was gone, in all; and how many there were. */
  readonly stood: number
  readonly standstills: number
  /** Jobs that were given up because they did nothing though they could. */
  readonly givenUp: number
  readonly outagesFound: readonly OutageFinding[]
  readonly logs: LogFindings
  /** Of all teams, what was taken and what is still held. */
  readonly credits: { readonly used: number; readonly held: number }
  readonly uses: readonly StoreUse[]
}

const request = {
  sitemap: 'skip',
  ignoreRobotsTxt: true,
  crawlEntireDomain: true,
  allowSubdomains: true,
  allowExternalLinks: false,
  ignoreQueryParameters: false,
  deduplicateSimilarURLs: true,
  regexOnFullURL: false,
  includePaths: [],
  excludePaths: [],
  scrapeOptions: { formats: [{ type: 'markdown' }], parsers: [], zeroDataRetention: false },
}
/** What is kept of a job goes when nobody writes it any more; in life, when its time is over. */
const keptFor = 180_000
/** Until what the last job has brought is written. */
const settlesWithin = 30_000
/** Jobs that have not ended by then never will. */
const longest = 86_400_000

// oxlint-disable-next-line max-lines-per-function -- one run, with what is counted in it
export async function simulateCluster(plan: ClusterPlan, web: MadeUpWeb, time: SimulatedTime): Promise<ClusterFigures> {
  const server = simulateServer(time, plan.store)
  const queue = simulateQueue(time, server, 5)
  const progress = watchProgress(time)
  const over = new Set<string>()
  /** Jobs without a worker, since when. */
  const orphans = new Map<string, number>()
  const workers: SimulatedProcess[] = []
  const logs = { pages: 0, twice: 0, failed: 0, ended: 0 }
  const lost = { stood: 0, standstills: 0, givenUp: 0, busy: 0 }
  const { sitesOfTeam = 10, jobsOfSite = 1 } = plan
  const todo = [...web.sites.entries()].flatMap((site) => Array.from({ length: jobsOfSite }, () => site))
  const jobs = todo.length
  let started = 0
  let read = 0

  const stood = (): void => void (lost.givenUp += 1)
  const loaded = (job: string): void => {
    if (!over.has(job)) progress.moved(job)
    const since = orphans.get(job)
    if (since === undefined) return
    orphans.delete(job)
    lost.stood += time.now() - since
    lost.standstills += 1
  }
  const settle = async (job: string): Promise<void> => {
    await time.sleep(keptFor)
    if (plan.isChecked) {
      const found = await checkLogs(server.kept, job)
      for (const key of ['pages', 'twice', 'failed', 'ended'] as const) logs[key] += found[key]
    }
    await server.forget(job)
    read += 1
  }
  const ended = (job: string): void => {
    if (over.has(job)) return
    over.add(job)
    progress.ended(job)
    orphans.delete(job)
    // It goes on when the worker that tells of it has ended.
    time.within(undefined, () => {
      void settle(job)
      void openNext()
    })
  }
  const start = (): SimulatedProcess => {
    const link = newLink()
    const { slots, cpu, lentCpu, document = 0, jobsOfWorker, teamConcurrency } = plan
    const name = `worker-${(started += 1)}`
    const tools = { time, web, store: server.connect(link), queue: queue.connect(link, jobsOfWorker) }
    return time.within(link, () =>
      startProcess({ name, ...tools, link, slots, cpu, lentCpu, document, teamConcurrency, stood, loaded, ended }),
    )
  }
  const startWorker = (): void => {
    const worker = start()
    workers.push(worker)
    void time.within(worker.link, () => workWhenItCan(worker, time))
  }
  const teamOf = (site: number): string => `team-${Math.floor(site / sitesOfTeam)}`
  const ledger = storeLedger(server.kept, time)
  const teams = new Set(todo.map(([site]) => teamOf(site)))
  if (plan.isBound)
    for (const team of teams) await ledger.grant({ team, credits: web.pages * jobsOfSite * 2, id: 'all' })
  const api = start()
  const openNext = async (): Promise<void> => {
    const next = todo.shift()
    if (!next) return
    const [site, url] = next
    const team = teamOf(site)
    const { maxConcurrency } = plan
    const body = { ...request, url, limit: 1_000_000, ...(maxConcurrency !== undefined && { maxConcurrency }) }
    for (;;) {
      try {
        await api.jobs.open({ kind: 'crawl', team, about: url, request: body, notes: [], left: 1, credits: 1 })
        return
      } catch {
        await time.sleep(1_000)
      }
    }
  }
  const killed = (victim: SimulatedProcess): void => {
    lost.busy += victim.busy
    for (const job of victim.worksOn) if (!over.has(job) && !orphans.has(job)) orphans.set(job, time.now())
  }
  const begin = time.now()
  const { faults: kinds = [], faultTimes: times } = plan
  const faults = injectFaults({ kinds, times, time, server, workers, killed, startWorker })
  const watch = watchCluster({ plan, web, time, server, workers, lost })
  for (let worker = 0; worker < plan.workers; worker += 1) startWorker()
  const atOnce = Math.min(plan.workers * plan.jobsOfWorker, jobs)
  for (let job = 0; job < atOnce; job += 1) void openNext()
  const { outages = [], seed = 1 } = plan
  let outagesFound: readonly OutageFinding[] = []
  const gone = goThroughOutages({ outages, seed, time, server, progress }).then((found) => (outagesFound = found))
  await time.run(() => over.size === jobs, longest)
  const seconds = (time.now() - begin) / 1000
  faults.stop()
  const [figures, { uses }] = [watch.stop(), server]
  await letPass(time, Promise.all([gone, time.sleep(settlesWithin)]))
  for (const { link } of [api, ...workers]) cutOff(link)
  await time.run(() => read === jobs, longest)
  const accounts = await Promise.all([...teams].map(ledger.account))
  const sumOf = (key: 'used' | 'held'): number => accounts.reduce((sum, account) => sum + account[key], 0)
  const credits = { used: sumOf('used'), held: sumOf('held') }
  server.close()
  const { standstills, givenUp } = lost
  const still = { stood: lost.stood / 1000, standstills, givenUp }
  return { seconds, ...web.given, ...figures, ...faults.counts, ...still, outagesFound, logs, credits, uses }
}

async function letPass(time: SimulatedTime, until: Promise<unknown>): Promise<void> {
  let isOver = false
  void until.then(() => (isOver = true))
  await time.run(() => isOver, longest)
}

/** A worker that cannot reach its server tries again. */
async function workWhenItCan({ jobs }: SimulatedProcess, time: SimulatedTime): Promise<void> {
  for (;;) {
    const works = await jobs.work().then(
      () => true,
      () => false,
    )
    if (works) return
    await time.sleep(1_000)
  }
}

interface WatchOptions {
  readonly plan: ClusterPlan
  readonly web: MadeUpWeb
  readonly time: SimulatedTime
  readonly server: SimulatedServer
  readonly workers: readonly SimulatedProcess[]
  /** Core time of workers that are gone, in milliseconds. */
  readonly lost: { readonly busy: number }
}

/** Looks at everything once a second. */
function watchCluster({ plan, web, time, server, workers, lost }: WatchOptions) {
  const begin = time.now()
  const most = { known: 0, waiting: 0, memory: 0 }
  const mostly = { seconds: 0, store: 0, cores: 0, busiest: 0, slots: 0 }
  let slots = 0
  let tenths = 0
  const sum = (of: (worker: SimulatedProcess) => number): number =>
    workers.reduce((total, worker) => total + of(worker), 0)
  const look = (): void => {
    const took = time.now() - begin
    slots += sum(({ running }) => running)
    most.known = Math.max(
      most.known,
      sum(({ known }) => known),
    )
    most.waiting = Math.max(
      most.waiting,
      sum(({ waiting }) => waiting),
    )
    const { pages } = web.given
    if (pages < web.reachable * 0.9) {
      mostly.seconds = took / 1000
      mostly.store = server.busy / took
      mostly.cores = (lost.busy + sum(({ busy }) => busy)) / took / plan.workers
      mostly.busiest = Math.max(...workers.map(({ busy }) => busy)) / took
      mostly.slots = slots / (took / 1000) / plan.workers / plan.slots
    }
    if (pages < (web.reachable / 10) * (tenths + 1)) return
    tenths += 1
    globalThis.gc?.()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    most.memory = Math.max(most.memory, heapUsed + arrayBuffers)
    plan.progress?.(pages)
  }
  const looking = setInterval(look, 1_000)
  return {
    stop: () => {
      clearInterval(looking)
      const { calls, keys, bytes, lost: lostCalls } = server
      const { store: storeBusy, cores: coresBusy, busiest: busiestCore, slots: slotsBusy } = mostly
      const busy = { storeBusy, coresBusy, busiestCore, slotsBusy }
      const counts = { mostKnown: most.known, mostWaiting: most.waiting, mostMemory: most.memory }
      return { mostlyDone: mostly.seconds, calls, lostCalls, keys, bytes, ...busy, ...counts }
    },
  }
}
