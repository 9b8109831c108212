// Many processes on one server, with faults, until all jobs have ended.
import { startProcess, type SimulatedProcess } from './process.ts'
import { simulateQueue, simulateServer, type Link, type StoreCosts } from './servers.ts'
import { randomFrom, type MadeUpWeb } from './web.ts'
import type { SimulatedTime } from './time.ts'

export interface ClusterPlan {
  readonly workers: number
  readonly slots: number
  /** Jobs at once for each process. */
  readonly jobsOfWorker: number
  /** Visits at once of a job; without it, as many as there is room for. */
  readonly maxConcurrency?: number
  /** Milliseconds of one core for a page. */
  readonly cpu: number
  readonly store: StoreCosts
  readonly hasFaults: boolean
}

export interface ClusterFigures {
  readonly seconds: number
  /** Seconds until nine of ten pages were there: the last ones wait for the slowest hosts. */
  readonly mostlyDone: number
  readonly pages: number
  /** Visits beyond one for each page. */
  readonly again: number
  readonly calls: number
  readonly bytes: number
  /** Shares of the time, between 0 and 1. */
  readonly storeBusy: number
  readonly coresBusy: number
  readonly slotsBusy: number
  readonly mostWaiting: number
  readonly mostHeap: number
  readonly kills: number
  readonly cuts: number
  readonly outages: number
  /** Seconds in which jobs stood still because their worker was gone, in all and for each. */
  readonly stood: number
  readonly standstills: number
}

const team = 'team'
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
  scrapeOptions: { formats: [{ type: 'markdown' }] },
}
const faults = {
  killEvery: 30_000,
  startsIn: 5_000,
  cutEvery: 45_000,
  cutFor: 20_000,
  outageEvery: 120_000,
  outageFor: 5_000,
}

// oxlint-disable-next-line max-lines-per-function -- one run, with what is counted in it
export async function simulateCluster(plan: ClusterPlan, web: MadeUpWeb, time: SimulatedTime): Promise<ClusterFigures> {
  const server = simulateServer(time, plan.store)
  const queue = simulateQueue(time, 5)
  const random = randomFrom(3)
  const count = { kills: 0, cuts: 0, outages: 0, stood: 0, standstills: 0, slots: 0, samples: 0 }
  const most = { waiting: 0, heap: 0 }
  const over = new Set<string>()
  /** Jobs without a worker, since when. */
  const orphans = new Map<string, number>()
  const workers: SimulatedProcess[] = []
  const gone: SimulatedProcess[] = []
  const todo = [...web.sites]
  let started = 0

  const loaded = (job: string): void => {
    const since = orphans.get(job)
    if (since === undefined) return
    orphans.delete(job)
    count.stood += time.now() - since
    count.standstills += 1
  }
  const ended = (job: string): void => {
    if (over.has(job)) return
    over.add(job)
    orphans.delete(job)
    // Its segments go when its life is over; here, when nobody writes them any more.
    void time.sleep(60_000).then(() => server.forget(job))
    void openNext()
  }
  const start = (): SimulatedProcess => {
    const link: Link = { isDead: false, isCut: false }
    const { slots, cpu, jobsOfWorker } = plan
    const name = `worker-${(started += 1)}`
    const tools = { time, web, store: server.connect(link), queue: queue.connect(link, jobsOfWorker) }
    return startProcess({ name, ...tools, link, slots, cpu, loaded, ended })
  }
  const work = async (): Promise<void> => {
    const worker = start()
    workers.push(worker)
    while (!worker.link.isDead) {
      const works = await worker.jobs.work().then(
        () => true,
        () => false,
      )
      if (works) return
      await time.sleep(1_000)
    }
  }
  const api = start()
  const openNext = async (): Promise<void> => {
    const url = todo.shift()
    if (url === undefined) return
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
  const kill = (): void => {
    const victim = workers.splice(Math.floor(random() * workers.length), 1)[0]
    if (!victim) return
    count.kills += 1
    victim.link.isDead = true
    gone.push(victim)
    for (const job of victim.worksOn) if (!over.has(job) && !orphans.has(job)) orphans.set(job, time.now())
    void time.sleep(faults.startsIn).then(work)
  }
  const cut = async (): Promise<void> => {
    const link = workers[Math.floor(random() * workers.length)]?.link
    if (!link) return
    count.cuts += 1
    link.isCut = true
    await time.sleep(faults.cutFor)
    link.isCut = false
  }
  const outage = async (): Promise<void> => {
    count.outages += 1
    server.isAway = true
    await time.sleep(faults.outageFor)
    server.isAway = false
  }
  const faulty = plan.hasFaults
    ? [
        setInterval(kill, faults.killEvery),
        setInterval(() => void cut(), faults.cutEvery),
        setInterval(() => void outage(), faults.outageEvery),
      ]
    : []
  const begin = time.now()
  let mostlyDone = 0
  const sampling = setInterval(() => {
    count.samples += 1
    if (web.given.pages < web.pages * 0.9) mostlyDone = time.now() - begin
    count.slots += workers.reduce((sum, { running }) => sum + running, 0)
    most.waiting = Math.max(
      most.waiting,
      workers.reduce((sum, { waiting }) => sum + waiting, 0),
    )
    most.heap = Math.max(most.heap, process.memoryUsage().heapUsed)
  }, 1_000)
  for (let worker = 0; worker < plan.workers; worker += 1) void work()
  const atOnce = Math.min(plan.workers * plan.jobsOfWorker, todo.length)
  for (let job = 0; job < atOnce; job += 1) void openNext()
  await time.run(() => over.size === web.sites.length)
  const took = time.now() - begin
  ;[...faulty, sampling].forEach(clearInterval)
  for (const { link } of [api, ...workers]) link.isDead = true
  const cores = [...workers, ...gone].reduce((sum, { busy }) => sum + busy, 0)
  return {
    seconds: took / 1000,
    mostlyDone: mostlyDone / 1000,
    ...web.given,
    calls: server.calls,
    bytes: server.bytes,
    storeBusy: server.busy / took,
    coresBusy: cores / took / plan.workers,
    slotsBusy: count.slots / Math.max(count.samples, 1) / plan.workers / plan.slots,
    mostWaiting: most.waiting,
    mostHeap: most.heap,
    ...{ kills: count.kills, cuts: count.cuts, outages: count.outages },
    stood: count.stood / 1000,
    standstills: count.standstills,
  }
}
