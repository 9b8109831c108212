// What holds up everybody, whatever they do: waits for a core of each thread, and of a client that only asks the server
// whether it is there. What someone stood still for beyond that is of his own making.
import { readdirSync, readFileSync } from 'node:fs'

const looksEvery = 250

export interface HeldUp {
  /** The most that one thread of the processes wanted a core and had none in that time, in milliseconds. */
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
  const samples: { readonly at: number; readonly of: ReadonlyMap<string, number> }[] = []
  const pings: { readonly asked: number; readonly answered: number }[] = []
  const over = new AbortController()
  const sample = (): void => {
    samples.push({ at: performance.now(), of: new Map(pids().flatMap(waitsOf)) })
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
      const cores = [...(last?.of ?? [])].map(([thread, waited]) => waited - (first?.of.get(thread) ?? 0))
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

/** For each thread of a process, the milliseconds in which it wanted a core and had none. */
function waitsOf(pid: number): readonly (readonly [thread: string, waited: number])[] {
  const threads = ifThere(() => readdirSync(`/proc/${pid}/task`)) ?? []
  return threads.flatMap((thread) => {
    const times = ifThere(() => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'))
    return times === undefined ? [] : [[thread, Number(times.split(' ')[1]) / 1e6]]
  })
}

/** A process or a thread may end while it is looked at. */
function ifThere<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}
