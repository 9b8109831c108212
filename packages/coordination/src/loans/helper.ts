import {
  EngineError,
  type Clock,
  type Json,
  type Queue,
  type Stop,
  type Store,
  type Task,
  elapsed,
} from '@harvestman/ports'
import { makeSequence } from '@harvestman/toolbox/sequence'
import { coordinationKeys } from '../keys.ts'
import { heartbeat } from '../records/heartbeat.ts'
import { lease, leaseWatch, type LeaseWatch } from '../records/lease.ts'
import { isOwnerGone } from '../records/owner.ts'
import { loanLeaseKey, maxLoanTime, loanPartKey } from './owner.ts'
import {
  parseBody,
  loanKind,
  maxItems,
  sealAnswer,
  sealBody,
  sealPart,
  type LoanTask,
  type Offer,
  type PieceResult,
} from './messages.ts'

/** The helper side of remote pages: does work of other engines in the free slots of this one. */
export interface LoanHelper {
  /** Returns unfinished work to its owners, and accepts no more. */
  close(): Promise<void>
}

/** Options of a borrower. */
export interface LoanHelperOptions {
  readonly store: Store
  readonly queue: Queue
  readonly clock: Clock
  /** The name of this engine. */
  readonly owner: string
  /** Milliseconds after which a silent engine counts as dead. */
  readonly leaseTime: number
  /** Number of slots of this engine. */
  readonly places: number
  readonly free: () => number
  /** Takes a free slot, and returns a function that releases it. */
  readonly take: () => () => void
  /** Prepares the work of a group, under a name that no other attempt has; rejects if it cannot be done here. */
  readonly open: (group: string, name: string) => Promise<LoanWork>
}

/** The work of one loan. */
export interface LoanWork {
  /** Does one item of work; resolves to `undefined` if it cannot be done here. */
  one(piece: Json, signal: AbortSignal): Promise<LoanResult | undefined>
  /** Stores the results of completed items, as this part of the loan, and returns their values in order. */
  keep(done: readonly LoanResult[], part: number): Promise<readonly Json[]>
}

/** Result of an item before it is stored. */
export type LoanResult = object

/** Fraction of the slots that must be free to accept more work, and fraction of extra items that may wait for a slot. */
const [minFreeShare, ahead] = [1 / 8, 1 / 4]
/** Milliseconds for which promised slots stay reserved. */
const promiseLasts = 3_000
/**
 * Milliseconds after which an offer or work that cannot be accepted here is passed on to another engine, and how often work is
 * passed on at most.
 */
const passOn = { offers: 250, work: 10, most: 8 }
/** Items that end within this many milliseconds are reported together. */
const gathering = 8
/** Milliseconds between checks for a slot that other work has released. */
const lookForPlaces = 20
/** Milliseconds between retries while the store does not respond, and the maximum number of retries. */
const [storeRest, maxRests] = [250, 480]
const pollInterval = 500
const beatEvery = 1_000

type GiveBack = () => void

interface Self extends LoanHelperOptions {
  readonly watch: LeaseWatch
  /** Callbacks waiting for a slot. Each receives the function that releases it. */
  readonly waiting: Set<(place: GiveBack) => void>
  readonly closing: AbortController
  borrowed: number
  promised: { readonly places: number; readonly until: number }[]
}

/**
 * Opens the helper side of remote pages, which takes work of other engines from the queue while at least an eighth of the slots
 * is free. Store failures are retried at the next poll. `close` aborts the work in progress.
 */
export function openLoanHelper(options: LoanHelperOptions): LoanHelper {
  const { queue, places, clock } = options
  const closing = new AbortController()
  const self: Self = { ...options, watch: leaseWatch(clock), waiting: new Set(), closing, borrowed: 0, promised: [] }
  const concurrency = Math.max(Math.ceil((places * 3) / maxItems), 2)
  let consuming: Promise<Stop> | undefined
  const changes = makeSequence()
  const stop = async (): Promise<void> => {
    const stopOne = await consuming?.catch(() => undefined)
    consuming = undefined
    await stopOne?.()
  }
  const look = async (): Promise<void> => {
    const isBusy = self.borrowed === 0 && self.free() === 0
    const isFree = self.free() >= places * minFreeShare
    if (consuming && isBusy) await stop()
    else if (!consuming && isFree && !closing.signal.aborted) {
      consuming = queue.consume((task, signal) => handle(self, task, signal), { kind: loanKind, concurrency })
      await consuming.catch(() => (consuming = undefined))
    }
  }
  const lookOnce = (): void => void changes.run(look).catch(() => undefined)
  lookOnce()
  const timer = setInterval(lookOnce, pollInterval).unref()
  return {
    close: async () => {
      clearInterval(timer)
      closing.abort()
      await changes.idle()
      await stop()
    },
  }
}

async function handle(self: Self, task: Task, signal: AbortSignal): Promise<void> {
  const body = parseBody(task)
  // Malformed messages are ignored.
  if (!body || isOwnerGone(body.by)) return
  if (body.is === 'offer') await answer(self, task, body)
  else if (roomFor(self) * 2 >= body.pieces.length || (body.passed ?? 0) >= passOn.most)
    await borrow(self, body, AbortSignal.any([signal, self.closing.signal]))
  else await self.queue.push({ ...task, body: sealBody({ ...body, passed: (body.passed ?? 0) + 1 }) }, passedOn)
}

const passedOn = { delay: passOn.work, priority: 1 }

/**
 * Returns how many items may start now, plus a few that wait for a slot, so that no slot is idle while the next items are in
 * transit.
 */
function roomFor({ free, waiting, places }: Self): number {
  return Math.max(0, free() - waiting.size + Math.ceil(places * ahead))
}

/** Returns the number of slots that are free and not promised to an owner. */
function spare({ free, promised, clock }: Self): number {
  const now = elapsed(clock)
  return free() - promised.reduce((sum, { places, until }) => sum + (until > now ? places : 0), 0)
}

async function answer(self: Self, task: Task, { id, by }: Offer): Promise<void> {
  const { store, queue, owner, places, clock } = self
  const most = by === owner ? 0 : spare(self)
  if (by !== owner && most < places * minFreeShare) return queue.push(task, { delay: passOn.offers })
  const now = elapsed(clock)
  self.promised = self.promised.filter(({ until }) => until > now)
  if (most > 0) self.promised.push({ places: most, until: now + promiseLasts })
  const promised = most > 0 ? most + Math.floor(places * ahead) : 0
  await store.set(coordinationKeys.loan(id), sealAnswer({ places: promised }), { ttl: maxLoanTime })
  await ring(self, by)
}

/** Notifies a lender that there is something to read. */
async function ring({ store, clock }: Self, owner: string): Promise<void> {
  const name = owner.split('/').at(-1) ?? owner
  await store.set(coordinationKeys.loans(name), clock.now(), { ttl: maxLoanTime })
}

function keepPromise(self: Self, pieces: number): void {
  let left = pieces
  self.promised = self.promised.flatMap(({ places, until }) => {
    const rest = Math.max(places - left, 0)
    left = Math.max(left - places, 0)
    return rest > 0 ? [{ places: rest, until }] : []
  })
}

/** Does the work of a loan, unless another engine has its lease. */
async function borrow(self: Self, body: LoanTask, ended: AbortSignal): Promise<void> {
  const { store, owner, leaseTime: ttl, watch } = self
  keepPromise(self, body.pieces.length)
  const stop = new AbortController()
  const stopped = (): void => stop.abort()
  const isDead = isOwnerGone
  const held = await lease(store, loanLeaseKey(body.id), {
    owner,
    ttl,
    watch,
    isDead,
    requested: stopped,
    life: () => maxLoanTime,
  })
  if (!held) return
  const stopBeating = heartbeat(async () => {
    if (!(await held.renew())) stop.abort()
  }, beatEvery)
  try {
    await workOn(self, body, {
      by: `${owner}#${held.token}`,
      name: `${body.id}-${held.token}`,
      signal: AbortSignal.any([stop.signal, ended]),
    })
  } finally {
    stopBeating()
  }
}

const nothing = (): readonly Json[] => []

interface Try {
  readonly by: string
  readonly name: string
  readonly signal: AbortSignal
}

async function workOn(
  self: Self,
  { group, id, by: owner, pieces }: LoanTask,
  { by, name, signal }: Try,
): Promise<void> {
  const part = partWriter(self, { id, by, owner })
  let work: LoanWork
  try {
    work = await self.open(group, name)
  } catch {
    // Possibly only this engine cannot do it; its owner may be able to.
    return part.post(pieces.map((_, piece) => ({ piece })))
  }
  const room = roomFor(self)
  const done: { readonly piece: number; readonly made: LoanResult }[] = []
  const refused: PieceResult[] = pieces.slice(room).map((_, index) => ({ piece: room + index, isFull: true }))
  let posting: Promise<void> | undefined
  const postAll = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, gathering))
    while (done.length + refused.length > 0) {
      const [now, back] = [done.splice(0), refused.splice(0)]
      const made = now.map((one) => one.made)
      const values = now.length > 0 ? await untilDone(() => work.keep(made, part.next), signal).catch(nothing) : []
      // Items whose results could not be stored are returned, to be done again where results are stored differently.
      const came = now.map(({ piece }, index): PieceResult => ({
        piece,
        ...(values.length > 0 && { value: values[index]! }),
      }))
      await untilDone(() => part.post([...back, ...came]), signal)
    }
    // Reset without an `await` after the check above, so that items that end from now on start a new report.
    posting = undefined
  }
  const post = (): Promise<void> => (posting ??= postAll())
  if (refused.length > 0) post().catch(() => undefined)
  const one = async (body: Json, piece: number): Promise<void> => {
    const made = await inPlace(self, signal, () => work.one(body, signal))
    if (made === undefined) refused.push({ piece, isFull: signal.aborted })
    else done.push({ piece, made })
    await post()
  }
  const all = await Promise.allSettled(pieces.slice(0, room).map(one))
  await posting
  // Items that could not be reported are delivered again by the queue, or taken back by their lender.
  const failed = all.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected' && !signal.aborted) throw failed.reason
}

/** Retries an operation while the store is unavailable, up to a limit. Errors that are permanent are not retried. */
async function untilDone<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let rests = 0; ; rests += 1) {
    try {
      return await work()
    } catch (error) {
      const isFinal = EngineError.is(error) && error.details?.['reason'] === 'too large'
      if (isFinal || signal.aborted || rests >= maxRests) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, storeRest))
  }
}

/** Runs work in a slot of this engine as soon as one is free; returns `undefined` if it was aborted before. */
async function inPlace<T>(self: Self, signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
  const release = await placeFor(self, signal)
  if (!release) return undefined
  self.borrowed += 1
  try {
    return await work()
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  } finally {
    self.borrowed -= 1
    release()
    feed(self)
  }
}

async function placeFor(self: Self, signal: AbortSignal): Promise<GiveBack | undefined> {
  if (signal.aborted) return undefined
  if (self.waiting.size === 0 && self.free() > 0) return self.take()
  const begun = Promise.withResolvers<GiveBack | undefined>()
  const stop = (): void => begun.resolve(undefined)
  self.waiting.add(begun.resolve)
  signal.addEventListener('abort', stop, { once: true })
  // Other work in this engine releases its slots without a notification.
  const looking = setInterval(() => feed(self), lookForPlaces).unref()
  const release = await begun.promise
  clearInterval(looking)
  signal.removeEventListener('abort', stop)
  self.waiting.delete(begun.resolve)
  return release
}

/** Starts waiting work as far as there are free slots. */
function feed({ waiting, free, take }: Self): void {
  for (const begin of waiting) {
    if (free() <= 0) return
    waiting.delete(begin)
    begin(take())
  }
}

/** Writes the parts of a loan in order, and notifies its lender. */
function partWriter(
  self: Self,
  { id, by, owner }: { readonly id: string; readonly by: string; readonly owner: string },
) {
  let next = 0
  return {
    get next() {
      return next
    },
    post: async (came: readonly PieceResult[]): Promise<void> => {
      const mine = sealPart({ by, came })
      for (let isMine = false; !isMine; next += 1) {
        const written = await self.store.update(loanPartKey(id, next), (old) => old ?? mine, {
          ttl: maxLoanTime,
          isNew: true,
        })
        // Another engine has taken over the loan and written this part, because this one seemed dead.
        isMine = (written as { readonly by?: string }).by === by
      }
      await ring(self, owner)
    },
  }
}
