// Measures what the simulation reckons with, and writes simulation/constants.json: what a page costs a worker, and what
// calls cost the server of each store. Processor times are those that the kernel counts, so other work on the machine
// changes them little; the round trip it makes longer.
//   node test/bench/many/measure.ts [pages: 400] [calls: 4000]
import { writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

import { postgresBackend, redisBackend, type Backend } from './measuring/backends.ts'
import { measurePage } from './measuring/page-costs.ts'
import { measureStore } from './measuring/store-costs.ts'
import type { MeasuredConstants, StoreConstants } from './simulation/constants.ts'

const [pages = 400, calls = 4000] = process.argv.slice(2).map(Number)

async function measure(open: () => Promise<Backend>): Promise<StoreConstants> {
  const backend = await open()
  try {
    const page = await measurePage(backend, pages)
    const store = await measureStore(backend, calls)
    return { page, store }
  } finally {
    await backend.remove()
  }
}

const redis = await measure(redisBackend)
const postgres = await measure(postgresBackend)
const { model = 'unknown' } = cpus()[0] ?? {}
const measured: MeasuredConstants = {
  date: new Date().toISOString().slice(0, 10),
  machine: `${cpus().length} cores (${model.trim()}), ${(totalmem() / 2 ** 30).toFixed(0)} GB, Node ${process.version}`,
  load: loadavg()[0] ?? 0,
  redis,
  postgres,
}
const rounded = JSON.stringify(
  measured,
  (_, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(3)) : value),
  2,
)
writeFileSync(fileURLToPath(new URL('simulation/constants.json', import.meta.url)), `${rounded}\n`)
console.log(rounded)
process.exit()
