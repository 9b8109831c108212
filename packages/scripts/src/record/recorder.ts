// Records the actions in a live browser until the script is requested.
import { EngineError, type Clock } from '@harvestman/ports'
import type { z } from 'zod'

import { inspect, listenersName } from '../page/names.ts'
import type { LivePage } from '../page/live-page.ts'
import { outcomeSchema } from '../page/seen.ts'
import type { LiveTabs } from '../page/tabs.ts'
import { withClosed, withOpened, withOutcome, withEvent, type Act } from './acts.ts'
import type { Recording } from './compile.ts'
import { hearTab, isWeb, type TabHearer } from './hear-tab.ts'
import type { TaskSecrets } from './task-secrets.ts'

/** A running recording. */
export interface Recorder extends AsyncDisposable {
  /** Returns the actions so far. */
  heard(signal: AbortSignal): Promise<Recording>
}

const maxActs = 1_000
/** Milliseconds to wait until the listeners are installed in a new tab. */
const timeout = 10_000

/**
 * Waits for a page to settle: polling interval in milliseconds, maximum number of polls, and number of equal consecutive ones.
 */
const pollInterval = 100
const maxPolls = 20
const looksAtRest = 3

/**
 * Starts recording in the first tab, and in tabs opened from it. `secrets` names the secrets that are filled in: their steps
 * have no value, but states of fields in the recording may still contain it. Reading the result rejects with `invalid_request`
 * after more than 1,000 actions, and while there is none that a script could repeat.
 */
export async function listenTo(
  tabs: LiveTabs,
  clock: Clock,
  signal: AbortSignal,
  secrets?: Pick<TaskSecrets, 'find'>,
): Promise<Recorder> {
  let acts: readonly Act[] = []
  let isFull = false
  /** Ids of tabs whose page is unloading. */
  const leaving = new Set<string>()
  const { first } = tabs
  const nameOf = (tab: string | undefined): Act['tab'] => (tab === first.tab ? undefined : tab)
  const hearerOf = (tab: string): TabHearer => ({
    onEvent: (event) => {
      if (event.type === 'leaves') return void leaving.add(tab)
      leaving.delete(tab)
      if (acts.length < maxActs) acts = withEvent(acts, nameOf(tab), event, secrets?.find(event.value))
      else isFull = true
    },
    shown: (url, isGiven) => {
      leaving.delete(tab)
      if (!isGiven || !isWeb(url)) return
      if (acts.length >= maxActs) isFull = true
      else acts = [...acts, { type: 'goto', id: `goto:${acts.length}`, tab: nameOf(tab), url }]
    },
  })
  tabs.listen({
    opened: ({ tab, opener }, page) => {
      acts = withOpened(acts, tab, nameOf(opener))
      page.then((one) => hearTab(one, hearerOf(tab), AbortSignal.timeout(timeout))).catch(() => undefined)
    },
    // If the page was unloading, the user closed the tab. A run leaves such a tab open.
    closed: (tab) => {
      if (!leaving.delete(tab)) acts = withClosed(acts, tab)
    },
  })
  const start = await hearTab(first, hearerOf(first.tab), signal)
  return {
    heard: async (within) => {
      if (isFull)
        throw new EngineError('invalid_request', `More than ${maxActs} actions were recorded. Record fewer at a time.`)
      const tab = acts.at(-1)?.tab
      const last = tabs.open.find((one) => nameOf(one.tab) === tab)
      const outcome = last && (await outcomeAtRest(last, clock, within))
      const all = outcome ? withOutcome(acts, tab, outcome.page, outcome.after) : acts
      return { ...heardFrom(start, all), urls: await addressesOf(tabs, within) }
    },
    [Symbol.asyncDispose]: () => tabs[Symbol.asyncDispose](),
  }
}

async function addressesOf({ open }: LiveTabs, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const schema = outcomeSchema.shape.page.pick({ url: true })
  const all = open.map(async (page) => [page.tab, (await page.see(inspect('page'), schema, signal)).url] as const)
  return new Map(await Promise.all(all))
}

/** Returns the page after the last action, once it has settled. An element may be missing only until its image has loaded. */
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
  for (let count = 0, same = 0; count < maxPolls && same < looksAtRest; count += 1) {
    await clock.sleep(pollInterval, signal)
    const now = await look()
    same = JSON.stringify(now) === JSON.stringify(before) ? same + 1 : 0
    before = now
  }
  return before
}

/** A script starts on a web page: where the recording started, or where it first navigated. */
function heardFrom(start: string, acts: readonly Act[]): Recording {
  const [one, ...rest] = acts
  if (one?.type === 'goto' && one.url !== undefined) return { start: one.url, acts: rest }
  if (!isWeb(start)) throw new EngineError('invalid_request', 'No action was recorded yet that a script could repeat.')
  return { start, acts }
}
