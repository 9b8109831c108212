// Lets pages wait until a person is done.
import type { PageAttempt, PageWait, PageWaits } from '@harvestman/core/plugin'
import { EngineError, type ErrorCode } from '@harvestman/ports'
import { errorMessage } from '@harvestman/toolbox/error-message'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'

import type { PersonBrowsers } from './browser.ts'
import type { PeopleKit } from './kit.ts'
import { notify } from './notify.ts'
import { reasonOf } from './reasons.ts'
import {
  isSameKey,
  sendLease,
  type PersonKey,
  type PersonRecord,
  type PersonResult,
  type PersonTask,
} from './records.ts'

/** Milliseconds between two reads of a request that may have ended in another engine. */
const pollInterval = 1_000
/** Milliseconds after which the requests of a team are read again before a page is loaded. */
const trustedFor = 5_000
const maxKeys = 1_000

/** Asks people, and lets pages wait for them. */
export interface PersonWaits extends PageWaits {
  ask(task: PersonTask): Promise<PersonRecord>
  /** Resolves when a person is done. Rejects with the error of the pages if not. */
  wait(record: PersonRecord): Promise<void>
}

/** Creates the waits of an engine. */
export function makePersonWaits(kit: PeopleKit, browsers: PersonBrowsers): PersonWaits {
  const { signal } = kit
  const links = makeLinks(kit, browsers)
  const waiting = new Map<string, PageWait & { readonly record: PersonRecord }>()
  const newest = makeNewest(kit)

  const waitFor = (record: PersonRecord): PageWait => {
    const name = nameOf(record)
    const known = waiting.get(name)
    if (known?.record.id === record.id) return known
    const over = follow(record, { kit, browsers, links }).finally(() => {
      if (waiting.get(name) === wait) waiting.delete(name)
      newest.forget(record)
    })
    over.catch(() => undefined)
    const wait = { record, over }
    // A request that has ended must not replace a newer one.
    if (!record.end) waiting.set(name, wait)
    return wait
  }
  const joinFor = makeJoin(kit, waitFor)
  const ask = async (task: PersonTask): Promise<PersonRecord> => {
    const { record, isNew } = await kit.records.add(task)
    if (isNew) links.send(record)
    waitFor(record)
    return record
  }
  return {
    ask,
    wait: (record) => waitFor(record).over,
    before: async (attempt) => {
      signal.throwIfAborted()
      const key = keyOf(attempt)
      if (!key) return undefined
      const found = waiting.get(nameOf(key))?.record ?? (await newest.find(key, attempt))
      if (!found || found.end) return undefined
      const wait = await joinFor(found, attempt)
      // The last job that waited has just ended, so the page is loaded, and asks anew if it needs a person.
      if (!wait) newest.forget(key)
      return wait
    },
    after: async (attempt, error) => {
      const [key, reason] = [keyOf(attempt), reasonOf(error)]
      if (!key || !reason) return undefined
      newest.forget(key)
      const found = await newest.find(key, attempt)
      // The person was done while the page was loaded.
      if (found?.end && found.end.at >= attempt.triedAt) return { over: Promise.resolve() }
      const { request, id: job } = attempt
      const { timeout = 0, webhook } = request.person ?? {}
      const { code, message } = error
      return joinFor(await ask({ ...key, reason, url: request.url, code, message, job, timeout, webhook }), attempt)
    },
    ended: async ({ team, id }) => {
      for (const record of await kit.records.leave(team, id)) {
        newest.forget(record)
        kit.changes.notify()
        // Another engine closes its browser when it finds the end.
        await (await browsers.find(record))?.stop()
      }
    },
  }
}

/** Lets the pages of a scrape or job wait for a request, each scrape or job for its own time. */
function makeJoin({ records, clock, signal }: PeopleKit, waitFor: (record: PersonRecord) => PageWait) {
  const joined = recentlyUsed<string, { readonly until: number; readonly wait: PageWait }>(maxKeys)
  /** Returns the end of the time, or `undefined` if the request was cancelled before the job joined. */
  const until = async (record: PersonRecord, { id: job, request }: PageAttempt): Promise<number | undefined> => {
    const stored = (await records.join(record, job, request.person?.timeout ?? 0)) ?? record
    const own = stored.waiters?.find((one) => one.job === job)?.until
    return stored.end?.result === 'cancelled' && own === undefined ? undefined : (own ?? stored.expiresAt)
  }
  const waitUntil = (record: PersonRecord, at: number): PageWait => {
    const stop = new AbortController()
    const late = async (): Promise<void> => {
      await clock.sleep(Math.max(0, at - clock.now()), AbortSignal.any([stop.signal, signal]))
      throw tooLate(record, at)
    }
    const over = Promise.race([waitFor(record).over, late()]).finally(() => stop.abort())
    over.catch(() => undefined)
    return { over }
  }
  return async (record: PersonRecord, attempt: PageAttempt): Promise<PageWait | undefined> => {
    const name = JSON.stringify([record.id, attempt.id])
    let known = joined.get(name)
    if (!known) {
      const at = await until(record, attempt)
      if (at === undefined) return undefined
      joined.set(name, (known = { until: at, wait: waitUntil(record, at) }))
    }
    if (clock.now() >= known.until) throw tooLate(record, known.until)
    return known.wait
  }
}

/** The error of a page that has waited for its own time. */
function tooLate(record: PersonRecord, at: number): EngineError {
  return failureOf({ ...record, end: { at, result: 'timeout' } })
}

/** Finds the newest request about the pages of a key. Reads at most every 5 seconds. */
function makeNewest({ records, clock }: PeopleKit) {
  const known = recentlyUsed<string, { readonly at: number; readonly record: PersonRecord | undefined }>(maxKeys)
  return {
    forget: (key: PersonKey): void => known.delete(nameOf(key)),
    /** Throws if the request ended without success while the scrape or job ran. */
    find: async (key: PersonKey, { startedAt }: PageAttempt): Promise<PersonRecord | undefined> => {
      const name = nameOf(key)
      let read = known.get(name)
      if (!read || clock.now() - read.at >= trustedFor) {
        const record = (await records.list(key.team)).find((one) => isSameKey(one, key))
        known.set(name, (read = { at: clock.now(), record }))
      }
      const { record } = read
      if (record?.end && hasFailed(record.end.result) && record.end.at >= startedAt) throw failureOf(record)
      return record
    },
  }
}

/** Sends the links of requests, also of engines that were killed before they could. */
function makeLinks(kit: PeopleKit, browsers: PersonBrowsers) {
  const { records, clock } = kit
  const sending = new Set<string>()
  const send = (record: PersonRecord): void => {
    sending.add(record.id)
    notify(record, kit, browsers)
      .catch((error: unknown) => {
        if (!kit.signal.aborted) kit.warn(`A person could not be notified: ${errorMessage(error)}`)
      })
      .finally(() => sending.delete(record.id))
  }
  return {
    send,
    takeOver: async ({ team, id, isSent, sendAt = 0 }: PersonRecord): Promise<void> => {
      const now = clock.now()
      if (isSent || now < sendAt || sending.has(id)) return
      let isTaken = false
      const taken = await records.change(team, id, (one) => {
        isTaken = !one.isSent && now >= (one.sendAt ?? 0)
        return isTaken ? { ...one, sendAt: now + sendLease } : one
      })
      if (isTaken && taken && !taken.end) send(taken)
    },
  }
}

interface FollowKit {
  readonly kit: PeopleKit
  readonly browsers: PersonBrowsers
  readonly links: ReturnType<typeof makeLinks>
}

/** Resolves when a person is done, in any engine. Rejects if the request ended without success. */
async function follow({ team, id }: PersonRecord, { kit, browsers, links }: FollowKit): Promise<void> {
  const { records, clock, signal, changes } = kit
  for (;;) {
    signal.throwIfAborted()
    // A store that is unreachable now is read again.
    const record = await records.find(team, id).catch(() => 'unknown' as const)
    if (record === undefined) throw new EngineError('not_found', 'The request to a person was deleted.')
    if (record !== 'unknown') {
      if (record.end?.result === 'done') return
      if (record.end) throw failureOf(record)
      // The engine that was to end it may be gone.
      if (record.wanted) await browsers.finish(record, record.wanted).catch(() => undefined)
      await links.takeOver(record).catch(() => undefined)
    }
    const done = new AbortController()
    const pause = AbortSignal.any([done.signal, signal])
    await Promise.race([clock.sleep(pollInterval, pause), changes.wait(pause)]).catch(() => undefined)
    done.abort()
  }
}

function keyOf({ team, request: { url, profile } }: PageAttempt): PersonKey | undefined {
  return profile && { team, profile: profile.name, host: new URL(url).host }
}

function nameOf({ team, profile, host }: PersonKey): string {
  return JSON.stringify([team, profile, host])
}

/** Returns whether the pages of other jobs that ran meanwhile fail as well. */
function hasFailed(result: PersonResult): boolean {
  return result === 'failed' || result === 'timeout'
}

const whys: Readonly<Record<Exclude<PersonResult, 'done'>, string>> = {
  cancelled: 'The request to a person was cancelled.',
  failed: 'A person was asked, but could not help.',
  timeout: 'A person was asked, but was not done in time. Raise person.timeout, or log in again and retry.',
}

function failureOf({ code, message, end, reason }: PersonRecord): EngineError {
  const result = end?.result ?? 'failed'
  const why = whys[result === 'done' ? 'failed' : result]
  const details = { person: end?.result, reason, final: true }
  // Cast: it was the code of an error.
  return new EngineError(code as ErrorCode, `${message} ${why}`, { details })
}
