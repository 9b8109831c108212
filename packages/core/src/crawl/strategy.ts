import { deepFreeze } from '@harvestman/ports/values'
import type { Strategy, RunContext } from '../jobs/run/strategy.ts'
import type { Fact, Opening } from '../jobs/log/facts.ts'
import type { CrawlRequest } from '../schema/crawl.ts'
import { noteSitemaps, noteStart, type CrawlKit } from './explore.ts'
import { hostRules } from './host-rules.ts'
import { crawlParts } from './crawl-parts.ts'
import { makeCrawlQueue } from './crawl-queue.ts'
import { listedTimes } from './listed-times.ts'
import { crawlMemory } from './memory.ts'
import { crawlNoteOf } from './notes.ts'
import { makeRecall } from './recall.ts'
import { learnFrom } from './trap-notes.ts'
import { makeTraps } from '@harvestman/site'
import { preparePage, receivePage } from './visit.ts'

// Maximum number of waiting URLs: `times` the limit plus `more`. Further ones could never be visited and only take memory.
const spare = { times: 4, more: 10_000 }

function trapWarning(traps: number): string {
  const parts =
    traps === 1 ? 'A part of the site has no end and was' : `${traps} parts of the site have no end and were`
  return `${parts} left out. The errors of the crawl have their URLs.`
}

/**
 * Creates the strategy of a crawl, which follows links and sitemaps from the start URL and visits each page once, at most
 * `limit` pages. Throws `invalid_request` if the start is not a URL or a pattern is invalid.
 */
export function openStrategy(opening: Opening, context: RunContext, kit: CrawlKit): Strategy {
  // Frozen, so that whatever is compiled from the request is compiled once for all pages.
  const request = deepFreeze(opening.request as CrawlRequest)
  const { limit, delay } = request
  const rules = hostRules(request, kit.robots, context)
  const memory = crawlMemory(request, rules, kit.hasParser)
  const traps = makeTraps({ year: new Date(opening.createdAt).getUTCFullYear() })
  const followed = kit.followed?.(request, opening.team)
  const come: Come = { completed: 0, isExplored: false, warning: undefined, startFailure: undefined }
  const queue = makeCrawlQueue(context, (underWay) => come.completed + underWay < limit)
  const room = (): number => limit * spare.times + spare.more - (queue.found - queue.done)
  const listed = request.since === undefined ? undefined : listedTimes()
  const tools = { request, context, memory, rules, traps, room, listed, isMissing: followed?.isMissing }
  const left = (): number => Math.max(Math.min(limit - come.completed, queue.found - queue.done), 0)
  const recall =
    followed &&
    makeRecall({
      pages: followed,
      signal: context.signal,
      found: () => queue.found,
      left,
      hasRoom: () => come.completed < limit,
    })

  return {
    concurrency: request.maxConcurrency,
    delay: delay === undefined ? undefined : delay * 1000,
    fold: (fact) => {
      memory.fold(fact)
      const note = crawlNoteOf(fact)
      learnFrom(note, traps)
      recall?.fold(fact)
      if (note.found) queue.add(note.found)
      foldInto(come, fact, note)
      if (fact.is === 'page' || fact.is === 'failed' || fact.is === 'dropped') queue.finish(fact.task)
    },
    explore: async (note) => {
      // If modification times are used, no page is visited before the sitemaps have been read.
      const isLater = listed !== undefined && !come.isExplored
      if (!isLater) queue.begin()
      if (queue.found === 0) await noteStart(tools, note)
      // If the start cannot be visited, its sitemaps are not read either.
      if (!come.isExplored && come.startFailure === undefined) await noteSitemaps(tools, note, kit)
      if (isLater) queue.begin()
      if (come.startFailure === undefined) await recall?.follow(note, tools)
    },
    take: queue.take,
    putBack: ({ number }) => queue.putBack(number),
    prepare: ({ number }) => {
      const waiting = queue.visited(number)
      return waiting ? preparePage(waiting, { ...tools, isUnlinked: recall?.isUnlinked(number) }) : { outcome: {} }
    },
    receive: ({ number }, scraped) => {
      const waiting = queue.visited(number)
      return waiting ? receivePage(waiting, scraped, { ...tools, isUnlinked: recall?.isUnlinked(number) }) : {}
    },
    left,
    inParts: crawlParts({ memory, queue, traps, recall, come }),
    verdict: () => verdictOn(come, memory.traps),
  }
}

/** Progress of a crawl. */
interface Come {
  completed: number
  isExplored: boolean
  warning: string | undefined
  startFailure: string | undefined
}

function foldInto(come: Come, fact: Fact, note: ReturnType<typeof crawlNoteOf>): void {
  if (note.explored) come.isExplored = true
  come.warning ??= note.warning
  come.startFailure ??= note.impossible
  if (fact.is === 'failed' && fact.task === 0) come.startFailure = fact.message
  if (fact.is === 'page') come.completed += 1
}

function verdictOn(
  { completed, warning, startFailure }: Come,
  traps: number,
): ReturnType<NonNullable<Strategy['verdict']>> {
  if (startFailure !== undefined && completed === 0) return { status: 'failed', message: startFailure }
  const message = [warning ?? [], traps > 0 ? trapWarning(traps) : []].flat().join(' ')
  return { status: 'completed', ...(message !== '' && { message }) }
}
