import type { LoanHelperOptions, LoanResult, LoanWork } from '@harvestman/coordination'
import { EngineError, type ErrorCode, type Json, type OwnedBytes } from '@harvestman/ports'
import { deepFreeze, free, jsonPieces } from '@harvestman/ports/values'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'
import type { CreditHold } from '../../credits/hold.ts'
import type { PageRequest } from '../../schema/crawl.ts'
import type { Reading } from '../../scrape/readings.ts'
import type { JobKit } from '../kit.ts'
import { readCheckpoint } from '../log/checkpoint.ts'
import { joinDocuments, nextDocumentStart } from '../log/facts.ts'
import { openJobStorage, type JobStorage } from '../log/storage.ts'
import { factsOfPage, failureOf, parseRemotePage, type RemoteAnswer, type LoadedFacts } from './remote-page.ts'
import { loadPage, workOf, type PageOwner } from './load-page.ts'

/** Job of another engine, some of whose pages this engine loads. */
interface LendingJob extends PageOwner {
  readonly kit: Pick<JobKit, 'scrapePage' | 'store'>
  readonly storage: JobStorage
  /** Options and readings with which every page of the job is loaded. */
  readonly pages: PageRequest
  readonly readings: readonly Reading[]
}

/** A page loaded here whose document is not stored yet, or the reason why loading failed. */
type Borrowed = LoanResult &
  (
    | { readonly failure: RemoteAnswer }
    | {
        readonly facts: LoadedFacts
        readonly document: readonly OwnedBytes[]
        readonly bytes: number
        /** Generation of the store when the load began. */
        readonly since: number | undefined
      }
  )

/** Number of jobs whose setup is cached, least recently used first out. */
const maxCachedJobs = 100

/**
 * Creates the function that prepares another engine's job, so that some of its pages can be loaded here. It rejects with
 * `not_configured` if the job is unknown or its kind cannot be loaded by other engines.
 */
export function openRemotePages(kit: JobKit): LoanHelperOptions['open'] {
  const jobs = recentlyUsed<string, Promise<LendingJob>>(maxCachedJobs)
  const jobOf = (id: string): Promise<LendingJob> => {
    const known = jobs.get(id) ?? openJob(id, kit)
    jobs.set(id, known)
    known.catch(() => jobs.delete(id))
    return known
  }
  return async (group, name): Promise<LoanWork> => {
    const job = await jobOf(group)
    return {
      one: (piece, signal) => kit.scrape.around.run(workOf(job.opening), () => loadOne(job, piece, signal)),
      // Cast: it receives what `one` returned, and the values read from a page are JSON.
      keep: async (done, part) =>
        (await keep(job, done as readonly Borrowed[], { name: `lent-${name}`, part })) as readonly Json[],
    }
  }
}

async function openJob(id: string, kit: JobKit): Promise<LendingJob> {
  const { opening } = (await readCheckpoint(kit.store, id)) ?? {}
  const kind = kit.kinds.find(({ name }) => name === opening?.kind)
  if (!opening || !kind?.remoteReadings || !kind.pages) {
    throw new EngineError('not_configured', 'This engine cannot load the pages of this job.')
  }
  const pages = deepFreeze(kind.pages(opening))
  const storage = openJobStorage(kit.storeOf(opening.team), opening, kit)
  return { opening, storage, pages, readings: kind.remoteReadings, pricing: kind.pricing, kit }
}

/** Errors caused by this engine rather than by the page. The page is returned, and the owner of the job loads it itself. */
const ours: ReadonlySet<ErrorCode> = new Set([
  'aborted',
  'closed',
  'insufficient_credits',
  'internal',
  'newer_version',
  'not_configured',
  'store_failed',
])

async function loadOne(job: LendingJob, piece: Json, signal: AbortSignal): Promise<Borrowed | undefined> {
  const page = parseRemotePage(piece)
  if (!page) return undefined
  const { task, url, most, heldFor, isUnlinked, listed } = page
  const { pages, readings, kit } = job
  const since = kit.store.generation?.()
  try {
    const request = { ...pages, url }
    const hold = lentHold(most)
    const scraped = await loadPage(job, { task, request, readings, isUnlinked, listed, heldFor, hold, signal })
    const document = await jsonPieces(scraped.document)
    return {
      facts: factsOfPage(scraped, readings),
      document,
      bytes: document.reduce((sum, { length }) => sum + length, 0),
      since,
    }
  } catch (error) {
    if (signal.aborted || !EngineError.is(error) || ours.has(error.code)) return undefined
    return { failure: failureOf(error) }
  }
}

/** Credit hold limited to `most`, the amount that the owner of the job reserved for the page. The owner settles it. */
function lentHold(most = Infinity): CreditHold {
  return {
    reserve: async (credits) => {
      if (credits > most)
        throw new EngineError('insufficient_credits', 'The page costs more credits than were reserved for it.')
    },
    settle: async () => undefined,
    release: async () => undefined,
  }
}

interface Place {
  /** Name of a secondary log of the job. */
  readonly name: string
  readonly part: number
}

/**
 * Stores the documents in a secondary log of the job and returns the result of each page. A result is `null` if the store moved
 * to another server while the page was loaded: rows and files of the page may be lost, so its owner loads it again.
 */
async function keep(
  { storage, kit }: LendingJob,
  done: readonly Borrowed[],
  { name, part }: Place,
): Promise<readonly (RemoteAnswer | null)[]> {
  const documents = done.flatMap((one) => ('document' in one ? [one.document] : []))
  if (documents.length > 0) {
    const isStored = await storage.log.beside(name).append(part, { head: null, body: joinDocuments(documents) })
    if (!isStored) throw new EngineError('store_failed', 'The place for the documents of a loan is taken.')
    for (const document of documents) document.forEach(free)
  }
  let next = 0
  return done.map((one) => {
    if ('failure' in one) return one.failure
    const { facts, bytes, since } = one
    const start = next
    next = nextDocumentStart(start, bytes)
    if (since !== kit.store.generation?.()) return null
    return { ...facts, bytes, kept: { log: name, place: part, start } } satisfies RemoteAnswer
  })
}
