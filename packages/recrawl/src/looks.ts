// Stored versions and visits of a page, for comparison with later visits. Noise is content that changes on each load, such as a
// clock.
import { hash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'

import { compareTexts } from '@harvestman/diff'
import type { Value } from '@harvestman/ports'

import { updatePace, type Pace } from './pace.ts'

/** A version of a page. `text` is absent if the page no longer existed (404 or 410). */
interface Version {
  readonly number: number
  readonly digest: string
  /** Its Markdown. Absent if too long, in which case only digests are compared. */
  readonly text?: string | undefined
}

/** A visit of a page by a job. */
export interface Look {
  readonly version: number
  readonly scrapeId: string
  readonly at: number
  readonly job: string
}

/** The visits of a page. */
export interface PageLooks {
  readonly versions: readonly Version[]
  /** Oldest first. */
  readonly looks: readonly Look[]
  /** Number of consecutive visits that used the cached copy instead of loading the page. */
  readonly trusted: number
  /** How often the page changes. Absent before the first visit that counts. */
  readonly pace?: Pace | undefined
}

/** The content of a page at a visit. */
export interface Sighting {
  readonly isMissing: boolean
  readonly markdown: string
}

const [maxVersions, maxLooks, maxTextLength] = [5, 30, 200_000]
/** Maximum size of the uncompressed data. */
const maxBytes = 16_000_000
const missingDigest = 'gone'

/** The data of a page without visits. */
export const nothingKnown: PageLooks = { versions: [], looks: [], trusted: 0 }

/**
 * Decodes stored visits. Absent data, and data that cannot be decompressed or is not JSON, counts as no visits, so the page is
 * loaded. The form of the JSON is not checked.
 */
export function openLooks(kept: Value | undefined): PageLooks {
  if (!(kept instanceof Uint8Array)) return nothingKnown
  try {
    const plain = Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength)
    const isPacked = plain.toString('latin1', 0, beginsPlain.length) !== beginsPlain
    const text = isPacked ? inflateRawSync(kept, { maxOutputLength: maxBytes }) : plain
    // Cast: written by `packLooks`.
    return JSON.parse(text.toString()) as PageLooks
  } catch {
    return nothingKnown
  }
}

// Compressing takes about 0.1 ms even for small data, so it is skipped below this many characters.
const packsFrom = 4_000
const beginsPlain = '{"versions":'

/**
 * Encodes visits. Versions of a page are similar, so together they compress to little more than one of them.
 * `openLooks` decodes them.
 */
export function packLooks({ versions, ...looks }: PageLooks): Uint8Array {
  const text = JSON.stringify({ versions, ...looks })
  return text.length < packsFrom ? Buffer.from(text) : deflateRawSync(text, { level: 1 })
}

function digestOf({ isMissing, markdown }: Sighting): string {
  return isMissing ? missingDigest : hash('sha256', markdown, 'base64url')
}

/**
 * Returns whether a page still equals a version. With `isCareful`, noise that changes on each load is ignored, except in pages
 * of more than 200,000 characters.
 */
export function isVersion(version: Version, sighting: Sighting, isCareful: boolean): boolean {
  if (version.digest === digestOf(sighting)) return true
  const { text } = version
  const { markdown } = sighting
  if (!isCareful || sighting.isMissing || text === undefined || markdown.length > maxTextLength) return false
  const task = { now: { markdown, hidden: [] }, before: { markdown: text, hidden: [] }, patterns: [] }
  return compareTexts({ ...task, wanted: ['isSame'] }).isSame === true
}

/** Returns the version of a visit; `undefined` if it is no longer stored. */
export function versionOf({ versions }: PageLooks, look: Look | undefined): Version | undefined {
  return look && versions.find(({ number }) => number === look.version)
}

/** Returns whether the page did not exist in this version. */
export function wasMissing({ digest }: Version): boolean {
  return digest === missingDigest
}

/**
 * Returns the visit that `since` refers to: by job id, the last one up to a time, or the last one. Visits of the job
 * `own` are skipped, unless `since` names it. Returns `undefined` if there is none.
 */
export function lookSince({ looks }: PageLooks, since: string | undefined, own: string | undefined): Look | undefined {
  if (since === undefined) return looks.findLast(({ job }) => job !== own)
  const time = parseTime(since)
  if (time === undefined) return looks.findLast(({ job }) => job === since)
  return looks.findLast(({ at, job }) => at <= time && job !== own)
}

/** Parses an ISO 8601 date or time. Returns milliseconds since 1970, or `undefined` for other strings, such as a job id. */
export function parseTime(since: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d(?:T|$)/.test(since)) return undefined
  const at = Date.parse(since)
  return Number.isNaN(at) ? undefined : at
}

/** How a visit was made. */
export interface LookTaken {
  /** Noise that changes on each load was ignored. */
  readonly isCareful: boolean
  /** The cached copy was used. */
  readonly isCopy: boolean
  /** The page was not due, so its site was not asked. Such a visit does not count in the statistics. */
  readonly isPassed: boolean
}

/**
 * Returns new data with one more visit, unless this job already has one, as after a crash. Only the last 30 visits and 5
 * versions are stored.
 */
export function withLook(
  memory: PageLooks,
  look: Omit<Look, 'version'>,
  sighting: Sighting,
  how: LookTaken,
): PageLooks {
  const { versions, looks } = memory
  if (looks.some(({ job }) => job === look.job)) return memory
  const last = versionOf(memory, looks.at(-1))
  const isSame = last !== undefined && isVersion(last, sighting, how.isCareful)
  const version = isSame ? last : newVersion((versions.at(-1)?.number ?? 0) + 1, sighting)
  const all = (isSame ? versions : [...versions, version]).slice(-maxVersions)
  const numbers = new Set(all.map(({ number }) => number))
  return {
    versions: all,
    looks: [...looks, { ...look, version: version.number }].filter((one) => numbers.has(one.version)).slice(-maxLooks),
    trusted: how.isCopy ? memory.trusted + 1 : 0,
    pace: paceAfter(memory.pace, { at: look.at, hasChanged: last !== undefined && !isSame }, how),
  }
}

/** If noise was not ignored, the reported change may be noise. Then only the load time is updated. */
function paceAfter(
  old: Pace | undefined,
  { at, hasChanged }: { readonly at: number; readonly hasChanged: boolean },
  { isCareful, isCopy, isPassed }: LookTaken,
): Pace | undefined {
  if (isPassed) return old
  if (isCareful || !old) return updatePace(old, { at, isLoaded: !isCopy, hasChanged })
  return isCopy ? old : { ...old, loadedAt: at }
}

function newVersion(number: number, sighting: Sighting): Version {
  const { isMissing, markdown } = sighting
  const text = isMissing || markdown.length > maxTextLength ? {} : { text: markdown }
  return { number, digest: digestOf(sighting), ...text }
}
