// What one team's overload costs another: node test/bench/fairness/run.ts [requests] [overload]
// Prints the latency of one team's requests alone, and beside a team that has ten times as many under way, for work that
// goes through the reading threads, for jobs, and for kept results in a SQLite file.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createEngine, type Engine } from '@harvestman/core'
import { defineLoader, definePlugin } from '@harvestman/core/plugin'
import { sqliteStore } from '@harvestman/keyv'

const [requests = 40, overload = 10] = process.argv.slice(2).map(Number)
const atOnce = 2

/** Pages that are made up: large enough to be read in a thread; those of `heavy` take much longer. */
const paragraph = `<p>${'Words of a page that is long enough to be read somewhere else. '.repeat(20)}</p>`
const sizes: Readonly<Record<string, number>> = { 'usual.example': 150, 'heavy.example': 800 }
const load = async ({ url }: { readonly url: URL }) => ({
  url: url.href,
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: new TextEncoder().encode(`<main><h1>Page</h1>${paragraph.repeat(sizes[url.host] ?? 150)}</main>`),
  captured: {},
  actions: {},
  proxyUsed: 'basic' as const,
  warnings: [],
})
const pages = definePlugin({ name: 'pages', loaders: [defineLoader({ name: 'pages', cost: 0, load })] })

type Work = (engine: Engine, team: string, host: string, number: number) => Promise<unknown>

const scrape: Work = (engine, team, host, number) =>
  engine.scrapeAny({ url: `https://${host}/${number}`, timeout: 300_000 }, { team })
const kept: Work = (engine, team, host, number) =>
  engine.scrapeAny({ url: `https://${host}/${number}`, timeout: 300_000 }, { team, keep: true })
const batch: Work = async (engine, team, host, number) => {
  const urls = Array.from({ length: 4 }, (_, page) => `https://${host}/${number}/${page}`)
  return (await engine.batchAny({ urls, timeout: 300_000 }, { team })).end()
}

/** Milliseconds of each request of a team that has so many under way. */
async function measure(engine: Engine, work: Work, count: number): Promise<number[]> {
  const times: number[] = []
  let next = 0
  const line = async (): Promise<void> => {
    while (next < count) {
      const number = next++
      const began = performance.now()
      await work(engine, 'measured', 'usual.example', number)
      times.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, line))
  return times
}

/** Another team that always has so many under way. */
function overloadWith(engine: Engine, work: Work, lines: number): { end(): Promise<number> } {
  const over = new AbortController()
  let done = 0
  const line = async (_: unknown, at: number): Promise<void> => {
    for (let number = at; !over.signal.aborted; number += lines) {
      await work(engine, 'loud', 'heavy.example', number)
      done += 1
    }
  }
  const all = Promise.all(Array.from({ length: lines }, line))
  return {
    end: async () => {
      over.abort()
      await all
      return done
    },
  }
}

function p95(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? NaN
}

const folder = mkdtempSync(join(tmpdir(), 'fairness-'))
const rows = []
for (const [name, work, hasFile] of [
  ['scrape', scrape, false],
  ['scrape, kept in SQLite', kept, true],
  ['batch of 4', batch, false],
] as const) {
  const store = hasFile ? sqliteStore(join(folder, `${name.length}.sqlite`)) : undefined
  const engine: Engine = createEngine({ plugins: [pages], store, limits: { inlineBytes: 1_000 } })
  await measure(engine, work, 10)
  const alone = await measure(engine, work, requests)
  const other = overloadWith(engine, work, atOnce * overload)
  // The thread that a team gets when another one holds all is started once.
  await measure(engine, work, 10)
  const beside = await measure(engine, work, requests)
  const done = await other.end()
  await engine.close()
  await store?.close()
  rows.push({
    work: name,
    'p95 alone, ms': Math.round(p95(alone)),
    [`p95 beside ${overload} ×, ms`]: Math.round(p95(beside)),
    ratio: (p95(beside) / p95(alone)).toFixed(1),
    'done by the other': done,
  })
}
rmSync(folder, { recursive: true, force: true })
console.table(rows)
