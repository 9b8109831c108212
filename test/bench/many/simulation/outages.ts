// The server of the store goes away and comes back, one outage after the other, and how long each job stood still then.
import { randomFrom } from './chance.ts'
import type { OutageWay, SimulatedServer } from './server.ts'
import type { SimulatedTime } from './time.ts'

export interface Outage {
  readonly way: OutageWay
  readonly seconds: number
}

export interface OutageFinding extends Outage {
  /** Jobs that were at work when the server came back. */
  readonly jobs: number
  /** Of the job that stood longest once the server was back, in milliseconds. */
  readonly stood: number
}

/** As long as an engine could be taken for dead after it. */
const looksFor = 20_000
const restsFor = { least: 2_000, more: 5_000 }

/** When jobs have done something, and for how long they did not, since that is looked at. */
export function watchProgress(time: SimulatedTime) {
  const jobs = new Map<string, number>()
  let looked = { jobs: 0, stood: 0 }
  const moved = (job: string): void => {
    const before = jobs.get(job)
    if (before !== undefined) looked.stood = Math.max(looked.stood, time.now() - before)
    jobs.set(job, time.now())
  }
  return {
    moved,
    ended: (job: string): void => {
      moved(job)
      jobs.delete(job)
    },
    /** From now on. */
    look: (): void => {
      looked = { jobs: jobs.size, stood: 0 }
      for (const job of jobs.keys()) jobs.set(job, time.now())
    },
    /** Until now. */
    found: () => {
      for (const job of jobs.keys()) moved(job)
      return looked
    },
  }
}

export interface OutagesOptions {
  readonly outages: readonly Outage[]
  readonly seed: number
  readonly time: SimulatedTime
  readonly server: SimulatedServer
  readonly progress: ReturnType<typeof watchProgress>
}

/** Has them happen at random moments. */
export async function goThroughOutages(options: OutagesOptions): Promise<readonly OutageFinding[]> {
  const { outages, seed, time, server, progress } = options
  const random = randomFrom(seed)
  const findings: OutageFinding[] = []
  for (const { way, seconds } of outages) {
    await time.sleep(restsFor.least + random() * restsFor.more)
    // What is under way is what an outage may do harm to.
    while (server.underWay === 0) await time.sleep(1)
    server.goAway(way)
    await time.sleep(seconds * 1_000)
    server.comeBack()
    progress.look()
    await time.sleep(looksFor)
    findings.push({ way, seconds, ...progress.found() })
  }
  return findings
}
