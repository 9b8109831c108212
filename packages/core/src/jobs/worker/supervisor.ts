import { EngineError } from '../../errors/error.ts'
import type { LeaseWatch } from '../../records/lease.ts'
import type { Webhook } from '../../schema/webhook.ts'
import { leaseJob, type JobLease } from './job-lease.ts'
import type { JobView } from '../log/view.ts'
import type { JobKit } from '../kit.ts'
import { deliverEvents } from '../delivery/deliver-events.ts'
import { markOpen, markSettled } from './open-jobs.ts'
import { asksForMore, startRun, type JobRun } from '../run/run.ts'
import { makeNotifier, type Notifier } from '../../lib/notifier.ts'
import { webhookOf } from '../delivery/webhook-of.ts'

/** Sees to jobs, each by one attendant at a time: runs it as long as there is something to do, and tells its webhook. */
export interface Supervisor {
  /** Resolves when the job has ended here, or is not to be had: then another may take its place. */
  seeTo(id: string): Promise<void>
  has(id: string): boolean
  /** Resolves when all have come to their end. */
  gone(): Promise<void>
}

export interface SupervisorOptions {
  readonly kit: JobKit
  readonly watch: LeaseWatch
  readonly view: (id: string) => Promise<JobView>
  /** Resolves when the run is over. */
  readonly work: (run: JobRun) => Promise<void>
  /** Has somebody see to the job again. */
  readonly push: (id: string) => Promise<void>
  /** Aborted when the engine is closed. */
  readonly closed: AbortSignal
}

/** One attendant. */
interface Attendant {
  readonly id: string
  /** Rings when somebody asks for something. */
  readonly bell: Notifier
  /** Whether somebody did, since it was looked last. */
  isAskedFor: boolean
  /** To be called when the job has ended, though there may be more to tell of it. */
  readonly ended: () => void
}

export function makeSupervisor(options: SupervisorOptions): Supervisor {
  const { closed, push } = options
  const present = new Map<string, Attendant>()
  const working = new Set<Promise<void>>()

  const attend = async (attendant: Attendant): Promise<void> => {
    try {
      await seeToJob(attendant, options)
    } finally {
      present.delete(attendant.id)
      // Somebody asked for something while it ended.
      if (attendant.isAskedFor && !closed.aborted) await push(attendant.id)
    }
  }
  return {
    has: (id) => present.has(id),
    seeTo: async (id) => {
      if (closed.aborted) return
      const known = present.get(id)
      if (known) {
        known.isAskedFor = true
        return known.bell.tell()
      }
      const ended = Promise.withResolvers<void>()
      const attendant = { id, bell: makeNotifier(), isAskedFor: false, ended: ended.resolve }
      present.set(id, attendant)
      const work = attend(attendant)
      working.add(work)
      const leave = (): boolean => working.delete(work)
      work.then(leave, leave)
      // What is still to be told of a job that has ended is told while others take its place.
      await Promise.race([work, ended.promise])
    },
    gone: async () => void (await Promise.allSettled(working)),
  }
}

async function seeToJob(attendant: Attendant, options: SupervisorOptions): Promise<void> {
  const { kit, watch } = options
  const held = await leaseJob(attendant.id, kit, watch)
  if (!held) return
  try {
    if (await workAndTell(held, attendant, options)) await markSettled(kit.store, attendant.id)
  } finally {
    await held.release()
  }
}

/** Resolves to whether nothing is left to do for the job. */
async function workAndTell(held: JobLease, attendant: Attendant, options: SupervisorOptions): Promise<boolean> {
  const { opening, lost } = held
  const { kit, closed, work } = options
  const { store } = kit
  const stop = AbortSignal.any([closed, lost])
  const view = (): Promise<JobView> => options.view(opening.id)
  let run = await startRun(held, kit)
  if (run) await markOpen(store, opening)
  const webhook = webhookOf(opening, kit)
  const told = webhook ? tellOutside(webhook, { view, kit, stop, bell: attendant.bell }) : Promise.resolve(true)
  for (;;) {
    attendant.isAskedFor = false
    const rung = attendant.bell.wait(stop).catch(() => undefined)
    while (run) {
      await work(run)
      run = !stop.aborted && (await asksForMore(store, opening.id, run.tally)) ? await startRun(held, kit) : undefined
    }
    attendant.ended()
    const isTold = await Promise.race([told, rung])
    if (isTold !== undefined || stop.aborted) return isTold === true && (await isOver(view))
    const { tally } = await view()
    run = (await asksForMore(store, opening.id, tally)) ? await startRun(held, kit) : undefined
  }
}

interface Telling {
  readonly view: () => Promise<JobView>
  readonly kit: JobKit
  readonly stop: AbortSignal
  /** Rings when somebody asks for something. */
  readonly bell: Notifier
}

/** Resolves to whether all was told: not when the engine was closed before. */
async function tellOutside(webhook: Webhook, { view, kit, stop, bell }: Telling): Promise<boolean> {
  try {
    await deliverEvents(webhook, { view, kit, signal: stop, asked: bell.wait })
    return true
  } catch (error) {
    if (isNotFound(error)) return true
    if (!stop.aborted) kit.warn('A webhook is tried again later.', error)
    return false
  }
}

/** A job that has expired is over as well. */
async function isOver(view: () => Promise<JobView>): Promise<boolean> {
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
