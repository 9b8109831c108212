// Does an HNSW index on the vectors in Postgres pay? Compares it with the comparison of all vectors of the team: recall, time of a
// query with and without a filter, time to build it, and to store a vector. Postgres is PGlite, in this process. The vectors are
// random ones around some centers; with one center they have no structure, which is the worst case.
// Run: node test/bench/search/vectors.ts [vectors of the team, as 20000] [dimensions, as 384] [vectors of other teams, as 5000] [centers, as 200]

import { postgresWithVectors } from '../../../packages/search/test/postgres-with-vectors.ts'
import { openVectors, type Scanned } from './vector-tables.ts'

const [count = 20_000, dimensions = 384, others = 5_000, centers = 200] = process.argv.slice(2).map(Number)
const queries = 30
const postgres = postgresWithVectors()
const table = await openVectors(postgres, dimensions, centers)
await table.fill('a', count)
await table.fill('b', others)
await postgres.exec('ANALYZE')

const filters = [
  { name: 'no filter, 200 chunks', words: '', limit: 200 },
  { name: 'no filter, 50 chunks', words: '', limit: 50 },
  { name: 'all but 20 % of the pages, 50 chunks', words: '-site:other.example', limit: 50 },
  { name: 'a site with 20 % of the pages, 50 chunks', words: 'site:other.example', limit: 50 },
  { name: 'a site with 1 % of the pages, 50 chunks', words: 'site:small.example', limit: 50 },
]
const vectors = Array.from({ length: queries }, table.makeVector)
const scanAll = async (): Promise<Scanned[][]> => {
  const found: Scanned[][] = []
  for (const { words, limit } of filters) {
    const scanned: Scanned[] = []
    for (const one of vectors) scanned.push(await table.nearest('a', one, words, limit))
    found.push(scanned)
  }
  return found
}
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
const recall = (exact: readonly Scanned[], found: readonly Scanned[], limit: number): string => {
  const parts = exact.map(({ ids }, at) => {
    const wanted = ids.slice(0, limit)
    const ours = new Set(found[at]?.ids.slice(0, limit))
    return wanted.filter((id) => ours.has(id)).length / Math.max(1, wanted.length)
  })
  return `${((parts.reduce((sum, part) => sum + part, 0) / parts.length) * 100).toFixed(1)} %`
}

const exact = await scanAll()
const plainStore = await timed(() => table.fill('a', 500))
await table.remove('a', count)
const build = await timed(() => table.build('a', count))
const indexed = await scanAll()
console.log(
  `${count} vectors of the team, ${others} of others, ${dimensions} dimensions, ${centers} centers; milliseconds of CPU time`,
)
for (const [at, { name, limit }] of filters.entries()) {
  const [all, some] = [exact[at] ?? [], indexed[at] ?? []]
  const [slow, fast] = [all, some].map((scanned) => median(scanned.map(({ time }) => time)).toFixed(1))
  const rates = `recall at 5 ${recall(all, some, 5)}, at ${limit} ${recall(all, some, limit)}`
  console.log(`  ${name}: all vectors ${slow} ms, HNSW ${fast} ms, ${rates}`)
}
const indexedStore = await timed(() => table.fill('a', 500))
console.log(`  build: ${(build / 1_000).toFixed(1)} s, ${(build / count).toFixed(2)} ms a vector`)
console.log(`  to store a vector: ${(plainStore / 500).toFixed(2)} ms, with HNSW ${(indexedStore / 500).toFixed(2)} ms`)
await table.close()
await postgres.close()
