// A monitor over a site that lives: how many changes it misses and makes up, with clocks that jump and engines that end.
// node test/bench/monitors/days.ts [pages] [days]
import { createEngine, memoryStore, type Engine } from '@harvestman/core'
import { monitors, type CheckedPage, type MonitorsPlugin } from '@harvestman/monitors'
import { livingDay, livingSite, movedClock, type PageState } from '@harvestman/testing'

const [pages = 100, days = 90] = process.argv.slice(2).map(Number)
const hosts = 40
/** The engine is closed in a check, and another one goes on with it, every so many days. */
const killedEvery = 9

const clock = movedClock()
const site = livingSite({ clock, pages, days, seed: 7, slowness: 50 })
const store = memoryStore({ clock })
const urls = site.paths.map((path, at) => `https://h${at % hosts}.test${path}`)
const resolver = async () => [{ address: '93.184.215.14', family: 4 as const }]

function open(): Engine<readonly [MonitorsPlugin]> {
  return createEngine({
    clock,
    store,
    resolver,
    fetcher: () => site.fetcher,
    plugins: [monitors({ lookEvery: 3_600_000 })],
  })
}

const nap = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2))

let engine = open()
const { id } = await engine.monitors.create({
  name: 'All',
  schedule: { text: 'daily', jitter: 0 },
  targets: [{ type: 'scrape', urls }],
  retentionDays: 365,
})

const begun = performance.now()
const cpu = process.cpuUsage()
let kills = 0
for (let day = 1; day <= days; day += 1) {
  clock.moveOn(Math.max(Date.UTC(2026, 0, 1 + day) - clock.now(), 0) + 1)
  if (day % killedEvery === 0) {
    for (let count = 0; count < 20; count += 1) await nap()
    await engine.close()
    kills += 1
    clock.moveOn(60_000)
    engine = open()
    engine.monitors.start()
  }
  for (;;) {
    const [newest] = await engine.monitors.checks(id, { limit: 1 })
    const isOver = newest && newest.status !== 'queued' && newest.status !== 'running'
    if (isOver && newest.scheduledFor === new Date(Date.UTC(2026, 0, 1 + day)).toISOString()) break
    if (day % killedEvery === 0) clock.moveOn(500)
    await nap()
  }
}

const checks = []
for (let offset = 0; offset < days; offset += 100)
  checks.push(...(await engine.monitors.checks(id, { limit: 100, offset })))
const found = { looks: 0, expected: 0, missed: 0, made: 0, told: 0, failed: 0 }
const before = new Map<string, PageState>()
for (const check of checks.toReversed()) {
  const seen: CheckedPage[] = []
  for (let skip: number | undefined = 0; skip !== undefined;) {
    const { pages: some, next } = await engine.monitors.check(id, check.id, { limit: 100, skip })
    seen.push(...some)
    skip = next
  }
  if (new Set(seen.map(({ url }) => url)).size !== pages || seen.length !== pages)
    console.log(`${check.id} has ${seen.length} pages`)
  for (const page of seen) judge(page, Date.parse(check.startedAt ?? check.createdAt))
}

/** What the plan says that a page is, beside what the check says. What happened while the check ran may be either. */
function judge(page: CheckedPage, from: number): void {
  const path = new URL(page.url).pathname
  const [early, late] = [site.stateOf(path, from), site.stateOf(path, Date.parse(page.createdAt))]
  if (!early || !late) return
  found.looks += 1
  const old = before.get(path)
  const either = [statusOf(early, old), statusOf(late, old)]
  if (page.status === 'error') found.failed += 1
  else before.set(path, either[1] === page.status ? late : early)
  const isNews = page.status === 'changed' || page.status === 'new' || page.status === 'removed'
  if (isNews) found.told += 1
  if (either.every((status) => status !== 'same' && status !== 'error')) found.expected += 1
  if (either.includes(page.status)) return
  if (isNews && either.includes('same')) found.made += 1
  else {
    found.missed += 1
    console.log(`${page.url} is ${page.status}, and should be ${either.join(' or ')}: ${page.error ?? ''}`)
  }
}

function statusOf(now: PageState, old: PageState | undefined): CheckedPage['status'] {
  if (now.isFailing) return 'error'
  if (now.isGone) return old ? (old.isGone ? 'same' : 'removed') : 'error'
  if (!old || old.isGone) return 'new'
  return now.text === old.text && now.price === old.price ? 'same' : 'changed'
}

const { skippedRuns } = await engine.monitors.get(id)
await engine.close()
const { user, system } = process.cpuUsage(cpu)
console.log(
  `${pages} pages, ${days} virtual days (${Math.round((days * livingDay) / 3_600_000)} h), ${checks.length} checks, ${skippedRuns} skipped, ${kills} engines ended in a check`,
)
console.log(
  `looks ${found.looks}, changes of the plan ${found.expected}, told ${found.told}, missed ${found.missed}, made up ${found.made} (${((100 * found.made) / Math.max(found.told, 1)).toFixed(2)} % of what was told), not readable ${found.failed}`,
)
console.log(
  `${Math.round((performance.now() - begun) / 1000)} s, ${((user + system) / 1000 / found.looks).toFixed(2)} ms of processor time a look, ${site.served.requests} requests`,
)
if (found.missed > 0 || found.made > found.told / 100 || checks.length !== days) process.exitCode = 1
