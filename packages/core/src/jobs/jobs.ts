import { EngineError } from '../errors/error.ts'
import type { Json } from '../ports/value.ts'
import type { Turn } from '../schedule/scheduler.ts'
import type { AnyDocument } from '../scrape/document.ts'
import { checkReceiver } from '../webhooks/check.ts'
import { keptContents } from './contents.ts'
import type { Fact } from './facts.ts'
import { makeFloor } from './floor.ts'
import type { Job, JobStatus } from './handle.ts'
import { makeJob, type View } from './job.ts'
import type { JobKit } from './kit.ts'
import { stateOfMail } from './mail-state.ts'
import { createJob, type NewJob } from './new-job.ts'
import { listOpen } from './open-jobs.ts'
import { findDocument } from './pages.ts'
import { jobOfPage } from './page-ids.ts'
import { factsUpTo } from './read-log.ts'
import { openDrawer, readRecord, statusOf } from './record.ts'
import { webhookOf } from './webhook-of.ts'
import { makeWishes } from './wishes.ts'

/** The jobs of one engine. */
export interface Jobs {
  open(job: NewJob): Promise<Job>
  find(id: string, team: string): Promise<Job>
  /** Brings more to do to a job of a kind, whether or not it has ended. */
  sendMore(id: string, who: { readonly team: string; readonly kind: string }, body: Json): Promise<Job>
  /** Those of a team that are not over. */
  running(team: string): Promise<readonly JobStatus[]>
  /** What has happened to a job until now, in order. */
  facts(id: string, team: string): AsyncIterable<Fact>
  /** The document of a page of some job, by the id of its scrape. */
  findPage(id: string, team: string): Promise<AnyDocument>
  /** Takes up what was left lying, now and from time to time. */
  work(): Promise<void>
  /** Starts the visit of a job that is next. */
  start(turn: Turn): void
  close(reason: EngineError): Promise<void>
}

/** How often a job is looked at that runs elsewhere, in milliseconds. */
const viewEvery = 500

export function makeJobs(kit: JobKit): Jobs {
  const { store } = kit
  const closed = new AbortController()
  const view = async (id: string): Promise<View> => floor.find(id) ?? viewElsewhere(id, floor.began, kit)
  const floor = makeFloor(kit, view)

  const wishes = makeWishes({ view, floor, store })
  const handleOf = (id: string, kind: string): Job =>
    makeJob(
      { id, kind },
      {
        view: () => view(id),
        cancel: () => wishes.cancel(id),
        webhook: async () => stateOfMail((await view(id)).opening, store),
        redeliver: () => wishes.redeliver(id),
        closed: closed.signal,
      },
    )

  /** To other teams a job is not there. */
  const viewOwn = async (id: string, team: string): Promise<View> => {
    await floor.work()
    const found = await view(id)
    if (found.opening.team !== team) throw notFound()
    return found
  }

  return {
    work: floor.work,
    start: floor.start,
    open: async (job) => {
      const webhook = webhookOf({ id: '', request: job.request }, kit)
      if (webhook) await checkReceiver(webhook.url, kit.scrape.guard)
      await floor.work()
      const { id, kind } = await createJob(job, kit)
      await floor.push(id)
      return handleOf(id, kind)
    },
    find: async (id, team) => handleOf(id, (await viewOwn(id, team)).opening.kind),
    sendMore: async (id, { team, kind }, body) => {
      const found = await viewOwn(id, team)
      if (found.opening.kind !== kind) throw notFound()
      await wishes.more(found, body)
      return handleOf(id, kind)
    },
    running: async (team) => {
      await floor.work()
      const own = (await listOpen(store)).filter((job) => job.team === team)
      const views = await Promise.all(own.map(({ id }) => view(id).catch(() => undefined)))
      return views.flatMap((found) => (found?.tally.status === 'scraping' ? [statusOf(found)] : []))
    },
    facts: async function* (id, team) {
      const { drawer, places } = await viewOwn(id, team)
      yield* factsUpTo(drawer.log, places)
    },
    findPage: (id, team) => findPage(id, team, view, kit),
    close: async (reason) => {
      closed.abort(reason)
      await floor.close(reason)
    },
  }
}

/** A job that does not run here, as its record tells; it may begin to run here at any moment. */
async function viewElsewhere(
  id: string,
  began: (signal: AbortSignal) => Promise<void>,
  { store, clock }: JobKit,
): Promise<View> {
  const record = await readRecord(store, id)
  if (!record) throw notFound()
  const drawer = openDrawer(store, record.opening, clock)
  const contents = keptContents(store, drawer.name, record.contents)
  const changed = async (signal: AbortSignal): Promise<void> => {
    // Whoever waits leaves nothing behind: a job may be watched for hours.
    const stop = new AbortController()
    const either = AbortSignal.any([signal, stop.signal])
    await Promise.race([began(either), clock.sleep(viewEvery, either)]).finally(() => stop.abort())
  }
  return { ...record, drawer, contents, changed }
}

async function findPage(
  id: string,
  team: string,
  view: (id: string) => Promise<View>,
  { store }: JobKit,
): Promise<AnyDocument> {
  const job = await jobOfPage(store, id)
  const { opening, drawer } = job ? await view(job) : {}
  if (opening && opening.team !== team) throw new EngineError('forbidden', 'This scrape belongs to another team.')
  const bytes = drawer && (await findDocument(drawer.log, id))
  if (bytes) return JSON.parse(new TextDecoder().decode(bytes)) as AnyDocument
  throw new EngineError('not_found', 'There is no scrape under this id, or it has expired.')
}

function notFound(): EngineError {
  return new EngineError('not_found', 'There is no job under this id, or it has expired.')
}
