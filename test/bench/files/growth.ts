// Reads files of growing size: node test/bench/files/growth.ts [part of a name]
// Twice the input must take at most 2.3 times the CPU time. Ends with 1 if a reader takes more.
import { convertFile } from '../../../packages/documents/src/convert.ts'
import { defaultLimits } from '../../../packages/documents/src/limits.ts'
import { growing, type Growing } from './growing.ts'

const maxGrowth = 2.3
// Times below are mostly those of the garbage collector and the compiler.
const least = 150
const maxBytes = 8_000_000
// Slower files are read once.
const slow = 2_000
const only = process.argv[2] ?? ''

interface Timed {
  /** The best of the runs, in milliseconds. */
  readonly ms: number
  readonly isRead: boolean
}

/** Measures the CPU time of this thread for reading the file. */
async function timeOf({ kind, make }: Growing, count: number, runs: number): Promise<Timed> {
  const bytes = make(count)
  let best = Infinity
  let isRead = false
  for (let run = 0; run < runs && (run === 0 || best < slow); run++) {
    const before = process.threadCpuUsage()
    isRead = await convertFile({ bytes, kind, limits: defaultLimits }).then(
      () => true,
      () => false,
    )
    const { user, system } = process.threadCpuUsage(before)
    best = Math.min(best, (user + system) / 1e3)
  }
  return { ms: best, isRead }
}

interface Growth {
  readonly name: string
  readonly kind: string
  readonly bytes: number
  readonly ms: number
  readonly doubled: number
  readonly growth: number
  /** Why the growth could not be measured. */
  readonly unmeasured?: 'refused' | 'too fast'
}

/** Enlarges the input until its time can be measured, then doubles it. */
async function growthOf(one: Growing): Promise<Growth> {
  const { name, kind } = one
  let count = 2_000
  let first = await timeOf(one, count, 1)
  while (first.ms < least && count * 4 * one.size < maxBytes) {
    count *= first.ms < least / 16 && count * 16 * one.size < maxBytes ? 8 : 2
    first = await timeOf(one, count, 1)
  }
  const bytes = count * one.size
  if (first.ms < least) {
    const unmeasured = first.isRead ? 'too fast' : 'refused'
    return { name, kind, bytes, ms: first.ms, doubled: first.ms, growth: 1, unmeasured }
  }
  const ms = Math.min(first.ms, (await timeOf(one, count, 3)).ms)
  const doubled = (await timeOf(one, count * 2, 3)).ms
  return { name, kind, bytes, ms, doubled, growth: doubled / ms }
}

const results: Growth[] = []
for (const one of growing.filter(({ name, kind }) => `${kind} ${name}`.includes(only))) {
  const first = await growthOf(one)
  // A single high figure may be the garbage collector.
  const second = first.growth > maxGrowth ? await growthOf(one) : first
  const result = second.growth < first.growth ? second : first
  results.push(result)
  const { kind, name, bytes, ms, doubled, growth, unmeasured } = result
  const measured = `${(bytes / 1e6).toFixed(2)} MB ${Math.round(ms)} ms, twice ${Math.round(doubled)} ms, ${growth.toFixed(2)} x`
  const figures = unmeasured ? `${(bytes / 1e6).toFixed(2)} MB ${Math.round(ms)} ms, ${unmeasured}` : measured
  console.log(`${growth > maxGrowth ? 'GROWS ' : '      '}${kind.padEnd(10)} ${name.padEnd(44)} ${figures}`)
}
const grows = results.filter(({ growth }) => growth > maxGrowth)
const counts = ['refused', 'too fast'].map((why) => `${results.filter((one) => one.unmeasured === why).length} ${why}`)
console.log(`${results.length} inputs: ${grows.length} grow more than ${maxGrowth} x, ${counts.join(', ')}.`)
if (grows.length > 0) process.exitCode = 1
