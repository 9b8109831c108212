import { nextTurn } from '@harvestman/toolbox/next-turn'
import type { HostRules } from './host-rules.ts'
import type { CrawlMemory } from './memory.ts'
import type { CrawlNote, SkippedUrl } from './notes.ts'
import type { Reason } from './reasons.ts'
import type { FoundBy } from './scope.ts'
import { trapNotes } from './trap-notes.ts'
import type { FoundUrl, Traps } from '@harvestman/site'

export interface SortTools {
  readonly memory: CrawlMemory
  readonly rules: HostRules
  readonly traps: Traps
  /** Returns how many more URLs may be added. */
  readonly room: () => number
}

/**
 * Filters out URLs that are already decided: most links of a page are also on other pages. A separate function, because V8
 * optimizes a short loop early and a long one again and again.
 */
function unsettled(urls: readonly string[], memory: CrawlMemory): readonly string[] {
  const open: string[] = []
  for (const text of urls) if (!memory.isSettled(text)) open.push(text)
  return open
}

// URLs per turn of the event loop, a few milliseconds of work, and per group of notes.
const urlsInTurn = 2_000

/**
 * Decides for each URL whether it is added to the crawl, and returns the notes with the reasons, in groups that belong together.
 * URLs seen before are ignored. A long list gives several groups. Rejects if the robots.txt rules of a host cannot be loaded,
 * as `know` does.
 */
export async function sortUrls(urls: readonly string[], found: FoundBy, tools: SortTools): Promise<CrawlNote[][]> {
  if (urls.length <= urlsInTurn) return [await sortInTurn(urls, found, tools)]
  const groups: CrawlNote[][] = []
  let taken = 0
  for (let at = 0; at < urls.length; at += urlsInTurn) {
    await nextTurn()
    const sorted = await sortInTurn(urls.slice(at, at + urlsInTurn), found, {
      ...tools,
      room: () => tools.room() - taken,
    })
    for (const note of sorted) if ('found' in note) taken += note.found.length
    groups.push(sorted)
  }
  return groups
}

async function sortInTurn(
  urls: readonly string[],
  found: FoundBy,
  { memory, rules, traps, room }: SortTools,
): Promise<CrawlNote[]> {
  const take: FoundUrl[] = []
  const left: SkippedUrl[] = []
  const blocked: string[] = []
  const reports: CrawlNote[] = []
  const leave = (url: string, reason: Reason, sentence?: string): void => {
    if (!memory.leave(url)) return
    left.push(sentence === undefined ? [url, reason] : [url, reason, sentence])
    if (reason === 'ROBOTS_TXT') blocked.push(url)
  }
  for (const text of unsettled(urls, memory)) {
    let verdict = memory.scope.judge(text, found)
    // Load the rules of a host only when one of its URLs is about to be accepted.
    if (verdict.take && !rules.isKnown(verdict.url)) {
      await rules.know(verdict.url)
      verdict = memory.scope.judge(text, found)
    }
    if (verdict.take || !memory.scope.dependsOnPage(verdict.reason)) memory.settle(text)
    if (!verdict.take) {
      leave(text, verdict.reason, verdict.sentence)
      continue
    }
    const { url, host, depth, isExternal } = verdict
    // Remember it now: other pages with the same link are processed at the same time.
    if (!memory.meet(url)) continue
    const trap = traps.judge(url, depth)
    if (trap) {
      leave(url, 'TRAP', trap.sentence)
      reports.push(...trapNotes(url, trap, memory))
    } else if (take.length >= room()) leave(url, 'LIMIT')
    else take.push([url, host, depth, isExternal ? 1 : 0])
  }
  const on = found.by === 'link' ? { on: found.page } : {}
  return [
    ...(take.length > 0 ? [{ found: take, ...on }] : []),
    ...(left.length > 0 ? [{ left, ...on }] : []),
    ...(blocked.length > 0 ? [{ blocked }] : []),
    ...reports,
  ]
}

/** Returns groups of notes about URLs that the crawl would visit if a visitor could see the links to them. */
export async function leaveUnseen(
  urls: readonly string[],
  found: FoundBy & { readonly by: 'link' },
  { memory }: SortTools,
): Promise<CrawlNote[][]> {
  const groups: CrawlNote[][] = []
  for (let at = 0; at < urls.length; at += urlsInTurn) {
    if (at > 0) await nextTurn()
    const left = unsettled(urls.slice(at, at + urlsInTurn), memory)
      .filter((url) => memory.scope.judge(url, found).take && !memory.knows(url) && memory.leave(url))
      .map((url): SkippedUrl => [url, 'HIDDEN_LINK'])
    if (left.length > 0) groups.push([{ left, on: found.page }])
  }
  return groups
}
