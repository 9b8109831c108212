// A monitor over a site that lives: how many changes it misses and makes up, while the clock is set forth and back and
// engines lose their store in the middle of a check, as a process does that is killed.
// node test/bench/monitors/days.ts [pages] [days] [revisit within so many days]
import { createEngine, EngineError, memoryStore, type Engine } from '@harvestman/core'
import type { Store } from '@harvestman/ports'
import { elapsed } from '@harvestman/ports/adapters'
import { monitors, type CheckedPage, type MonitorsPlugin } from '@harvestman/monitors'
import { livingSite, movedClock, type PageState } from '@harvestman/testing'

const [pages = 100, days = 90, within] = process.argv.slice(2).map(Number)
const hosts = 40
/** On 5 days of 9 the engine is killed in a check, and another one goes on with it: 50 times in 90 days. */
const isKilledOn = (day: number): boolean => (day * 5) % 9 < 5
/** The hours by which the clock is set on a day: in the check, and after it. A time of the schedule then comes twice. */
const jumpOn = (day: number): readonly [number, number] => (day % 7 === 3 ? [5, 0] : day % 7 === 5 ? [0, -6] : [0, 0])
const hour = 3_600_000

const clock = movedClock()
const site = livingSite({ clock, pages, days, seed: 7, slowness: 50 })
const store = memoryStore({ clock })
const urls = site.paths.map((path, at) => `https://h${at % hosts}.test${path}`)
const resolver = async () => [{ address: '93.184.215.14', family: 4 as const }]

function open(own: Store = store): Engine<readonly [MonitorsPlugin]> {
  const limits = { leaseTime: 1_000 }
  const plugins = [monitors({ lookEvery: 2_000 })] as const
  return createEngine({ clock, store: own, resolver, fetcher: () => site.fetcher, limits, plugins })
}

/** A store that fails for good after so many calls. */
function mortal(calls: number): { readonly store: Store; readonly isDead: () => boolean } {
  let left = calls
  const proxy = new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function' || name === 'close') return value
      return async (...given: unknown[]) => {
        if (left <= 0) throw new EngineError('store_failed', 'The process was killed.')
        left -= 1
        return Reflect.apply(value, target, given) as unknown
      }
    },
  })
  return { store: proxy, isDead: () => left <= 0 }
}

const nap = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2))

const pace = within === undefined ? {} : { revisitWithin: within * 24 * hour }
let engine = open()
const { id } = await engine.monitors.create({
  name: 'All',
  schedule: { text: 'daily', jitter: 0 },
  targets: [{ type: 'scrape', urls, ...pace, scrapeOptions: { timeout: 300_000 } }],
  retentionDays: 365,
})

const begun = performance.now()
const cpu = process.cpuUsage()
/** What a killed engine held is free after this. */
const longestHold = 90_000
let [kills, jumps, revived] = [0, 0, 0]
for (let day = 1; day <= days; day += 1) {
  const due = Date.UTC(2026, 0, 1 + day)
  if (isKilledOn(day)) {
    await engine.close()
    // A check asks its store some 9 times for each page: anywhere in it.
    const dying = mortal(10 + Math.floor((((day * 37) % 97) / 97) * pages * 8))
    const victim = open(dying.store)
    clock.moveOn(Math.max(due - clock.now(), 0) + 1)
    victim.monitors.start()
    while (!dying.isDead() && !(await isOver(day))) await nap()
    if (dying.isDead()) kills += 1
    await victim.close().catch(() => undefined)
    engine = open()
    revived = elapsed(clock)
    engine.monitors.start()
  } else clock.moveOn(Math.max(due - clock.now(), 0) + 1)
  const [within, after] = jumpOn(day)
  if (within !== 0) await set(within)
  while (!(await isOver(day))) {
    if (isKilledOn(day) && elapsed(clock) - revived < longestHold) clock.moveOn(500)
    await nap()
  }
  if (after !== 0) await set(after)
}

async function set(hours: number): Promise<void> {
  for (let count = 0; count < 20; count += 1) await nap()
  clock.jump(hours * hour)
  jumps += 1
}

/** Whether the check of a day has ended. */
async function isOver(day: number): Promise<boolean> {
  const [newest] = await engine.monitors.checks(id, { limit: 1 })
  const hasEnded = newest && newest.status !== 'queued' && newest.status !== 'running'
  return hasEnded === true && newest.scheduledFor === new Date(Date.UTC(2026, 0, 1 + day)).toISOString()
}

const checks = []
for (let offset = 0; offset < days + 100; offset += 100)
  checks.push(...(await engine.monitors.checks(id, { limit: 100, offset })))
const found = { looks: 0, expected: 0, missed: 0, made: 0, told: 0, failed: 0, uneven: 0, rested: 0 }
const before = new Map<string, PageState>()
for (const check of checks.toReversed()) {
  const seen: CheckedPage[] = []
  for (let skip: number | undefined = 0; skip !== undefined;) {
    const { pages: some, next } = await engine.monitors.check(id, check.id, { limit: 100, skip })
    seen.push(...some)
    skip = next
  }
  if (new Set(seen.map(({ url }) => url)).size !== pages || seen.length !== pages) found.uneven += 1
  for (const page of seen) judge(page, Date.parse(check.startedAt ?? check.createdAt))
}

/** What the plan says that a page is, beside what the check says. What happened while the check ran may be either. */
function judge(page: CheckedPage, from: number): void {
  const path = new URL(page.url).pathname
  const [early, late] = [site.stateOf(path, from), site.stateOf(path, Date.parse(page.createdAt))]
  if (!early || !late) return
  if (page.metadata?.['lookedAt'] !== undefined) {
    found.rested += 1
    return
  }
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

const lost = days - new Set(checks.map(({ scheduledFor }) => scheduledFor)).size
const doubled = checks.length - (days - lost)
await engine.close()
const { user, system } = process.cpuUsage(cpu)
const share = (100 * found.made) / Math.max(found.told, 1)
const spent = (user + system) / 1000 / (found.looks + found.rested)
const rows = [
  ['pages, virtual days', `${pages}, ${days}`],
  ['engines killed in a check', kills],
  ['clock set forth or back by hours', jumps],
  ['checks', checks.length],
  ['checks lost, doubled, with other than all pages', `${lost}, ${doubled}, ${found.uneven}`],
  ['looks', found.looks],
  ['pages that were not due', found.rested],
  ['pages loaded, of all pages on all days', `${((100 * found.looks) / (found.looks + found.rested)).toFixed(1)} %`],
  ['changes that could be seen', found.expected],
  ['changes told', found.told],
  ['changes missed', found.missed],
  ['changes made up', `${found.made} (${share.toFixed(2)} % of those told)`],
  ['looks that failed, as planned', found.failed],
  ['processor time a page and check', `${spent.toFixed(2)} ms`],
  ['time', `${Math.round((performance.now() - begun) / 1000)} s`],
]
for (const [name, value] of rows) console.log(`| ${String(name).padEnd(50)} | ${String(value).padStart(28)} |`)
if (
  found.missed + lost + doubled + found.uneven > 0 ||
  share > 1 ||
  (days === 90 && within === undefined && kills < 50)
)
  process.exitCode = 1
