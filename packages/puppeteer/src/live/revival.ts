import { mayOpen } from '../fence/urls.ts'
import { isDoneWithin } from '../lib/race.ts'
import type { LiveTabs } from './tabs.ts'

/** Kills unresponsive pages of a live browser and reopens their URLs. */
export interface Revival {
  /** Resolves when every tab responds, or was reopened. */
  check(): Promise<void>
  /** Returns a message for each page that was killed since the last call. */
  takeNotes(): readonly string[]
  /** Returns whether the page of a tab is being killed and reopened. */
  isReviving(targetId: string): boolean
  /** Stops the periodic checks. */
  end(): void
}

export interface RevivalOptions {
  readonly liveTabs: LiveTabs
  /** Time in milliseconds that a page has to respond. */
  readonly limit: number
  /** Returns whether the pages are in use, so that they are also checked periodically. */
  readonly isUsed: () => boolean
  /** Called after a page was killed, which invalidates references to its elements. */
  readonly onEnd: () => void
}

/** A page that becomes unresponsive again within this time, in milliseconds, is not reopened. */
const again = 60_000
/** Additional time in milliseconds to read responses that arrived while this process was busy. */
const grace = 200
const endsWithin = 3_000
const opensWithin = 10_000
/** How long callers wait for the load event of a reopened page, in milliseconds. */
const loadsWithin = 2_000
const loaded = 'document.readyState === "complete" || new Promise((resolve) => addEventListener("load", resolve))'
const maxNotes = 20
const maxUrl = 300

interface Probe {
  readonly since: number
  readonly settled: Promise<unknown>
}

/**
 * Checks periodically, while the pages of a live browser are used, whether they respond within `limit` milliseconds. One that
 * does not is killed and its tab reopened, empty if this happens again within a minute.
 */
export function makeRevival({ liveTabs, limit, isUsed, onEnd }: RevivalOptions): Revival {
  const { probe, isProbing } = makeProbes(liveTabs)
  const reviving = new Map<string, Promise<void>>()
  const lastEnds = new Map<string, number>()
  const notes: string[] = []

  const revive = async (id: string, url: string): Promise<void> => {
    const now = performance.now()
    const wasEnded = now - (lastEnds.get(id) ?? -Infinity) < again
    lastEnds.set(id, now)
    const target = wasEnded || !mayOpen(url) ? 'about:blank' : url
    const crash = liveTabs.whyCrashed(id)
    if (crash === undefined) {
      // The browser only responds when the tab has a page again.
      liveTabs.send(id, 'Page.crash').catch(() => undefined)
      await isDoneWithin(endsWithin, liveTabs.crash(id))
    }
    onEnd()
    const problem = crash ?? `did not respond for ${limit / 1_000} s and was ended`
    const outcome =
      target === url ? 'Its URL is opened again, without what was typed into it.' : 'Its tab shows about:blank now.'
    if (notes.length < maxNotes) notes.push(`The page ${url.slice(0, maxUrl)} ${problem}. ${outcome}`)
    await isDoneWithin(opensWithin, liveTabs.send(id, 'Page.navigate', { url: target }))
    await isDoneWithin(loadsWithin, liveTabs.send(id, 'Runtime.evaluate', { expression: loaded, awaitPromise: true }))
  }

  const reviveOnce = (id: string, url: string): Promise<void> => {
    const running = reviving.get(id)
    if (running) return running
    const work = revive(id, url).finally(() => reviving.delete(id))
    reviving.set(id, work)
    return work
  }

  const checkTab = async (id: string, url: string): Promise<void> => {
    const { since, settled } = probe(id)
    const left = Math.max(0, since + limit - performance.now())
    const responds = !reviving.has(id) && (await isDoneWithin(left + grace, settled))
    if (!responds || liveTabs.whyCrashed(id) !== undefined) return reviveOnce(id, url)
  }

  const check = async (): Promise<void> => {
    const { tabs } = liveTabs
    for (const id of lastEnds.keys()) if (!tabs.some((tab) => tab.id === id)) lastEnds.delete(id)
    await Promise.all(tabs.map(({ id, url }) => checkTab(id, url)))
  }

  // An unresponsive page is also killed if nobody waits for it, because it uses CPU time.
  const end = repeat(check, () => isUsed() || isProbing(), limit / 4)
  return { check, takeNotes: () => notes.splice(0), isReviving: (targetId) => reviving.has(targetId), end }
}

/** Asks tabs whether they respond, with at most one pending question per tab. */
function makeProbes(liveTabs: LiveTabs): { probe(id: string): Probe; isProbing(): boolean } {
  const probes = new Map<string, Probe>()
  const probe = (id: string): Probe => {
    const open = probes.get(id)
    if (open) return open
    // An error is a response too: the tab was closed, or its page was killed.
    const settled = liveTabs
      .pageOf(id)
      .then((page) => page.send('Runtime.evaluate', { expression: '0' }))
      .catch(() => undefined)
      .finally(() => probes.delete(id))
    const made = { since: performance.now(), settled }
    probes.set(id, made)
    return made
  }
  return { probe, isProbing: () => probes.size > 0 }
}

/** Runs the work periodically while it is wanted, one run at a time. Returns a function to stop. */
function repeat(work: () => Promise<void>, isWanted: () => boolean, interval: number): () => void {
  let isRunning = false
  const run = (): void => {
    if (isRunning || !isWanted()) return
    isRunning = true
    work()
      .catch(() => undefined)
      .finally(() => (isRunning = false))
  }
  const timer = setInterval(run, Math.ceil(interval)).unref()
  return () => clearInterval(timer)
}
