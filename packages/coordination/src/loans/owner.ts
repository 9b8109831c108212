import { type Clock, type Json, type Queue, type Stop, type Store, type Value, elapsed } from '@harvestman/ports'
import { coordinationKeys } from '../keys.ts'
import { getMany } from '../records/get-many.ts'
import { areHeld, requestRelease, lease, type LeaseWatch, leaseWatch } from '../records/lease.ts'
import { isOwnerGone } from '../records/owner.ts'
import { runWithoutOverlap } from '../records/run-without-overlap.ts'
import { watchKey } from '../records/watch.ts'
import {
  parseAnswer,
  loanKind,
  maxItemLength,
  maxItems,
  maxSlots,
  parsePart,
  sealBody,
  type PieceResult,
} from './messages.ts'

/** The owner side of remote pages: hands work to engines on the same store and queue that have free slots. */
export interface Helpers {
  /** Number of items that other engines have slots for, including running ones. */
  readonly places: number
  /** Number of items that other engines are working on. */
  readonly lent: number
  /** Requests slots of other engines, because there is more work than slots here. `woken` is called when some were promised. */
  requestSlots(): void
  /** Has another engine do an item of work of this group. Rejects with the signal's reason. */
  run(group: string, piece: Json, signal: AbortSignal): Promise<HelpResult>
  close(): Promise<void>
}

/** Outcome of an item: its value, or that it must be done elsewhere (`later`) or on this engine (`unable`). */
export type HelpResult = { readonly value: Json } | { readonly back: 'later' | 'unable' }

/** Options of a lender. */
export interface HelpersOptions {
  readonly store: Store
  readonly queue: Queue
  readonly clock: Clock
  /** The name of this engine. */
  readonly owner: string
  /** Milliseconds after which a silent borrower counts as dead. */
  readonly leaseTime: number
  /** Called when more slots are available. */
  readonly woken: () => void
}

interface Piece {
  readonly body: Json
  readonly resolve: (lent: HelpResult) => void
}

interface Loan {
  readonly id: string
  readonly pieces: Map<number, Piece>
  readonly count: number
  readonly since: number
  /** Number of the next part to read. */
  part: number
}

/** Milliseconds between sweeps; a loan that was not started within one interval is taken back. */
const pollInterval = 1_000
/** Items that arrive within this many milliseconds are sent together. */
const gathering = 4
/** Milliseconds between two offers. */
const offerEvery = 100
/** Milliseconds after which an offer that no worker has accepted counts as lost. */
const offerLives = 600_000
/** Unused slots of other engines expire after this many milliseconds: their owner may have other work. */
const roomLasts = 2_000
/** Maximum lifetime of all records of a loan, in milliseconds. */
export const maxLoanTime = 600_000

interface Self extends HelpersOptions {
  readonly watch: LeaseWatch
  readonly loans: Map<string, Loan>
  readonly gathered: Map<string, Piece[]>
  readonly name: string
  readonly read: () => void
  window: number
  out: number
  made: number
  usedAt: number
  offer: { readonly id: string; readonly at: number } | undefined
  listening: Promise<Stop> | undefined
  isClosed: boolean
}

/** Lender of an engine that shares its queue with no other engine. */
export const noHelpers: Helpers = {
  places: 0,
  lent: 0,
  requestSlots: () => undefined,
  run: async () => ({ back: 'unable' }),
  close: async () => undefined,
}

/**
 * Opens the part of an engine that lends work to helpers, other engines with free slots. It does nothing until slots are
 * requested. `run` resolves to `unable` after `close`, and for items of more than 8,192 characters as JSON. `close` does not
 * settle running items: abort their signals.
 */
export function openHelpers(options: HelpersOptions): Helpers {
  const readOnce = runWithoutOverlap(() => readAll(self))
  // The last part of an engine's name is unique.
  const name = options.owner.split('/').at(-1) ?? options.owner
  const self: Self = {
    ...{ ...options, name, watch: leaseWatch(options.clock), loans: new Map(), gathered: new Map() },
    read: () => void readOnce().catch(() => undefined),
    ...{ window: 0, out: 0, made: 0, usedAt: 0, offer: undefined, listening: undefined, isClosed: false },
  }
  const sweepOnce = runWithoutOverlap(() => sweep(self))
  const timer = setInterval(() => {
    if (self.loans.size > 0 || self.offer) void sweepOnce().catch(() => undefined)
  }, pollInterval).unref()
  return {
    get places() {
      return self.window
    },
    get lent() {
      return self.out
    },
    requestSlots: () => makeOffer(self),
    run: (group, body, signal) => runRemotely(self, group, body, signal),
    close: async () => {
      self.isClosed = true
      clearInterval(timer)
      const stop = await self.listening?.catch(() => undefined)
      await stop?.()
    },
  }
}

function makeOffer(self: Self): void {
  const { name, owner: by, queue, offer, isClosed } = self
  const now = elapsed(self.clock)
  if (isClosed || self.window > self.out || (offer && now - offer.at < (offer.id === '' ? offerEvery : offerLives)))
    return
  const id = `${name}-${(self.made += 1)}`
  self.offer = { id, at: now }
  self.listening ??= watchKey(self.store, coordinationKeys.loans(name), self.read, { every: pollInterval })
  const failed = (): void => void (self.offer = { id: '', at: elapsed(self.clock) })
  self.listening.then(() => queue.push({ id, kind: loanKind, body: sealBody({ is: 'offer', by, id }) })).catch(failed)
}

function runRemotely(self: Self, group: string, body: Json, signal: AbortSignal): Promise<HelpResult> {
  if (self.isClosed || JSON.stringify(body).length > maxItemLength) return Promise.resolve({ back: 'unable' })
  return new Promise((resolve, reject) => {
    self.out += 1
    self.usedAt = elapsed(self.clock)
    const settled = (): void => {
      self.out -= 1
      signal.removeEventListener('abort', stop)
    }
    const piece: Piece = { body, resolve: (lent) => (settled(), resolve(lent)) }
    const stop = (): void => {
      settled()
      forget(self, piece)
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', stop, { once: true })
    gather(self, group, piece)
  })
}

function gather(self: Self, group: string, piece: Piece): void {
  const known = self.gathered.get(group)
  if (known) known.push(piece)
  else {
    self.gathered.set(group, [piece])
    setTimeout(() => send(self, group), gathering)
  }
  if (known && known.length >= maxItems) send(self, group)
}

function send(self: Self, group: string): void {
  const gathered = self.gathered.get(group) ?? []
  self.gathered.delete(group)
  if (gathered.length === 0) return
  const { owner: by, queue } = self
  const id = `${self.name}-${(self.made += 1)}`
  const pieces = new Map(gathered.map((piece, number) => [number, piece]))
  const loan: Loan = { id, pieces, count: gathered.length, since: elapsed(self.clock), part: 0 }
  self.loans.set(id, loan)
  const body = sealBody({ is: 'work', by, id, group, pieces: gathered.map((piece) => piece.body) })
  // Higher priority than offers, because callers wait for the results.
  queue.push({ id, kind: loanKind, body }, { priority: 1 }).catch(() => takeBack(self, loan))
}

/** Drops an item that was aborted. If it is the last item of its loan, requests the borrower to stop. */
function forget(self: Self, piece: Piece): void {
  for (const gathered of self.gathered.values()) {
    const index = gathered.indexOf(piece)
    if (index >= 0) gathered.splice(index, 1)
  }
  for (const loan of self.loans.values()) {
    for (const [number, one] of loan.pieces) if (one === piece) loan.pieces.delete(number)
    if (loan.pieces.size > 0) continue
    self.loans.delete(loan.id)
    requestRelease(self.store, loanLeaseKey(loan.id), self.owner).catch(() => undefined)
  }
}

/** Reads everything that this engine waits for, in one call. */
async function readAll(self: Self): Promise<void> {
  const { store, offer } = self
  const loans = [...self.loans.values()].map((loan) => ({ loan, part: loan.part }))
  const offered = offer && offer.id !== '' ? [coordinationKeys.loan(offer.id)] : []
  const keys = [...offered, ...loans.map(({ loan, part }) => loanPartKey(loan.id, part))]
  if (keys.length === 0) return
  const values = await getMany(store, keys)
  if (offered.length > 0 && offer === self.offer) takeAnswer(self, values[0])
  const parts = values.slice(offered.length)
  // A part that two concurrent reads returned counts once.
  const isMore = loans.map(({ loan, part }, index) => part === loan.part && takePart(self, loan, parts[index]))
  if (isMore.some(Boolean)) self.read()
}

function takeAnswer(self: Self, value: Value | undefined): void {
  if (value === undefined || !self.offer) return
  const { places } = parseAnswer(value) ?? { places: 0 }
  void self.store.delete(coordinationKeys.loan(self.offer.id)).catch(() => undefined)
  self.offer = { id: '', at: elapsed(self.clock) }
  self.window = Math.min(self.window + places, maxSlots)
  self.usedAt = elapsed(self.clock)
  if (places > 0) self.woken()
}

/** Applies a part of a loan, and returns whether there may be another one. */
function takePart(self: Self, loan: Loan, value: Value | undefined): boolean {
  if (value === undefined || !self.loans.has(loan.id)) return false
  loan.part += 1
  const part = parsePart(value, loan.count)
  for (const came of part?.came ?? []) settle(self, loan, came)
  if (!part) takeBack(self, loan)
  if (loan.pieces.size > 0) return true
  end(self, loan)
  return false
}

function settle(self: Self, loan: Loan, { piece: number, value, isFull = false }: PieceResult): void {
  const piece = loan.pieces.get(number)
  // Only the first result of an item counts.
  if (!piece) return
  loan.pieces.delete(number)
  if (isFull) self.window = Math.max(self.window - 1, 0)
  piece.resolve(value === undefined ? { back: isFull ? 'later' : 'unable' } : { value })
}

function end({ loans, store }: Self, { id, part }: Loan): void {
  loans.delete(id)
  // The lease is retained: if the queue delivers the task again, the lease shows that it is taken.
  for (let number = 0; number < part; number += 1) store.delete(loanPartKey(id, number)).catch(() => undefined)
}

/** Takes back a loan that no borrower completes: its items are done elsewhere. */
function takeBack(self: Self, loan: Loan): void {
  self.window = Math.max(self.window - loan.pieces.size, 0)
  const pieces = [...loan.pieces.values()]
  loan.pieces.clear()
  end(self, loan)
  for (const piece of pieces) piece.resolve({ back: 'later' })
}

/** Reads missed results, and takes back loans that were not started or whose borrowers died. */
async function sweep(self: Self): Promise<void> {
  const { store, watch, owner, leaseTime: ttl } = self
  await readAll(self)
  const now = elapsed(self.clock)
  if (self.out === 0 && now - self.usedAt > roomLasts) self.window = 0
  const old = [...self.loans.values()].filter(({ since }) => now - since > pollInterval)
  const isDead = isOwnerGone
  const held = await areHeld(
    store,
    old.map(({ id }) => loanLeaseKey(id)),
    { watch, isDead },
  )
  for (const [index, loan] of old.entries()) {
    if (held[index] === true || !self.loans.has(loan.id)) continue
    // A worker that receives the task later then cannot get the lease.
    const mine = await lease(store, loanLeaseKey(loan.id), { owner, ttl, watch, isDead, life: () => maxLoanTime })
    if (!mine) continue
    // Results that it reported before it died count.
    await readAll(self)
    if (!self.loans.has(loan.id)) continue
    self.loans.delete(loan.id)
    self.window = Math.max(self.window - loan.pieces.size, 0)
    for (const piece of loan.pieces.values()) piece.resolve({ back: 'later' })
  }
}

/** Returns the key of the lease for the work of a loan. */
export function loanLeaseKey(loan: string): string {
  return `${coordinationKeys.loan(loan)}/lease`
}

/** Returns the key of a part of a loan's results, by its number. */
export function loanPartKey(loan: string, part: number): string {
  return `${coordinationKeys.loan(loan)}/${part}`
}
