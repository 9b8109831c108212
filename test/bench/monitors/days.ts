// A monitor over sites that live, some of which lie: what it misses, makes up and loads beside full crawls, while the clock is
// set forth and back and engines lose their store in the middle of a check, as a process does that is killed.
// node test/bench/monitors/days.ts --pages 1000 --days 90 --kills 50 --within 30
import { parseArgs } from 'node:util'

import { createEngine, memoryStore, type Engine } from '@harvestman/core'
import { monitors, type Check, type CheckedPage, type MonitorsPlugin } from '@harvestman/monitors'
import { type Store, elapsed } from '@harvestman/ports'
import { recrawl } from '@harvestman/recrawl'
import { movedClock } from '@harvestman/testing'

import { makeJudge } from './judge.ts'
import { mortalStore } from './mortal-store.ts'
import { bytesOfAll, fetcherOf, makeSites } from './sites.ts'
import { printRows, rowsOf } from './table.ts'

const { values: given } = parseArgs({
  options: {
    pages: { type: 'string', default: '100' },
    days: { type: 'string', default: '20' },
    kills: { type: 'string', default: '0' },
    within: { type: 'string', default: '30' },
  },
})
const [pages, days, kills, withinDays] = [given.pages, given.days, given.kills, given.within].map(Number) as [
  ...[number, number, number, number],
]
const hour = 3_600_000
const day = 24 * hour
const within = withinDays * day
/** The days on which an engine is killed in a check, and another one goes on with it. */
const isKilledOn = (today: number): boolean =>
  Math.floor((today * kills) / days) > Math.floor(((today - 1) * kills) / days)
/** The hours by which the clock is set on a day: in the check, and after it. A time of the schedule then comes twice. */
const jumpOn = (today: number): readonly [number, number] => {
  if (kills === 0) return [0, 0]
  return today % 7 === 3 ? [5, 0] : today % 7 === 5 ? [0, -6] : [0, 0]
}
const timeOf = (today: number): number => Date.UTC(2026, 0, 1 + today)
const nap = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2))

const clock = movedClock()
const start = clock.now()
const sites = makeSites(clock, pages, days)
const fetcher = fetcherOf(sites)
const store = memoryStore({ clock })
const judges = sites.map(({ site }) => makeJudge(site, start, within))

type Watcher = Engine<readonly [MonitorsPlugin, ReturnType<typeof recrawl>]>

function open(own: Store = store): Watcher {
  return createEngine({
    ...{ clock, store: own, fetcher: () => fetcher },
    resolver: async () => [{ address: '93.184.215.14', family: 4 as const }],
    limits: { leaseTime: 1_000, hostConcurrency: 20 },
    keep: { pages: within + 2 * day },
    plugins: [monitors({ pollInterval: 2_000 }), recrawl()],
  })
}

let engine = open()
const { id } = await engine.monitors.create({
  name: 'All',
  schedule: { text: 'daily', jitter: 0 },
  targets: sites.map(({ host }) => ({
    ...{ type: 'crawl', url: `http://${host}/`, incremental: true, revisitWithin: within },
    crawlOptions: { ignoreQueryParameters: true, excludePaths: ['^/page/0$'] },
    scrapeOptions: { timeout: 300_000 },
  })),
  retentionDays: 365,
})

const begun = performance.now()
const cpu = process.cpuUsage()
/** What a killed engine held is free after this. */
const longestHold = 90_000
const done = { kills: 0, jumps: 0, full: sites.map(() => 0), judging: 0 }
let revived = 0
for (let today = 1; today <= days; today += 1) {
  clock.moveOn(Math.max(timeOf(today) - clock.now(), 0) + 1)
  await countFull()
  if (isKilledOn(today)) await checkAndDie(today)
  engine.monitors.start()
  const [inCheck, after] = jumpOn(today)
  if (inCheck !== 0) await jump(inCheck)
  while (!(await checkOf(today))) {
    if (isKilledOn(today) && elapsed(clock) - revived < longestHold) clock.moveOn(500)
    await nap()
  }
  judge(await pagesOf(await checkOf(today)), await checkOf(today))
  if (after !== 0) await jump(after)
}
const served = sites.map(({ site }) => ({ ...site.served }))
const spent = process.cpuUsage(cpu)
const checks = await allChecks()
judge(...(await checkNow()))
for (const one of judges) one.end(clock.now())
await engine.close()

/** What a full crawl would load now. Its work is not that of the engine. */
async function countFull(): Promise<void> {
  const before = process.cpuUsage()
  for (const [at, site] of sites.entries()) done.full[at] = (done.full[at] ?? 0) + (await bytesOfAll(site))
  const { user, system } = process.cpuUsage(before)
  done.judging += user + system
}

/** Begins the check of a day with an engine that is killed in it. */
async function checkAndDie(today: number): Promise<void> {
  await engine.close()
  // A check asks its store some 12 times for each page: anywhere in it.
  const dying = mortalStore(store, 10 + Math.floor((((today * 37) % 97) / 97) * pages * 10))
  engine = open(dying.store)
  engine.monitors.start()
  while (!dying.isDead() && !(await checkOf(today).catch(() => undefined))) await nap()
  if (dying.isDead()) done.kills += 1
  await engine.close().catch(() => undefined)
  engine = open()
  revived = elapsed(clock)
}

async function jump(hours: number): Promise<void> {
  for (let count = 0; count < 20; count += 1) await nap()
  clock.jump(hours * hour)
  done.jumps += 1
}

/** The check of a day, when it has ended. */
async function checkOf(today: number): Promise<Check | undefined> {
  const [newest] = await engine.monitors.checks(id, { limit: 1 })
  const hasEnded = newest && newest.status !== 'queued' && newest.status !== 'running'
  return hasEnded && newest.scheduledFor === new Date(timeOf(today)).toISOString() ? newest : undefined
}

/** A check of all pages, for what has not been told yet. */
async function checkNow(): Promise<[CheckedPage[], Check]> {
  const { id: own } = await engine.monitors.run(id)
  for (;;) {
    const check = await engine.monitors.check(id, own)
    if (check.status !== 'queued' && check.status !== 'running') return [await pagesOf(check), check]
    await nap()
  }
}

async function pagesOf(check: Check | undefined): Promise<CheckedPage[]> {
  const seen: CheckedPage[] = []
  for (let isMore = check !== undefined; isMore;) {
    const { pages, next } = await engine.monitors.check(id, check?.id ?? '', { limit: 100, skip: seen.length })
    seen.push(...pages)
    isMore = next !== undefined
  }
  return seen
}

async function allChecks(): Promise<readonly Check[]> {
  const all: Check[] = []
  for (let offset = 0; offset < days + 100; offset += 100)
    all.push(...(await engine.monitors.checks(id, { limit: 100, offset })))
  return all
}

function judge(seen: readonly CheckedPage[], check: Check | undefined): void {
  const checkedAt = Date.parse(check?.startedAt ?? check?.createdAt ?? '')
  for (const [at, { host }] of sites.entries()) {
    const own = seen.filter(({ url }) => new URL(url).host === host)
    judges[at]?.take(own, checkedAt)
  }
}

const times = new Set(checks.map(({ scheduledFor }) => scheduledFor))
const [lost, doubled] = [days - times.size, checks.length - times.size]
const rows = sites.map(({ name, site }, at) =>
  rowsOf(name, { pages: site.paths.length, days, tally: judges[at]!.tally, served: served[at]!, full: done.full[at]! }),
)
const sum = printRows(rows)
const work = (spent.user + spent.system - done.judging) / 1_000 / pages / days
console.log(`
${pages} pages, ${days} days, a page loaded at least once in ${withinDays} days
engines killed in a check: ${done.kills}; clock set forth or back by hours: ${done.jumps}
checks: ${checks.length}; lost: ${lost}; doubled: ${doubled}; pages lost or doubled in a check: ${sum.uneven}
processor time a page and check: ${work.toFixed(2)} ms; time: ${Math.round((performance.now() - begun) / 1_000)} s`)
if (sum.missed + lost + doubled + sum.uneven > 0 || sum.made * 100 > sum.told || done.kills < kills)
  process.exitCode = 1
