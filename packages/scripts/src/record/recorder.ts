// Listens to a live browser from when it is told to until it is asked for the script.
import { EngineError, type Clock } from '@harvestman/ports'
import type { z } from 'zod'

import { inspect, listenersName } from '../page/names.ts'
import type { LivePage } from '../page/live-page.ts'
import { outcomeSchema } from '../page/seen.ts'
import type { LiveTabs } from '../page/tabs.ts'
import { withClosed, withOpened, withOutcome, withTold, type Act } from './acts.ts'
import type { Heard } from './compile.ts'
import { hearTab, isWeb, type TabHearer } from './hear-tab.ts'
import type { TaskSecrets } from './task-secrets.ts'

/** A recording that is under way. */
export interface Recorder extends AsyncDisposable {
  /** What has been done so far. */
  heard(signal: AbortSignal): Promise<Heard>
}

const mostActs = 1_000
/** Milliseconds that a new tab has to take what listens. */
const timeout = 10_000

/** Milliseconds between two looks at a page that comes to rest, the most of them, and how many in a row are the same at rest. */
const looksEvery = 100
const mostLooks = 20
const looksAtRest = 3

/** Begins to listen, in the first tab and in those that are opened from it. */
export async function listenTo(
  tabs: LiveTabs,
  clock: Clock,
  signal: AbortSignal,
  secrets?: Pick<TaskSecrets, 'find'>,
): Promise<Recorder> {
  let acts: readonly Act[] = []
  let isFull = false
  /** The tabs whose page is being left. */
  const leaving = new Set<string>()
  const { first } = tabs
  const nameOf = (tab: string | undefined): Act['tab'] => (tab === first.tab ? undefined : tab)
  const hearerOf = (tab: string): TabHearer => ({
    told: (told) => {
      if (told.type === 'leaves') return void leaving.add(tab)
      leaving.delete(tab)
      if (acts.length < mostActs) acts = withTold(acts, nameOf(tab), told, secrets?.find(told.value))
      else isFull = true
    },
    shown: (url, isGiven) => {
      leaving.delete(tab)
      if (!isGiven || !isWeb(url)) return
      if (acts.length >= mostActs) isFull = true
      else acts = [...acts, { type: 'goto', id: `goto:${acts.length}`, tab: nameOf(tab), url }]
    },
  })
  tabs.listen({
    opened: ({ tab, opener }, page) => {
      acts = withOpened(acts, tab, nameOf(opener))
      page.then((one) => hearTab(one, hearerOf(tab), AbortSignal.timeout(timeout))).catch(() => undefined)
    },
    // One that was left by no act was closed by hand: a run leaves it open.
    closed: (tab) => {
      if (!leaving.delete(tab)) acts = withClosed(acts, tab)
    },
  })
  const start = await hearTab(first, hearerOf(first.tab), signal)
  return {
    heard: async (within) => {
      if (isFull)
        throw new EngineError('invalid_request', `More than ${mostActs} acts were recorded. Record fewer at a time.`)
      const tab = acts.at(-1)?.tab
      const last = tabs.open.find((one) => nameOf(one.tab) === tab)
      const outcome = last && (await outcomeAtRest(last, clock, within))
      const all = outcome ? withOutcome(acts, tab, outcome.page, outcome.after) : acts
      return { ...heardFrom(start, all), addresses: await addressesOf(tabs, within) }
    },
    [Symbol.asyncDispose]: () => tabs[Symbol.asyncDispose](),
  }
}

async function addressesOf({ open }: LiveTabs, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const schema = outcomeSchema.shape.page.pick({ url: true })
  const all = open.map(async (page) => [page.tab, (await page.see(inspect('page'), schema, signal)).url] as const)
  return new Map(await Promise.all(all))
}

/** How the last act left the page, once that has come to rest: an element may be gone only until its picture is loaded. */
async function outcomeAtRest(
  page: LivePage,
  clock: Clock,
  signal: AbortSignal,
): Promise<z.output<typeof outcomeSchema>> {
  const look = (): Promise<z.output<typeof outcomeSchema>> =>
    page.see(
      `globalThis.${listenersName} ? ${listenersName}.outcome() : { page: ${inspect('digest')} }`,
      outcomeSchema,
      signal,
    )
  let before = await look()
  for (let count = 0, same = 0; count < mostLooks && same < looksAtRest; count += 1) {
    await clock.sleep(looksEvery, signal)
    const now = await look()
    same = JSON.stringify(now) === JSON.stringify(before) ? same + 1 : 0
    before = now
  }
  return before
}

/** A script begins on a page of the web: where the recording began, or where it first went. */
function heardFrom(start: string, acts: readonly Act[]): Heard {
  const [one, ...rest] = acts
  if (one?.type === 'goto' && one.url !== undefined) return { start: one.url, acts: rest }
  if (!isWeb(start)) throw new EngineError('invalid_request', 'Nothing was done yet that a script could repeat.')
  return { start, acts }
}
