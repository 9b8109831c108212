// What pages that take all memory cost, and what becomes of them: node test/bench/browser/hungry.ts [part of a kind]
// Linux. A tab of another caller is open meanwhile, and is asked afterwards whether it is as it was.
import { readFileSync } from 'node:fs'

import { createEngine, EngineError } from '@harvestman/core'
import type { Browser } from '@harvestman/ports'

import { puppeteerBrowser } from '../../../packages/puppeteer/src/index.ts'
import { hungryKinds, hungryPages, hungryPath } from '../../../packages/puppeteer/test/hungry-pages.ts'
import { serve } from '../../../packages/puppeteer/test/servers.ts'
import { memoryOf, treeOf } from './processes.ts'

const stay = 8_000
const wanted = Object.keys(hungryKinds).filter((kind) => kind.includes(process.argv[2] ?? ''))
const site = await serve({ ...hungryPages, '/beside': '<p>Fine', '*': '<p>Nothing' })

type Role = 'renderer' | 'gpu' | 'browser' | 'all'
type Peaks = Record<Role, number>

function roleOf(pid: number): Exclude<Role, 'all'> | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    if (line.includes('--type=renderer')) return 'renderer'
    if (line.includes('--type=gpu-process')) return 'gpu'
    return line.includes('--remote-debugging-pipe') ? 'browser' : undefined
  } catch {
    return undefined
  }
}

/** The most memory of any one process of each role, and of all together, until it is told to stop. */
function watch(): () => Peaks {
  const peaks: Peaks = { renderer: 0, gpu: 0, browser: 0, all: 0 }
  const look = (): void => {
    let sum = 0
    for (const pid of treeOf(process.pid)) {
      const role = pid === process.pid ? undefined : roleOf(pid)
      if (!role) continue
      const megabytes = memoryOf(pid) / 1e6
      peaks[role] = Math.max(peaks[role], megabytes)
      sum += megabytes
    }
    peaks.all = Math.max(peaks.all, sum)
  }
  const timer = setInterval(look, 100)
  return () => {
    look()
    clearInterval(timer)
    return peaks
  }
}

const profile = { headers: {}, mobile: false, blockAds: false, skipTlsVerification: false }

async function tryKind(kind: string): Promise<object> {
  const state: { browser?: Browser } = {}
  const events: string[] = []
  const make = puppeteerBrowser({ tabs: 4, onEvent: ({ kind: what, reason }) => events.push(`${what}: ${reason}`) })
  const engine = createEngine({
    resolver: async () => [{ address: '127.0.0.1', family: 4 }],
    allowPrivate: ['127.0.0.0/8'],
    browser: (guard) => (state.browser = make(guard)),
  })
  const beside = await state.browser!.open(profile, AbortSignal.timeout(60_000))
  await beside.goto(new URL(`http://beside.localhost:${site.port}/beside`), AbortSignal.timeout(60_000))
  await beside.evaluate('window.mark = 7', AbortSignal.timeout(9_000))
  const stop = watch()
  const start = performance.now()
  const outcome = await engine
    .scrape({
      url: `http://hungry.localhost:${site.port}${hungryPath(kind)}`,
      formats: ['markdown', { type: 'screenshot', fullPage: true }],
      waitFor: stay,
      timeout: 30_000,
    })
    .then(
      ({ markdown, warning }) => `document of ${markdown.length}${warning === undefined ? '' : ', warning'}`,
      (error: unknown) => (EngineError.is(error) ? error.code : `not typed: ${String(error)}`),
    )
  const took = performance.now() - start
  const peaks = stop()
  const isFine = await beside.evaluate('window.mark + document.body.textContent', AbortSignal.timeout(9_000)).then(
    (text) => text === '7Fine',
    () => false,
  )
  await beside.close()
  await engine.close()
  return {
    'renderer MB': Math.round(peaks.renderer),
    'gpu MB': Math.round(peaks.gpu),
    'browser MB': Math.round(peaks.browser),
    'all MB': Math.round(peaks.all),
    'ended as': outcome,
    s: (took / 1e3).toFixed(1),
    'tab beside': isFine ? 'unharmed' : `harmed, ${events.at(-1)}`,
  }
}

const table: Record<string, object> = {}
for (const kind of wanted) {
  table[kind] = await tryKind(kind)
  console.error(kind, JSON.stringify(table[kind]))
}
console.table(table)
await site.close()
process.exit(0)
