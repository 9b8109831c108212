import type { Course, Desk } from '../jobs/course.ts'
import type { Fact, Opening } from '../jobs/facts.ts'
import type { Json } from '../ports/value.ts'
import type { CrawlRequest } from '../schema/crawl.ts'
import { readSitemaps, type SitemapKit } from '../site/sitemaps.ts'
import { makeFrontier, type Waiting } from './frontier.ts'
import { hostRules } from './host-rules.ts'
import { crawlMemory } from './memory.ts'
import { noteIn, type CrawlNote, type FoundAddress } from './notes.ts'
import { sortAddresses } from './sort.ts'
import { makeTraps } from './traps.ts'
import { visitPage } from './visit.ts'

/** What a crawl reads of a site beside its pages. */
export type CrawlKit = SitemapKit

// Addresses that wait beyond what can be visited cost space and tell nobody anything.
const spare = { times: 4, more: 10_000 }

const startBlocked =
  'The robots.txt of the site asks robots not to visit the start. With ignoreRobotsTxt it is visited all the same.'

function trapWarning(traps: number): string {
  const parts =
    traps === 1 ? 'A part of the site has no end and was' : `${traps} parts of the site have no end and were`
  return `${parts} left out: the errors of the crawl say which.`
}

/** Goes from the start over links and sitemaps through a site, each page once. */
export function openCourse(opening: Opening, desk: Desk, kit: CrawlKit): Course {
  const request = opening.request as unknown as CrawlRequest
  const { limit, delay } = request
  const rules = hostRules(request, kit.robots, desk)
  const memory = crawlMemory(request, rules)
  const traps = makeTraps({ year: new Date(opening.createdAt).getUTCFullYear() })
  const frontier = makeFrontier({ spill: desk.scratch('frontier') })
  const visiting = new Map<number, Waiting>()
  /** Turns that were not used, by host, because the visits under way may reach the limit. */
  const held = new Map<string, number>()
  /** While the log is being read: pages that are done, and how many wait for each host, done ones among them. */
  const past = { done: new Set<number>(), waiting: new Map<string, number>() }
  const counts = { found: 0, done: 0, completed: 0 }
  let isReading = true
  let isExplored = false
  let warning: string | undefined
  let startFailure: string | undefined

  const room = (): number => limit * spare.times + spare.more - (counts.found - counts.done)
  const tools = { request, desk, memory, rules, traps, room }
  const note = (...notes: CrawlNote[]): Promise<void> => desk.note(notes as unknown as Json[])

  const wait = (waiting: Waiting): void => {
    const { host } = waiting
    if (!frontier.add(waiting)) return
    if (isReading) past.waiting.set(host, (past.waiting.get(host) ?? 0) + 1)
    else desk.offer(host)
  }
  const takeIn = (addresses: readonly FoundAddress[]): void => {
    for (const [url, host, depth, isExternal] of addresses) {
      const waiting = { number: counts.found, url, host, depth, isExternal: isExternal === 1 }
      counts.found += 1
      wait(waiting)
    }
  }
  const finish = (task: number): void => {
    counts.done += 1
    if (isReading) past.done.add(task)
    visiting.delete(task)
    // A page that failed gives its place back.
    const turns = [...held]
    held.clear()
    for (const [host, count] of turns) desk.offer(host, count)
  }
  const fold = (fact: Fact): void => {
    memory.fold(fact)
    const note = noteIn(fact)
    if (note.found) takeIn(note.found)
    if (note.explored) isExplored = true
    warning ??= note.warning
    if (fact.is === 'failed' && fact.task === 0) startFailure = fact.message
    if (fact.is === 'page') counts.completed += 1
    if (fact.is === 'page' || fact.is === 'failed' || fact.is === 'dropped') finish(fact.task)
  }

  const explore = async (): Promise<void> => {
    isReading = false
    for (const [host, count] of past.waiting) desk.offer(host, count)
    past.waiting.clear()
    if (counts.found === 0) await begin()
    if (isExplored) return
    if (request.sitemap !== 'skip') await readMaps()
    await note({ explored: true })
  }
  const begin = async (): Promise<void> => {
    const start = new URL(request.url)
    await rules.know(start.href)
    if (rules.allows(start)) return note({ found: [[start.href, start.host, 0, 0]] })
    await note({ blocked: [request.url] }, { left: [[request.url, 'ROBOTS_TXT']] }, { warning: startBlocked })
  }
  const readMaps = async (): Promise<void> => {
    const { headers, location } = request.scrapeOptions
    const { signal } = desk
    const tell = (message: string): void => desk.warn(message)
    const wanted = { start: new URL(memory.scope.start), ignoreCache: false, headers, languages: location.languages }
    for await (const pages of readSitemaps({ ...wanted, signal, tell }, kit)) {
      const urls = pages.map(({ url }) => url)
      await note(...(await sortAddresses(urls, { by: 'sitemap' }, tools)))
      if (room() <= 0) return
    }
  }
  const refill = (): void => {
    if (!frontier.wantsRefill) return
    frontier.refill().then(
      (back) => back.forEach((count, host) => desk.offer(host, count)),
      (error: unknown) => desk.warn('Addresses that wait could not be read back; that is tried again.', error),
    )
  }

  return {
    concurrency: request.maxConcurrency,
    delay: delay === undefined ? undefined : delay * 1000,
    fold,
    explore,
    take: (host) => {
      if (counts.completed + visiting.size >= limit) {
        held.set(host, (held.get(host) ?? 0) + 1)
        return undefined
      }
      let waiting = frontier.take(host)
      while (waiting && past.done.delete(waiting.number)) waiting = frontier.take(host)
      if (waiting) visiting.set(waiting.number, waiting)
      refill()
      return waiting
    },
    putBack: (task) => {
      const waiting = visiting.get(task.number)
      visiting.delete(task.number)
      if (waiting) frontier.putBack(waiting)
    },
    visit: async ({ number }, made) => {
      const waiting = visiting.get(number)
      return waiting ? visitPage(waiting, made, tools) : {}
    },
    left: () => Math.max(Math.min(limit - counts.completed, counts.found - counts.done), 0),
    verdict: () => {
      if (startFailure !== undefined && counts.completed === 0) return { status: 'failed', message: startFailure }
      const message = [warning ?? [], memory.traps > 0 ? trapWarning(memory.traps) : []].flat().join(' ')
      return { status: 'completed', ...(message !== '' && { message }) }
    },
  }
}
