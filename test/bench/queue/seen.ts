// Remembers a million addresses, three in ten of them repeats, in our hash set and in a Set of texts, and prints the
// microseconds each takes and the bytes each is held in. The addresses are made beforehand and not counted.
//   node --expose-gc test/bench/queue/seen.ts [addresses: 1000000] [rounds: 3]
import { makeSeen } from '../../../packages/site/src/seen.ts'

const [count = 1_000_000, rounds = 3] = process.argv.slice(2).map(Number)
const gc = globalThis.gc ?? (() => console.error('Run with --expose-gc, or the bytes mean nothing.'))

const contenders = {
  '64-bit hashes, open addressing': () => {
    const seen = makeSeen()
    return { add: (url: string) => seen.add(url), size: () => seen.size }
  },
  'Set of texts': () => {
    const texts = new Set<string>()
    return { add: (url: string) => texts.add(url), size: () => texts.size }
  },
}

/** The n-th address; of ten in a row, three repeat earlier ones. Each call makes a text of its own, as a page would. */
function address(n: number): string {
  const number = n % 10 < 3 ? (n * 7919) % Math.max(n - (n % 10), 1) : n
  const text = `https://shop${number % 13}.example.com/category-${number % 101}/some-longer-name-of-a-product/${number}?ref=list`
  return Buffer.from(text, 'latin1').toString('latin1')
}

const bytesNow = () => {
  gc()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

function measure(make: () => { add(url: string): unknown; size(): number }) {
  const before = bytesNow()
  const set = make()
  let micros = 0
  const slice = 10_000
  for (let at = 0; at < count; at += slice) {
    const urls = Array.from({ length: Math.min(slice, count - at) }, (_, index) => address(at + index))
    const start = process.cpuUsage()
    for (const url of urls) set.add(url)
    const { user, system } = process.cpuUsage(start)
    micros += user + system
  }
  const bytes = bytesNow() - before
  return { 'µs a call': micros / count, 'bytes held each': bytes / set.size(), 'new ones': set.size() }
}

const median = (numbers: number[]) => numbers.sort((one, other) => one - other)[numbers.length >> 1] ?? 0
const table: Record<string, Record<string, string>> = {}
for (const [name, make] of Object.entries(contenders)) {
  const runs = Array.from({ length: rounds }, () => measure(make))
  table[name] = {
    'µs a call': median(runs.map((run) => run['µs a call'])).toFixed(2),
    'bytes held each': median(runs.map((run) => run['bytes held each'])).toFixed(1),
    'new ones': String(runs[0]?.['new ones']),
  }
}
console.table(table)
