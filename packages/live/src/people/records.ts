// Stores the requests to people of each team.
import { randomUUID } from 'node:crypto'

import { layout } from '@harvestman/core/plugin'
import { type Clock, EngineError, type Json, type Store } from '@harvestman/ports'

import { liveKeys } from '../keys.ts'
import { isSameToken, makeToken } from '../sessions/tokens.ts'
import type { PersonReason } from './reasons.ts'

/** How a request to a person ended. */
export type PersonResult = 'done' | 'failed' | 'timeout' | 'cancelled'

/** The property that pages must share to wait for the same person. */
export interface PersonKey {
  readonly team: string
  readonly profile: string
  readonly host: string
}

/** The task of a request to a person. */
export interface PersonTask extends PersonKey {
  readonly reason: PersonReason
  readonly url: string
  /** Code and message of the error that pages fail with if the person is not done in time. */
  readonly code: string
  readonly message: string
  /** Id of the scrape or job that asks. */
  readonly job?: string | undefined
  /** Seconds until the request ends. */
  readonly timeout: number
  readonly webhook?: string | undefined
}

/** A scrape or job whose pages wait for a request, and when they stop, in milliseconds since 1970. */
export interface PersonWaiter {
  readonly job: string
  readonly until: number
}

/** A request to a person. */
export interface PersonRecord extends PersonTask {
  readonly id: string
  /** The secret in its link. */
  readonly linkToken: string
  readonly createdAt: number
  readonly expiresAt: number
  readonly isSent: boolean
  /** Those that wait. The request ends when none is left, if the first of them created it. */
  readonly waiters?: readonly PersonWaiter[] | undefined
  /** True if more wait than are listed, so that nobody knows when the last one leaves. */
  readonly hasMoreWaiters?: boolean | undefined
  /** When any engine may send the link, in milliseconds since 1970. The engine that sends it moves this forward meanwhile. */
  readonly sendAt?: number | undefined
  /** The live browser that the person uses, with the token of its view. */
  readonly browser?: { readonly id: string; readonly viewToken: string } | undefined
  /** The result that another engine has requested, for the engine that has the live browser. */
  readonly wanted?: PersonResult | undefined
  readonly end?: { readonly at: number; readonly result: PersonResult } | undefined
}

/** The stored requests to people. */
export interface PersonRecords {
  /** Lists the requests of a team, newest first. */
  list(team: string): Promise<readonly PersonRecord[]>
  find(team: string, id: string): Promise<PersonRecord | undefined>
  /** Returns the request of a link, or `undefined` if the link is unknown. */
  ofLink(link: string): Promise<PersonRecord | undefined>
  /**
   * Adds a request whose link the caller sends, or joins an open request with the same key. Rejects with `conflict` if there
   * are too many.
   */
  add(task: PersonTask): Promise<{ readonly record: PersonRecord; readonly isNew: boolean }>
  /** Lets a scrape or job wait for a request, for so many seconds from the first time on. Resolves to the stored request. */
  join(record: PersonRecord, job: string, timeout: number): Promise<PersonRecord | undefined>
  /** Lets a scrape or job wait no longer. Cancels the requests that nobody waits for any more, and resolves to them. */
  leave(team: string, job: string): Promise<readonly PersonRecord[]>
  /** Changes a request that has not ended. Resolves to the stored one. */
  change(team: string, id: string, change: (record: PersonRecord) => PersonRecord): Promise<PersonRecord | undefined>
}

interface Stored {
  readonly requests: readonly PersonRecord[]
}

const stored = layout<Stored>(1, { requests: 'list' })
const day = 86_400_000
/** Ended requests are stored as long as jobs that they belong to may run. */
const life = 2 * day
const [maxWaiting, maxStored] = [100, 500]
const maxMessage = 500
const maxWaiters = 1_000
/** Milliseconds for which an engine claims the sending of a link. */
export const sendLease = 90_000

/** Returns whether two requests are about the same pages. */
export function isSameKey(one: PersonKey, other: PersonKey): boolean {
  return one.profile === other.profile && one.host === other.host && one.team === other.team
}

/** Returns the link of a request: its id and its secret. */
export function linkOf({ id, linkToken }: Pick<PersonRecord, 'id' | 'linkToken'>): string {
  return `${id}.${linkToken}`
}

/**
 * Opens the stored requests to people: at most 100 waiting ones per team. A request whose time is over is read as ended. Calls
 * reject if the store fails.
 */
export function personRecords({ store, clock }: { readonly store: Store; readonly clock: Clock }): PersonRecords {
  const settled = (record: PersonRecord): PersonRecord =>
    record.end || clock.now() < record.expiresAt
      ? record
      : { ...record, end: { at: record.expiresAt, result: 'timeout' } }
  const open = (team: string, value: Parameters<typeof stored.open>[1]): readonly PersonRecord[] =>
    (stored.open(`The requests to people of ${team}`, value)?.requests ?? []).map(settled)
  const list = async (team: string): Promise<readonly PersonRecord[]> =>
    open(team, await store.get(liveKeys.people(team)))
  const update = async (team: string, change: (all: readonly PersonRecord[]) => readonly PersonRecord[]) => {
    const next = (old: Parameters<typeof stored.open>[1]): Json => {
      const all = change(open(team, old)).filter(({ end }) => !end || clock.now() - end.at < life)
      return stored.seal({ requests: withinLimit(all) })
    }
    return open(team, await store.update(liveKeys.people(team), next, { ttl: life }))
  }
  const change: PersonRecords['change'] = async (team, id, edit) => {
    const all = await update(team, (before) => before.map((one) => (one.id === id && !one.end ? edit(one) : one)))
    return all.find((one) => one.id === id)
  }
  const find: PersonRecords['find'] = async (team, id) => (await list(team)).find((one) => one.id === id)
  return {
    list,
    find,
    ofLink: async (link) => {
      const [id = '', token = ''] = link.split('.')
      const team = await store.get(liveKeys.personTeam(id))
      const record = typeof team === 'string' ? await find(team, id) : undefined
      return record && isSameToken(record.linkToken, token) ? record : undefined
    },
    add: async (task) => {
      const createdAt = clock.now()
      const times = { createdAt, expiresAt: createdAt + task.timeout * 1_000, sendAt: createdAt + sendLease }
      const own = { id: randomUUID(), linkToken: makeToken(), isSent: false, message: shorten(task.message) }
      const until = times.expiresAt
      const fresh = withWaiter({ ...task, ...own, ...times }, task.job, until)
      const isWaiting = (one: PersonRecord): boolean => !one.end && isSameKey(one, task)
      // Stored first: a link is sent only for a request that can be found by it.
      await store.set(liveKeys.personTeam(own.id), task.team, { ttl: life })
      const all = await update(task.team, (before) => {
        if (before.some(isWaiting))
          return before.map((one) => (isWaiting(one) ? withWaiter(one, task.job, until) : one))
        if (before.filter(({ end }) => !end).length >= maxWaiting) throw tooMany()
        return [fresh, ...before]
      })
      const record = all.find(isWaiting) ?? fresh
      return { record, isNew: record.id === own.id }
    },
    ...waiterRecords({ list, update, change, clock }),
    change,
  }
}

interface WaiterKit extends Pick<PersonRecords, 'list' | 'change'> {
  readonly clock: Clock
  update(
    team: string,
    change: (all: readonly PersonRecord[]) => readonly PersonRecord[],
  ): Promise<readonly PersonRecord[]>
}

/** The scrapes and jobs that wait for requests. */
function waiterRecords({ list, change, update, clock }: WaiterKit): Pick<PersonRecords, 'join' | 'leave'> {
  return {
    join: ({ team, id }, job, timeout) =>
      change(team, id, (one) => withWaiter(one, job, clock.now() + timeout * 1_000)),
    leave: async (team, job) => {
      const isOf = ({ end, waiters }: PersonRecord): boolean =>
        !end && waiters?.some((waiter) => waiter.job === job) === true
      if (!(await list(team)).some(isOf)) return []
      let cancelled: readonly string[] = []
      const without = (one: PersonRecord): PersonRecord => {
        const waiters = one.waiters?.filter((waiter) => waiter.job !== job)
        const isUnused = waiters?.length === 0 && !one.hasMoreWaiters && one.job !== undefined
        return { ...one, waiters, ...(isUnused && { end: { at: clock.now(), result: 'cancelled' } }) }
      }
      // In one update, so that a job that joins meanwhile is either counted or finds the end.
      const all = await update(team, (before) => {
        const after = before.map((one) => (isOf(one) ? without(one) : one))
        cancelled = after.flatMap((one, index) => (one.end && !before[index]?.end ? [one.id] : []))
        return after
      })
      return all.filter(({ id }) => cancelled.includes(id))
    },
  }
}

/** Adds a waiter, unless it waits already. The request stays open as long as one waits. */
function withWaiter(record: PersonRecord, job: string | undefined, until: number): PersonRecord {
  const { waiters = [], expiresAt } = record
  if (job === undefined || waiters.some((one) => one.job === job)) return record
  const isFull = waiters.length >= maxWaiters
  const more = isFull ? { hasMoreWaiters: true } : { waiters: [...waiters, { job, until }] }
  return { ...record, ...more, expiresAt: Math.max(expiresAt, until) }
}

/** Drops the oldest ended requests if there are too many. */
function withinLimit(all: readonly PersonRecord[]): readonly PersonRecord[] {
  let maxEnded = maxStored - all.filter(({ end }) => !end).length
  return all.filter(({ end }) => !end || maxEnded-- > 0)
}

/** Shortens a message and omits the queries of its URLs, which may have tokens: it is sent by mail and to webhooks. */
function shorten(message: string): string {
  return message.replace(/(https?:\/\/[^\s?#]+)[?#]\S*?(?=[.,;:]?(?:\s|$))/g, '$1').slice(0, maxMessage)
}

function tooMany(): EngineError {
  return new EngineError('conflict', `Your team has ${maxWaiting} requests to people, which is the maximum. End one.`)
}
