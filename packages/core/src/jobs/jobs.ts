import { parseStored } from '@harvestman/ports/stores'
import { openJson } from '@harvestman/toolbox/open-json'
import { EngineError, type Json } from '@harvestman/ports'
import type { HostTurn } from '@harvestman/schedule'
import type { AnyDocument } from '../scrape/document.ts'
import { replayContext } from '../scrape/results.ts'
import type { ReplayContext } from '../plugin/feature.ts'
import { checkReceiver } from '@harvestman/webhooks'
import type { Fact, Opening } from './log/facts.ts'
import { makeWorker, type Worker } from './worker/worker.ts'
import type { Job, JobError, JobStatus } from './handle.ts'
import { jobNotFound, type JobView } from './log/view.ts'
import { makeHandle } from './make-handle.ts'
import { isInternal } from './log/internal.ts'
import type { JobKit } from './kit.ts'
import { deliveryState } from './delivery/delivery-state.ts'
import { createJob, type NewJob } from './new-job.ts'
import { makeOwnKinds } from './own-work.ts'
import type { OwnWork, OwnWorkInput } from '../plugin/own-work.ts'
import { listOpen } from './worker/open-jobs.ts'
import { listJobs, type JobListPage, type JobQuery } from './listing.ts'
import { findDocument } from './log/read-documents.ts'
import { jobOfPage, pageId } from './log/page-ids.ts'
import { factsUpTo } from './log/replay.ts'
import { statusOf } from './log/checkpoint.ts'
import { exampleId, webhookOf } from './delivery/webhook-of.ts'
import { viewElsewhere, viewHere } from './views.ts'
import { makeControl, type JobControl } from './worker/control.ts'
import { unknownKind } from '../lib/unknown-kind.ts'

export type { JobCaller } from './caller.ts'

/** A kind of job, with its name for error messages. */
interface OneKind {
  readonly kind: string
  readonly title?: string
  /** Throws if the caller may not access the job. */
  checkOpening?(opening: Opening): void
}

/** Throws when the caller may not read jobs of a kind. */
export type CheckKind = (kind: string) => void

const anyKind: CheckKind = () => undefined

/** The jobs of one engine. */
export interface Jobs {
  open(job: NewJob): Promise<Job>
  find(id: string, team: string, only?: OneKind): Promise<Job>
  /** Sends more work to a job, even if it has ended. Each part is stored and processed in one step, so its size is limited. */
  sendMore(id: string, who: OneKind & { readonly team: string }, parts: readonly Json[]): Promise<Job>
  /** Lists the running jobs of a team. */
  running(team: string): Promise<readonly JobStatus[]>
  /** Lists the stored jobs of a team, newest first. */
  list(team: string, query?: JobQuery, isShown?: (kind: string) => boolean): Promise<JobListPage>
  /** Counts the open jobs of all teams. */
  count(): Promise<number>
  /** Counts the open jobs by team. */
  countByTeam(): Promise<Readonly<Record<string, number>>>
  /** Returns the ids that the first `count` pages of a job have once they are loaded. */
  pageIds(id: string, team: string, count: number): Promise<readonly string[]>
  /** Reads all facts of a job so far, in order. */
  facts(id: string, team: string): AsyncIterable<Fact>
  /** Returns the document of a job's page by the id of its scrape. Rejects with the error of the page if it failed. */
  findPage(id: string, team: string, isEncoded?: boolean, checkKind?: CheckKind): Promise<AnyDocument>
  /** Returns the options needed to load such a page again; `undefined` if they may not be stored. */
  findReplay(id: string, team: string, checkKind?: CheckKind): Promise<ReplayContext | undefined>
  /** Starts to work on jobs, and takes over abandoned ones now and at intervals. */
  work(): Promise<void>
  /** Adds a kind of job for the work of a feature. */
  ownWork<Request extends Json>(input: OwnWorkInput<Request>): OwnWork<Request>
  /** Starts the visit that the scheduler granted. */
  start(turn: HostTurn): void
  close(reason: EngineError): Promise<void>
}

/**
 * Creates the jobs of one engine. Functions that take the id of a job reject with `not_found` if the team has no such job.
 * `findPage` and `findReplay` take the id of a scrape, and reject with `forbidden` for a page of another team.
 */
export function makeJobs(given: JobKit): Jobs {
  const kinds = [...given.kinds]
  const kit = { ...given, kinds }
  const own = makeOwnKinds(kinds, kit.clock)
  const closed = new AbortController()
  const view = async (id: string): Promise<JobView> => {
    const run = worker.find(id)
    return run ? viewHere(run, kit) : viewElsewhere(id, worker, kit)
  }
  const worker = makeWorker(kit, view)
  const beAtWork = async (): Promise<void> => (kit.works ? worker.work() : undefined)

  const control = makeControl({ view, worker, kit })
  const handleOf = handleMaker({ view, control, kit, closed: closed.signal })

  /** Views a job of the team. Rejects with `not_found` for other teams and for a caller that expects another kind. */
  const viewOwn = async (id: string, team: string, only?: OneKind): Promise<JobView> => {
    await beAtWork()
    const found = await view(id)
    if (found.opening.team !== team || isInternal(found.opening.kind)) throw jobNotFound(id)
    if (only && found.opening.kind !== only.kind) throw jobNotFound(id, only.title)
    only?.checkOpening?.(found.opening)
    return found
  }

  return {
    work: worker.work,
    start: worker.start,
    open: async (job) => {
      await checkWebhook(job, kit)
      await beAtWork()
      const opening = await createJob(job, kit)
      const { id, kind } = opening
      await worker.push(opening)
      return handleOf(id, kind)
    },
    find: async (id, team, only) => handleOf(id, (await viewOwn(id, team, only)).opening.kind),
    sendMore: async (id, { team, ...only }, parts) => {
      await control.more(await viewOwn(id, team, only), parts)
      return handleOf(id, only.kind)
    },
    ...listsOf(kit, { worker, view, beAtWork }),
    facts: async function* (id, team) {
      const { storage, places } = await viewOwn(id, team)
      yield* factsUpTo(storage.log, places)
    },
    pageIds: async (id, team, count) => {
      const { opening } = await viewOwn(id, team)
      return Array.from({ length: count }, (_, task) => pageId(opening, task))
    },
    ...pagesOf(kit, { view, errors: async (id) => (await handleOf(id, '').errors()).errors }),
    ownWork: (input) => own.define(input, { kit, worker, beAtWork }),
    close: async (reason) => {
      closed.abort(reason)
      await worker.close(reason)
      await own.idle()
    },
  }
}

interface HandleKit {
  readonly view: (id: string) => Promise<JobView>
  readonly control: JobControl
  readonly kit: JobKit
  readonly closed: AbortSignal
}

function handleMaker({ view, control, kit, closed }: HandleKit): (id: string, kind: string) => Job {
  return (id, kind) =>
    makeHandle(
      { id, kind },
      {
        view: () => view(id),
        request: async () => requestOf(await view(id), kit),
        cancel: () => control.cancel(id),
        webhook: async () => deliveryState((await view(id)).opening, kit.store),
        redeliver: () => control.redeliver(id),
        closed,
      },
    )
}

async function checkWebhook({ kind, request }: NewJob, kit: JobKit): Promise<void> {
  const webhook = webhookOf({ id: exampleId, kind, request }, kit)
  if (webhook) await checkReceiver(webhook.url, kit.scrape.guard)
}

/** Returns the full request of a job, including parts stored in notes. */
function requestOf({ opening, storage, places }: JobView, { kinds }: JobKit): Json | Promise<Json> {
  const { fullRequest } = kinds.find(({ name }) => name === opening.kind) ?? {}
  return fullRequest ? fullRequest(opening, factsUpTo(storage.log, places)) : (opening.request as Json)
}

interface Listing {
  readonly worker: Worker
  readonly view: (id: string) => Promise<JobView>
  readonly beAtWork: () => Promise<void>
}

function listsOf(
  kit: JobKit,
  { worker, view, beAtWork }: Listing,
): Pick<Jobs, 'count' | 'countByTeam' | 'running' | 'list'> {
  const { store } = kit
  const isListed = ({ kind }: { readonly kind: string }): boolean => !isInternal(kind)
  const listOwn = async () => (await listOpen(store)).filter(isListed)
  return {
    count: async () => (await listOwn()).length,
    countByTeam: async () => {
      const counts = new Map<string, number>()
      for (const { team } of await listOwn()) counts.set(team, (counts.get(team) ?? 0) + 1)
      return Object.fromEntries(counts)
    },
    running: async (team) => {
      await beAtWork()
      const own = (await listOwn()).filter((job) => job.team === team)
      const views = await Promise.all(own.map(({ id }) => view(id).catch(() => undefined)))
      return views.flatMap((found) => (found?.tally.status === 'scraping' ? [statusOf(found)] : []))
    },
    list: async (team, query, mayShow = () => true) => {
      const isShown = (kind: string): boolean => isListed({ kind }) && mayShow(kind)
      if (query?.kind !== undefined) requireKind(query.kind, kit)
      await beAtWork()
      const here = (id: string): JobView | undefined => {
        const run = worker.find(id)
        return run && viewHere(run, kit)
      }
      return listJobs(team, query, { store, clock: kit.clock, here, isShown })
    },
  }
}

function pagesOf(kit: JobKit, look: Look): Pick<Jobs, 'findPage' | 'findReplay'> {
  return {
    findPage: async (id, team, isEncoded = false, checkKind = anyKind) => {
      const { bytes } = await findPage(id, { team, checkKind }, look, kit)
      return (isEncoded ? await openJson(bytes) : parseStored(new TextDecoder().decode(bytes))) as AnyDocument
    },
    findReplay: async (id, team, checkKind = anyKind) => {
      const { opening, bytes } = await findPage(id, { team, checkKind }, look, kit)
      return replayOfPage(opening, await openJson(bytes), kit)
    },
  }
}

interface KeptPage {
  readonly opening: Opening
  /** The document as JSON. */
  readonly bytes: Uint8Array
}

function requireKind(kind: string, { kinds }: Pick<JobKit, 'kinds'>): void {
  const names = kinds.map(({ name }) => name).filter((name) => !isInternal(name))
  if (names.includes(kind)) return
  throw unknownKind(kind, names)
}

interface Look {
  readonly view: (id: string) => Promise<JobView>
  readonly errors: (id: string) => Promise<readonly JobError[]>
}

interface PageReader {
  readonly team: string
  readonly checkKind: CheckKind
}

async function findPage(
  id: string,
  { team, checkKind }: PageReader,
  { view, errors }: Look,
  { store }: JobKit,
): Promise<KeptPage> {
  const job = await jobOfPage(store, id)
  const { opening, storage } = job ? await view(job) : {}
  if (opening && opening.team !== team) throw new EngineError('forbidden', 'This scrape belongs to another team.')
  if (opening) checkKind(opening.kind)
  const bytes = storage && (await findDocument(storage.log, id))
  if (bytes && opening) return { opening, bytes }
  const failed = job && (await errors(job)).find((one) => one.id === id)
  if (failed) throw new EngineError(failed.code, failed.error)
  throw new EngineError('not_found', 'This scrape does not exist, or it has expired.')
}

function replayOfPage(
  opening: Opening,
  document: Readonly<Record<string, unknown>>,
  { kinds }: JobKit,
): ReplayContext | undefined {
  const pages = kinds.find(({ name }) => name === opening.kind)?.pages?.(opening)
  if (!pages || pages.zeroDataRetention) return undefined
  return replayContext({ ...pages, url: (document as AnyDocument).metadata.sourceURL })
}
