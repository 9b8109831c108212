import { EngineError } from '../errors/error.ts'
import type { Stop } from '../ports/queue.ts'
import type { Turn } from '../schedule/scheduler.ts'
import { leaseWatch } from '../records/lease.ts'
import type { Webhook } from '../schema/webhook.ts'
import { claim, type Claim } from './claim.ts'
import type { View } from './job.ts'
import type { JobKit } from './kit.ts'
import { sendMail } from './mail.ts'
import { listOpen, markOpen, markSettled } from './open-jobs.ts'
import { readRecord } from './record.ts'
import { asksForMore, startRun, type Run } from './run.ts'
import { watchers, type Watchers } from './watchers.ts'
import { webhookOf } from './webhook-of.ts'

/** Where this engine works on jobs: those it was handed, and those that somebody left lying. */
export interface Floor {
  /** The job of this id, when it runs here. */
  find(id: string): Run | undefined
  /** Has somebody see to a job. */
  push(id: string): Promise<void>
  /** Begins to work, once; and looks for what was left lying, now and from time to time. */
  work(): Promise<void>
  /** Starts the visit of a job that is next. */
  start(turn: Turn): void
  /** Resolves when a job has begun to run here. */
  began(signal: AbortSignal): Promise<void>
  close(reason: EngineError): Promise<void>
}

/** How often jobs are looked for that somebody left lying, in milliseconds. */
const lookEvery = 5_000
/** How often letters are looked for that another engine may have sent. */
const readLettersEvery = 500
/** A job that was marked and not opened within this time never will be. */
const openWithin = 60_000
/** Jobs at once; how many pages at once is for the scheduler to say. */
const mostJobs = 1_000

export function makeFloor(kit: JobKit, view: (id: string) => Promise<View>): Floor {
  const { store, queue, clock } = kit
  const runs = new Map<string, Run>()
  const underWay = new Map<string, Watchers>()
  const working = new Set<Promise<void>>()
  const watch = leaseWatch(clock)
  const again = new Set<string>()
  const news = watchers()
  const closed = new AbortController()
  const timers: NodeJS.Timeout[] = []
  let started: Promise<Stop> | undefined

  const push = (id: string): Promise<void> => queue.push({ id, kind: 'job', body: null })

  const runHere = async (id: string): Promise<void> => {
    if (closed.signal.aborted) return
    const bell = underWay.get(id)
    if (bell) {
      again.add(id)
      return bell.tell()
    }
    const ended = Promise.withResolvers<void>()
    const own = watchers()
    underWay.set(id, own)
    const work = attend(id, own, ended.resolve)
    working.add(work)
    const gone = (): boolean => working.delete(work)
    work.then(gone, gone)
    // What is still to be told of a job that has ended is told while others take its place.
    await Promise.race([work, ended.promise])
  }
  const attend = async (id: string, bell: Watchers, ended: () => void): Promise<void> => {
    try {
      await workOn(id, bell, ended)
    } finally {
      underWay.delete(id)
      // Somebody asked for something while it ended.
      if (again.delete(id) && !closed.signal.aborted) await push(id)
    }
  }
  const workOn = async (id: string, bell: Watchers, ended: () => void): Promise<void> => {
    const held = await claim(id, kit, watch)
    if (!held) return
    try {
      if (await workAndTell(held, bell, ended)) await markSettled(store, id)
    } finally {
      await held.release()
    }
  }
  /** Resolves to whether nothing is left to do for the job. */
  const workAndTell = async (held: Claim, bell: Watchers, ended: () => void): Promise<boolean> => {
    const { opening, lost } = held
    const stop = AbortSignal.any([closed.signal, lost])
    let run = await startRun(held, kit)
    if (run) await markOpen(store, opening)
    const webhook = webhookOf(opening, kit)
    const told = webhook
      ? tellOutside(webhook, { view: () => view(opening.id), kit, stop, bell })
      : Promise.resolve(true)
    for (;;) {
      again.delete(opening.id)
      const rung = bell.wait(stop).catch(() => undefined)
      while (run) {
        await see(run)
        run = !stop.aborted && (await asksForMore(store, opening.id, run.tally)) ? await startRun(held, kit) : undefined
      }
      ended()
      const isTold = await Promise.race([told, rung])
      if (isTold !== undefined || stop.aborted) return isTold === true && (await isOver(() => view(opening.id)))
      const { tally } = await view(opening.id)
      run = (await asksForMore(store, opening.id, tally)) ? await startRun(held, kit) : undefined
    }
  }
  const see = async (run: Run): Promise<void> => {
    const { id } = run.opening
    if (closed.signal.aborted) return run.stop(closed.signal.reason as EngineError)
    runs.set(id, run)
    run.begin()
    news.tell()
    await run.over
    runs.delete(id)
  }

  const start = async (): Promise<Stop> => {
    const stop = await queue.consume(({ id }) => runHere(id), { concurrency: mostJobs })
    timers.push(setInterval(() => void look().catch(() => undefined), Math.min(lookEvery, kit.leaseTime)).unref())
    if (store.reach === 'process') return stop
    const readAll = (): void => runs.forEach((run) => void run.readLetters().catch(() => undefined))
    timers.push(setInterval(readAll, readLettersEvery).unref())
    return stop
  }
  const look = async (): Promise<void> => {
    for (const { id, createdAt } of await listOpen(store)) {
      if (underWay.has(id)) continue
      const isThere = createdAt + openWithin > clock.now() || (await readRecord(store, id)) !== undefined
      if (isThere) await push(id)
      else await markSettled(store, id)
    }
  }

  return {
    find: (id) => runs.get(id),
    push,
    began: (signal) => news.wait(signal),
    work: async () => {
      if (started) return void (await started)
      started = start()
      await started
      await look()
    },
    start: (turn) => {
      const run = runs.get(turn.job)
      if (run) run.visit(turn)
      else kit.scheduler.done(turn, {})
    },
    close: async (reason) => {
      closed.abort(reason)
      timers.forEach(clearInterval)
      await Promise.all([...runs.values()].map((run) => run.stop(reason)))
      const stop = await started?.catch(() => undefined)
      await stop?.()
      await Promise.allSettled(working)
    },
  }
}

interface Telling {
  readonly view: () => Promise<View>
  readonly kit: JobKit
  readonly stop: AbortSignal
  /** Rings when somebody asks for something. */
  readonly bell: Watchers
}

/** Resolves to whether all was told: not when the engine was closed before. */
async function tellOutside(webhook: Webhook, { view, kit, stop, bell }: Telling): Promise<boolean> {
  try {
    await sendMail(webhook, { view, kit, signal: stop, asked: bell.wait })
    return true
  } catch (error) {
    if (isNotFound(error)) return true
    if (!stop.aborted) kit.warn('A webhook is tried again later.', error)
    return false
  }
}

/** A job that has expired is over as well. */
async function isOver(view: () => Promise<View>): Promise<boolean> {
  try {
    return (await view()).tally.status !== 'scraping'
  } catch (error) {
    if (isNotFound(error)) return true
    throw error
  }
}

function isNotFound(error: unknown): boolean {
  return EngineError.is(error) && error.code === 'not_found'
}
