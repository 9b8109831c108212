// What hostile pages cost, and what they cost others: node test/bench/hostile/run.ts
// For each page: how it ended, after how long, the longest time the main thread stood still, and how long a good page
// took that was scraped at the same moment, beside the same page alone. The site runs in a process of its own.
import { fork } from 'node:child_process'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

import { createEngine, EngineError } from '@harvestman/core'

const site = fork(fileURLToPath(new URL('./site.ts', import.meta.url)))
const url = await new Promise<string>((resolve) => site.once('message', (text) => resolve(text as string)))
const engine = createEngine({ allowPrivate: ['127.0.0.0/8'] })

async function timed(path: string): Promise<{ readonly outcome: string; readonly ms: number }> {
  const start = performance.now()
  const outcome = await engine.scrape({ url: url + path, timeout: 15_000 }).then(
    ({ metadata, warning }) => `${metadata.statusCode}${warning ? ', with a warning' : ''}`,
    (error: unknown) => (EngineError.is(error) ? error.code : 'fault'),
  )
  return { outcome, ms: Math.round(performance.now() - start) }
}

/** The slowest of a row of good pages while `work` is under way, and at least one. */
async function goodPages(work: Promise<unknown>): Promise<number> {
  const state = { isOver: false }
  const end = (): void => void (state.isOver = true)
  work.then(end, end)
  let slowest = 0
  do slowest = Math.max(slowest, (await timed('/good/article')).ms)
  while (!state.isOver)
  return slowest
}

for (let round = 0; round < 20; round += 1) await timed('/good/article')
await timed('/huge/html?mb=1')
const alone = await goodPages(new Promise((resolve) => setTimeout(resolve, 1_000)))

const paths =
  `/huge/body /huge/endless /bomb/gzip /bomb/br /bomb/zstd /bomb/twice /huge/html /huge/deep /huge/deep?name=b
/huge/deep?name=table /huge/wide /huge/less-than /huge/blanks /huge/attribute /huge/attributes /huge/table /slow/loris`.split(
    /\s+/,
  )
const rows = []
for (const path of paths) {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const work = timed(path)
  const slowest = await goodPages(work)
  delay.disable()
  const { outcome, ms } = await work
  rows.push({
    page: path,
    outcome,
    'ms until then': ms,
    'longest stall ms': Math.round(delay.max / 1e6),
    'slowest good page ms': slowest,
    'MB of the process': Math.round(process.memoryUsage.rss() / 1e6),
  })
}
console.log(`The slowest good page of a second alone: ${alone} ms`)
console.table(rows)
await engine.close()
site.kill()
