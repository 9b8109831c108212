// What goes wrong, and how often; each kind alone or all at once.
import { randomFrom } from './chance.ts'
import { cutOff } from './server.ts'
import type { SimulatedProcess } from './process.ts'
import type { SimulatedServer } from './server.ts'
import type { SimulatedTime } from './time.ts'

export const faultKinds = ['workers killed', 'server restarted', 'workers cut off', 'slow hosts'] as const
export type FaultKind = (typeof faultKinds)[number]

/** How often, and for how long, in milliseconds. Slow hosts are slow from the beginning. */
export const usualTimes = {
  killEvery: 10_000,
  startsIn: 5_000,
  cutEvery: 20_000,
  cutFor: 20_000,
  outageEvery: 45_000,
  outageFor: 5_000,
}

export type FaultTimes = typeof usualTimes

export interface FaultOptions {
  readonly kinds: readonly FaultKind[]
  readonly times?: FaultTimes | undefined
  readonly time: SimulatedTime
  readonly server: SimulatedServer
  /** Those that run: one that is killed is taken out. */
  readonly workers: SimulatedProcess[]
  /** A worker was killed. */
  readonly killed: (victim: SimulatedProcess) => void
  readonly startWorker: () => void
}

export interface FaultCounts {
  readonly kills: number
  readonly cuts: number
  readonly outages: number
}

/** Gives what has gone wrong so far, and the end of it. */
export function injectFaults(options: FaultOptions): { readonly counts: FaultCounts; readonly stop: () => void } {
  const { kinds, times = usualTimes, time, server, workers, killed, startWorker } = options
  const random = randomFrom(3)
  const counts = { kills: 0, cuts: 0, outages: 0 }
  const pick = (): number => Math.floor(random() * workers.length)
  const kill = (): void => {
    const [victim] = workers.splice(pick(), 1)
    if (!victim) return
    counts.kills += 1
    cutOff(victim.link)
    killed(victim)
    void time.sleep(times.startsIn).then(startWorker)
  }
  const cut = async (): Promise<void> => {
    const link = workers[pick()]?.link
    if (!link) return
    counts.cuts += 1
    link.isCut = true
    await time.sleep(times.cutFor)
    link.isCut = false
  }
  const restart = async (): Promise<void> => {
    counts.outages += 1
    server.goAway('kill')
    await time.sleep(times.outageFor)
    server.comeBack()
  }
  const timers = [
    kinds.includes('workers killed') && setInterval(kill, times.killEvery),
    kinds.includes('workers cut off') && setInterval(() => void cut(), times.cutEvery),
    kinds.includes('server restarted') && setInterval(() => void restart(), times.outageEvery),
  ]
  return { counts, stop: () => timers.forEach((timer) => timer && clearInterval(timer)) }
}
