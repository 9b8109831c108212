// History of pages, by team, URL and tag. A changed page is stored as a new version; an unchanged one increases the number of
// checks.
import { parseStored } from '@harvestman/ports/stores'
import { createHash } from 'node:crypto'

import { type Clock, EngineError, type Store } from '@harvestman/ports'
import { layout } from '@harvestman/coordination'
import type { Compared, Finding, KeptText, PageText } from '@harvestman/diff'
import type { Comparer } from '@harvestman/diff'
import { serializeByName } from './serialize-by-name.ts'
import type { TextDiff } from '@harvestman/diff'
import { storeKeys } from '../keys.ts'
import { trackedPages, type TrackedPart } from './tracked.ts'
import type { PageKey, Version } from './version.ts'

export type { PageKey, Version } from './version.ts'

/** Current state of a page, and how to compare it. */
export interface Sighting extends PageText {
  readonly isRemoved: boolean
  /** Patterns for lines that are ignored in the comparison. */
  readonly patterns: readonly string[]
}

/** Result of comparing a page with its newest version. */
export interface Look extends Pick<Compared, 'diff' | 'previous'> {
  /** Absent if the page was never seen. */
  readonly before?: Version
  readonly isSame: boolean
}

/** History of pages. */
export interface History {
  /**
   * Compares a page with its newest version, or with the one before if an earlier run of the same task stored the newest one.
   * For a changed page, also returns the requested findings.
   */
  look(key: PageKey, sighting: Sighting, wanted: readonly Finding[], options?: LookOptions): Promise<Look>
  /** Counts a check of a page and stores the page if it changed. Has no effect if the same task has already stored it. */
  keep(key: PageKey, sighting: Sighting, task: string): Promise<void>
  /** Returns the versions of a page, newest first. */
  list(key: PageKey): Promise<readonly Version[]>
  read(key: PageKey, version: Version): Promise<PageText>
  diff(key: PageKey, from: Version, to: Version): Promise<TextDiff>
  /** Lists the tracked pages of a team. */
  tracked(team: string, limit: number, cursor?: string): Promise<TrackedPart>
}

export interface LookOptions {
  readonly task?: string
  readonly signal?: AbortSignal
}

export interface HistoryOptions {
  readonly store: Store
  readonly clock: Clock
  readonly comparer: Pick<Comparer, 'compare'>
  /** Maximum number of stored versions per page. */
  readonly versions: number
  /** Milliseconds for which a page is stored after its last check. */
  readonly life: number
}

interface HistoryRecord {
  /** Incremented with each write, to detect concurrent writes. */
  readonly revision: number
  readonly versions: readonly Version[]
  /** The most recent tasks. A task may run again after a crash. */
  readonly tasks: readonly string[]
}

const { seal, open } = layout<HistoryRecord>(1, { revision: 'number', versions: 'list', tasks: 'list' })
const rememberedTasks = 200
const maxTries = 200

/**
 * Creates a history of pages in a store. A page without a history has an empty list of versions. Calls reject if the store
 * fails, and with `not_found` if the text of a version is no longer stored.
 */
export function makeHistory(options: HistoryOptions): History {
  const { comparer } = options
  const records = makeRecords(options)
  const { read, textOf, pages } = records
  const compareWith: CompareWith = async (version, key, { markdown, hidden, patterns }, wanted, signal) =>
    comparer.compare(
      { now: { markdown, hidden }, before: await textOf(key, version), patterns, wanted },
      key.team,
      signal,
    )
  return {
    look: async (key, sighting, wanted, { task, signal } = {}) => {
      const versions = (await read(key))?.versions ?? []
      const isOwn = task !== undefined && versions.at(-1)?.task === task
      const before = versions.at(isOwn ? -2 : -1)
      if (!before || before.isRemoved || sighting.isRemoved) return { ...(before && { before }), isSame: false }
      const { isSame = false, ...more } = await compareWith(before, key, sighting, ['isSame', ...wanted], signal)
      return { before, isSame, ...more }
    },
    keep: makeKeep(options, records, compareWith),
    tracked: pages.list,
    list: async (key) => (await read(key))?.versions.toReversed() ?? [],
    read: async (key, version) => {
      const text = await textOf(key, version)
      return text instanceof Uint8Array ? (parseStored(new TextDecoder().decode(text)) as PageText) : text
    },
    diff: async (key, from, to) => {
      const [before, now] = await Promise.all([textOf(key, from), textOf(key, to)])
      const { diff } = await comparer.compare({ now, before, patterns: [], wanted: ['diff'] }, key.team)
      if (diff) return diff
      throw new EngineError('internal', 'Two versions of a page were not compared.')
    },
  }
}

type CompareWith = (
  version: Version,
  key: PageKey,
  sighting: Sighting,
  wanted: readonly Finding[],
  signal?: AbortSignal,
) => Promise<Compared>

function makeKeep(
  { clock, comparer, versions: most, life }: HistoryOptions,
  { read, textOf, keepText, replace, forget, pages }: ReturnType<typeof makeRecords>,
  compareWith: CompareWith,
): History['keep'] {
  const turns = serializeByName()

  const isSameAs = async (head: Version, key: PageKey, sighting: KeptSighting): Promise<boolean> => {
    if (head.isRemoved || sighting.isRemoved) return head.isRemoved && sighting.isRemoved
    if (head.digest === sighting.digest) return true
    return (await compareWith(head, key, sighting, ['isSame'])).isSame ?? false
  }

  /** One attempt. Returns false if another process changed the record in the meantime. */
  const tryKeep = async (key: PageKey, sighting: KeptSighting, task: string): Promise<boolean> => {
    const before = await read(key)
    if (before?.tasks.includes(task)) return true
    const head = before?.versions.at(-1)
    const isSame = head !== undefined && (await isSameAs(head, key, sighting))
    const now = clock.now()
    const version = isSame ? looked(head, now) : first(sighting, { number: (head?.number ?? 0) + 1, now, task })
    // Write the text before the record, so that records never refer to missing text. Text without a record expires.
    const isDue = !isSame || now - head.keptAt > life / 2
    if (isDue && !sighting.isRemoved) await keepText(key, version, isSame ? await textOf(key, head) : sighting.bytes)
    const current = { ...version, keptAt: isDue ? now : version.keptAt }
    const all = [...(before?.versions ?? []).slice(0, isSame ? -1 : undefined), current]
    const next: HistoryRecord = {
      revision: (before?.revision ?? 0) + 1,
      versions: all.slice(-most),
      tasks: [...(before?.tasks ?? []), task].slice(-rememberedTasks),
    }
    await pages.note(key, pageDigest(key), current, next.revision)
    const isWritten = await replace(key, before, next)
    if (isWritten) await forget(key, all.slice(0, -most), next)
    return isWritten
  }

  return (key, seen, task) =>
    turns(recordKey(key), async () => {
      const { markdown, hidden, patterns } = seen
      const { kept } = await comparer.compare({ now: { markdown, hidden }, patterns, wanted: ['kept'] }, key.team)
      if (!kept) throw new EngineError('internal', 'What was seen of a page was not printed.')
      const sighting = { ...seen, ...kept }
      for (let count = 0; count < maxTries; count += 1) if (await tryKeep(key, sighting, task)) return
      throw new EngineError('store_failed', 'The history of a page changes too fast to be stored. Try again later.')
    })
}

/** Stores the records of pages and the text of each version. */
function makeRecords({ store, life }: HistoryOptions) {
  const read = async (key: PageKey): Promise<HistoryRecord | undefined> =>
    open('The history of a page', await store.get(recordKey(key)))

  const textOf = async (key: PageKey, { digest, isRemoved }: Version): Promise<PageText | KeptText> => {
    if (isRemoved) return { markdown: '', hidden: [] }
    const bytes = await store.get(textKey(key, digest))
    if (bytes instanceof Uint8Array) return bytes
    throw new EngineError('not_found', 'This version of the page is no longer kept.')
  }
  const keepText = async (key: PageKey, { digest }: Version, text: PageText | KeptText): Promise<void> => {
    if (text instanceof Uint8Array) await store.set(textKey(key, digest), text, { ttl: life })
  }

  const replace = async (key: PageKey, before: HistoryRecord | undefined, next: HistoryRecord): Promise<boolean> => {
    let isWritten = false
    await store.update(
      recordKey(key),
      (old) => {
        isWritten = open('The history of a page', old)?.revision === before?.revision
        return isWritten ? seal(next) : old
      },
      { ttl: life },
    )
    return isWritten
  }

  const forget = async (key: PageKey, removed: readonly Version[], { versions }: HistoryRecord): Promise<void> => {
    const used = new Set(versions.map(({ digest }) => digest))
    for (const { digest } of removed) if (!used.has(digest)) await store.delete(textKey(key, digest))
  }

  return { read, textOf, keepText, replace, forget, pages: trackedPages({ store, life }) }
}

/** A page with its text as it is stored. */
interface KeptSighting extends Sighting {
  readonly bytes: KeptText
  readonly digest: string
}

function first(
  { markdown, isRemoved, digest }: KeptSighting,
  { number, now, task }: { readonly number: number; readonly now: number; readonly task: string },
): Version {
  return { number, at: now, seen: now, checks: 1, isRemoved, characters: markdown.length, digest, keptAt: now, task }
}

function looked(version: Version, now: number): Version {
  return { ...version, seen: Math.max(version.seen, now), checks: version.checks + 1 }
}

function pageDigest({ team, url, tag }: PageKey): string {
  return createHash('sha256')
    .update(JSON.stringify([team, url, tag]))
    .digest('base64url')
    .slice(0, 22)
}

function recordKey(key: PageKey): string {
  return storeKeys.change(pageDigest(key))
}

function textKey(key: PageKey, digest: string): string {
  return `${recordKey(key)}/${digest}`
}
