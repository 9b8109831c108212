// What holds up everybody, whatever they do: waits for a core of each process, and of a client that only asks the server
// whether it is there. What someone stood still for beyond that is of his own making.
import { readFileSync } from 'node:fs'

const looksEvery = 250

export interface HeldUp {
  /** The most that one of the processes wanted a core and had none in that time, in milliseconds. */
  readonly core: number
  /** The longest that a client who only pings waited for an answer that came in that time, in milliseconds. */
  readonly ping: number
}

export interface Waits {
  /** Between two moments of `performance.now()`. */
  between(from: number, to: number): HeldUp
  stop(): void
}

export interface WaitsOptions {
  readonly pids: () => readonly number[]
  /** Resolves when the server has answered. */
  readonly ping: () => Promise<unknown>
}

export function watchWaits({ pids, ping }: WaitsOptions): Waits {
  const samples: { readonly at: number; readonly of: ReadonlyMap<number, number> }[] = []
  const pings: { readonly asked: number; readonly answered: number }[] = []
  const over = new AbortController()
  const sample = (): void => {
    samples.push({ at: performance.now(), of: new Map(pids().map((pid) => [pid, waitedOf(pid)])) })
  }
  const timer = setInterval(sample, looksEvery)
  const goOnPinging = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const asked = performance.now()
      const isThere = await ping().then(
        () => true,
        () => false,
      )
      if (isThere) pings.push({ asked, answered: performance.now() })
      await new Promise((resolve) => setTimeout(resolve, looksEvery))
    }
  }
  void goOnPinging()
  return {
    between: (from, to) => {
      sample()
      const first = samples.findLast(({ at }) => at <= from) ?? samples[0]
      const last = samples.find(({ at }) => at >= to) ?? samples.at(-1)
      const cores = [...(last?.of ?? [])].map(([pid, waited]) => waited - (first?.of.get(pid) ?? waited))
      // What it waited for while the server was away is not counted.
      const answers = pings
        .filter(({ asked, answered }) => answered >= from && asked <= to)
        .map(({ asked, answered }) => answered - Math.max(asked, from))
      return { core: Math.max(0, ...cores), ping: Math.max(0, ...answers) }
    },
    stop: () => {
      over.abort()
      clearInterval(timer)
    },
  }
}

/** Milliseconds in which the main thread of a process wanted a core and had none. */
function waitedOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}
