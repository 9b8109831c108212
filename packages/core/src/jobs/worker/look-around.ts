import { askFor, standingsOf, type LeaseWatch, type LeaseStanding } from '@harvestman/coordination'
import type { JobKit } from '../kit.ts'
import { jobKey } from '../log/storage.ts'
import { isGoneFrom, leaseKey } from './job-lease.ts'
import { listOpen, markSettled } from './open-jobs.ts'
import type { OpenJob } from './open-job.ts'
import type { Supervisor } from './supervisor.ts'

export interface LookAroundOptions {
  readonly kit: JobKit
  readonly supervisor: Supervisor
  readonly watch: LeaseWatch
  /** Puts a job into the queue. */
  readonly push: (id: string, team: string) => Promise<void>
}

/** A job that was marked and not opened within this time never will be. */
const openWithin = 60_000
/** A job that is younger is not asked for, in milliseconds: most end sooner than it would pay. */
const movesAfter = 10_000
/** Of what another worker has more, this part is asked for at once: others may ask for some of it, too. */
const part = 1 / 8

type Other = OpenJob & { readonly standing: LeaseStanding }

/**
 * Looks at the jobs of other workers. Those without a worker are put into the queue; many engines look, and few of the
 * jobs are left behind. And some are asked for of a worker that has more than this one, as after more workers were started.
 */
export async function lookAround({ kit, supervisor, watch, push }: LookAroundOptions): Promise<void> {
  const { store, clock, owner } = kit
  const open = (await listOpen(store)).filter(({ id }) => !supervisor.has(id))
  const keys = open.map(({ id }) => leaseKey(id))
  const standings = await standingsOf(store, keys, { watch, isGone: isGoneFrom(store) })
  const others = open.map((job, index): Other => ({ ...job, standing: standings[index] ?? {} }))
  for (const { id, team, createdAt, standing } of others) {
    if (standing.holder !== undefined) continue
    if (isGivenTo(owner, standing)) void supervisor.supervise(id, team).catch(() => undefined)
    if (standing.asker !== undefined) continue
    const isThere = createdAt + openWithin > clock.now() || (await hasCheckpoint(store, id))
    if (isThere) await push(id, team)
    else await markSettled(store, id)
  }
  const wanted = toAskFor(others, supervisor.running, clock.now() - Math.min(movesAfter, 2 * kit.leaseTime))
  for (const { id } of wanted) await askFor(store, leaseKey(id), owner)
  if (wanted.length > 0) void takeGiven(wanted, { kit, supervisor, watch, push }).catch(() => undefined)
}

/** Takes what it is given as soon as that is free, and does not wait for the next look. */
async function takeGiven(wanted: readonly Other[], { kit, supervisor, watch }: LookAroundOptions): Promise<void> {
  const { store, owner, leaseTime } = kit
  const waits = leaseTime / 15
  let left = wanted
  for (let tries = 0; tries < 15 && left.length > 0; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, waits).unref())
    const keys = left.map(({ id }) => leaseKey(id))
    const standings = await standingsOf(store, keys, { watch, isGone: isGoneFrom(store) })
    const isGiven = (index: number): boolean => isGivenTo(owner, standings[index])
    left.forEach(({ id, team }, index) => isGiven(index) && void supervisor.supervise(id, team).catch(() => undefined))
    left = left.filter((_, index) => !isGiven(index))
  }
}

function isGivenTo(owner: string, { holder, asker }: LeaseStanding = {}): boolean {
  return holder === undefined && asker === owner
}

/** Some of the jobs of the worker that has most, when that is more than this one has; another one may ask for others. */
function toAskFor(others: readonly Other[], running: number, before: number): readonly Other[] {
  const held = Map.groupBy(others, ({ standing }) => standing.holder)
  held.delete(undefined)
  const most = [...held.values()].toSorted((one, other) => other.length - one.length)[0] ?? []
  if (most.length - running < 2) return []
  const free = most.filter(({ createdAt, standing }) => createdAt < before && standing.asker === undefined)
  const first = Math.floor(Math.random() * free.length)
  return [...free.slice(first), ...free.slice(0, first)].slice(0, Math.ceil((most.length - running) * part))
}

/** One that a newer engine has written is there as well. */
async function hasCheckpoint(store: JobKit['store'], id: string): Promise<boolean> {
  return (await store.get(jobKey(id))) !== undefined
}
