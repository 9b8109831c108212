// Whether anything is left behind: 500 scrapes that fail, 2,000 that do not, and what the browser holds after each.
// Run: node test/bench/browser/soak.ts [--failing 500] [--good 2000] [--lanes 4]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { createServer as createRawServer, type AddressInfo, type Server } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import type { Browser, Tab } from '@harvestman/ports'
import { puppeteerBrowser } from '../../../packages/puppeteer/src/index.ts'
import { isZombie, memoryBelow, memoryOf, renderersBelow, treeOf } from './processes.ts'

const { values } = parseArgs({
  options: {
    failing: { type: 'string', default: '500' },
    good: { type: 'string', default: '2000' },
    lanes: { type: 'string', default: '4' },
  },
})
const [failing, good, lanes] = [Number(values.failing), Number(values.good), Number(values.lanes)]

const site = spawn(process.execPath, [fileURLToPath(new URL('./site.ts', import.meta.url))], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [port] = (await once(createInterface(site.stdout), 'line')) as [string]

const held: ServerResponse[] = []
const silent = createServer((_, response) => void held.push(response))
// Answers TLS with words that are none.
const garbled = createRawServer((socket) => {
  socket.on('error', () => undefined)
  socket.end('this is not TLS')
})
const portOf = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
const [silentPort, garbledPort] = [await portOf(silent), await portOf(garbled)]

const events: string[] = []
const guard = { checkUrl: () => undefined, resolve: async () => ({ address: '127.0.0.1', family: 4 as const }) }
const browser: Browser = puppeteerBrowser({ tabs: lanes, onEvent: ({ kind }) => events.push(kind) })(guard)
const profile = { headers: {}, mobile: false, blockAds: true, skipTlsVerification: false, pictures: false }

async function inTab(work: (tab: Tab) => Promise<unknown>): Promise<void> {
  const tab = await browser.open(profile, AbortSignal.timeout(60_000))
  try {
    await work(tab)
  } finally {
    await tab.close()
  }
}

const page = (count: number): URL => new URL(`http://127.0.0.1:${port}/page?${count}`)
const soon = (): AbortSignal => AbortSignal.timeout(20_000)

const faults: readonly ((tab: Tab, count: number) => Promise<unknown>)[] = [
  (tab) => tab.goto(new URL(`http://127.0.0.1:${silentPort}/`), AbortSignal.timeout(150)),
  (tab) => tab.goto(new URL(`https://127.0.0.1:${garbledPort}/`), soon()),
  (tab) => tab.goto(new URL('http://127.0.0.1:9/'), soon()),
  async (tab, count) => {
    await tab.goto(page(count), soon())
    await tab.evaluate('for (;;);', AbortSignal.timeout(100))
  },
  async (tab, count) => {
    await tab.goto(page(count), soon())
    await tab.evaluate('throw new Error("no")', soon())
  },
  async (tab, count) => {
    await tab.goto(page(count), soon())
    for (const pid of renderersBelow(process.pid).slice(-1)) process.kill(pid, 'SIGKILL')
    await tab.evaluate('new Promise(() => {})', AbortSignal.timeout(500))
  },
]

async function inLanes(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < count) await work((next += 1))
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

const times: number[] = []
const visitGood = async (count: number): Promise<void> => {
  const started = performance.now()
  await inTab(async (tab) => {
    await tab.goto(page(count), soon())
    if (!(await tab.html()).includes('Item number 119')) throw new Error('A page came that is not whole.')
  })
  times.push(performance.now() - started)
}

const rows: string[][] = []
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_500))
async function note(label: string): Promise<void> {
  await settle()
  globalThis.gc?.()
  const zombies = treeOf(process.pid).filter(isZombie).length
  rows.push([
    label,
    (memoryBelow(process.pid, [site.pid!]) / 1e6).toFixed(0),
    (memoryOf(process.pid) / 1e6).toFixed(0),
    String(renderersBelow(process.pid).length),
    String(zombies),
  ])
  console.log(rows.at(-1)!.join('  '))
}

await inLanes(20, visitGood)
times.length = 0
await note('start')
let failures = 0
await inLanes(failing, async (count) => {
  await inTab((tab) => faults[count % faults.length]!(tab, count)).catch(() => (failures += 1))
  for (const response of held.splice(0)) response.destroy()
})
await note(`after ${failures} of ${failing} failed`)
await inLanes(good / 2, visitGood)
await note(`after ${good / 2} good ones`)
await inLanes(good / 2, visitGood)
await note(`after ${good} good ones`)

const p95 = (part: readonly number[]): number => part.toSorted((a, b) => a - b)[Math.floor(part.length * 0.95)] ?? 0
const [first, last] = [p95(times.slice(0, 200)), p95(times.slice(-200))]
console.log('\nwhen | Chromium, PSS MB | this process, PSS MB | renderers | zombies')
for (const row of rows) console.log(row.join(' | '))
console.log(`\np95 of the last 200 over the first 200: ${(last / first).toFixed(2)}`)
const endings = ['started', 'recycled', 'idle', 'gone', 'strangers'] as const
console.log(endings.map((kind) => `${kind} ${events.filter((event) => event === kind).length}`).join(', '))
await browser.close()
await settle()
console.log(
  `processes left after close: ${treeOf(process.pid).filter((pid) => pid !== process.pid && pid !== site.pid).length}`,
)
site.kill()
process.exit(0)
