// Measures the steps of the main thread by its CPU time, which does not grow while other processes have the core.
import { existsSync, readFileSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'

export interface Steps {
  /** The longest time between two timers, and the longest CPU time of this thread in it, in milliseconds. */
  readonly wall: number
  readonly cpu: number
  /** The same for 99.9 % of all. */
  readonly wall999: number
  readonly cpu999: number
  /** The longest time in a step for which the thread was ready and had no core, in milliseconds. 0 where it is not known. */
  readonly waited: number
  /** The functions that ran in the longest steps, with their CPU time. */
  readonly longest: readonly string[]
}

interface Step {
  readonly from: number
  readonly to: number
  readonly cpu: number
  readonly waited: number
}

const counts = '/proc/self/schedstat'
const hasCounts = existsSync(counts)
const interval = 5
const reported = 20

/** Starts to measure. The returned function ends it. With `profile`, it also names the longest steps. */
export async function measureSteps(profile: boolean): Promise<() => Promise<Steps>> {
  const session = new Session()
  if (profile) {
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: 500 })
    await session.post('Profiler.start')
  }
  const steps: Step[] = []
  let from = now()
  let cpu = threadCpu()
  let waited = waitedForCore()
  const timer = setInterval(() => {
    const [to, used, waitedUntil] = [now(), threadCpu(), waitedForCore()]
    steps.push({ from, to, cpu: used - cpu, waited: waitedUntil - waited })
    ;[from, cpu, waited] = [to, used, waitedUntil]
  }, interval)
  return async () => {
    clearInterval(timer)
    const walls = steps.map((step) => Math.max(0, step.to - step.from - interval)).toSorted((a, b) => a - b)
    const cpus = steps.map((step) => step.cpu).toSorted((a, b) => a - b)
    const at = (values: readonly number[], part: number): number =>
      Math.round((values[Math.ceil(values.length * part) - 1] ?? 0) * 10) / 10
    const waits = steps.map((step) => step.waited).toSorted((a, b) => a - b)
    const longest = steps.toSorted((a, b) => b.cpu - a.cpu).slice(0, reported)
    return {
      wall: at(walls, 1),
      cpu: at(cpus, 1),
      wall999: at(walls, 0.999),
      cpu999: at(cpus, 0.999),
      waited: at(waits, 1),
      longest: profile ? namesOf((await session.post('Profiler.stop')).profile, longest) : [],
    }
  }
}

function now(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

function threadCpu(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1e3
}

/** Returns for how many milliseconds the main thread was ready and had no core, which most Linux kernels count; elsewhere 0. */
function waitedForCore(): number {
  if (!hasCounts) return 0
  return Number(readFileSync(counts, 'utf8').split(' ')[1]) / 1e6
}

/** For each step, the three stacks that most samples have. */
function namesOf(
  { nodes, samples = [], timeDeltas = [], startTime }: Profiler.Profile,
  steps: readonly Step[],
): string[] {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
      id,
      `${functionName || '(anonymous)'} ${url.split('/').slice(-2).join('/')}:${lineNumber + 1}`,
    ]),
  )
  const stackOf = (id: number | undefined): string[] =>
    id === undefined ? [] : [names.get(id) ?? '', ...stackOf(parents.get(id))]
  const times: number[] = []
  let time = startTime / 1e3
  for (const delta of timeDeltas) times.push((time += delta / 1e3))
  return steps.map(({ from, to, cpu, waited }) => {
    const counts = new Map<number, number>()
    times.forEach((sample, index) => {
      const id = samples[index]
      if (id !== undefined && sample >= from && sample <= to) counts.set(id, (counts.get(id) ?? 0) + 1)
    })
    const top = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, 3)
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const lines = top.map(
      ([id, count]) => `  ${Math.round((count / total) * 100)} % ${stackOf(id).slice(0, 12).join(' < ')}`,
    )
    const wait = waited >= 1 ? ` and ${waited.toFixed(1)} ms without a core` : ''
    return [`${cpu.toFixed(1)} ms CPU${wait} of ${(to - from).toFixed(1)} ms`, ...lines].join('\n')
  })
}
