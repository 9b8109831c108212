// What is remembered of a page: how it was, and when which job has seen it so.
import { hash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'

import { compareTexts } from '@harvestman/diff'
import type { Value } from '@harvestman/ports'

import { paced, type Pace } from './pace.ts'

/** A page as it was. One that is gone has no text. */
interface Version {
  readonly number: number
  readonly digest: string
  /** Its Markdown; absent where that is too long to be compared otherwise than by its digest. */
  readonly text?: string | undefined
}

/** A visit of a job. */
export interface Look {
  readonly version: number
  readonly scrapeId: string
  readonly at: number
  readonly job: string
}

/** The memory of a page. */
export interface PageLooks {
  readonly versions: readonly Version[]
  /** The newest last. */
  readonly looks: readonly Look[]
  /** How many looks in a row have taken the kept copy for the page. */
  readonly trusted: number
  /** How often it changes; absent before the first look that compares with care. */
  readonly pace?: Pace | undefined
}

/** A page as a visit found it. */
export interface Sighting {
  readonly isGone: boolean
  readonly markdown: string
}

const [mostVersions, mostLooks, mostText] = [5, 30, 200_000]
/** No memory of a page is larger, unpacked. */
const mostBytes = 16_000_000
const goneDigest = 'gone'

/** What is known of a page that was never looked at. */
export const nothingKnown: PageLooks = { versions: [], looks: [], trusted: 0 }

/** Reads the memory of a page. What cannot be read is as good as none: the page is loaded. */
export function openLooks(kept: Value | undefined): PageLooks {
  if (!(kept instanceof Uint8Array)) return nothingKnown
  try {
    const plain = Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength)
    const isPacked = plain.toString('latin1', 0, beginsPlain.length) !== beginsPlain
    const text = isPacked ? inflateRawSync(kept, { maxOutputLength: mostBytes }) : plain
    // Cast: what `packLooks` has written.
    return JSON.parse(text.toString()) as PageLooks
  } catch {
    return nothingKnown
  }
}

// Packing costs a tenth of a millisecond, however little there is.
const packsFrom = 4_000
const beginsPlain = '{"versions":'

/** Versions of a page are alike, and packed together they take little more room than one. */
export function packLooks({ versions, ...looks }: PageLooks): Uint8Array {
  const text = JSON.stringify({ versions, ...looks })
  return text.length < packsFrom ? Buffer.from(text) : deflateRawSync(text, { level: 1 })
}

function digestOf({ isGone, markdown }: Sighting): string {
  return isGone ? goneDigest : hash('sha256', markdown, 'base64url')
}

/** Whether a page is as it was; what changes on it without anything having changed counts where `isCareful` is not set. */
export function isVersion(version: Version, sighting: Sighting, isCareful: boolean): boolean {
  if (version.digest === digestOf(sighting)) return true
  const { text } = version
  const { markdown } = sighting
  if (!isCareful || sighting.isGone || text === undefined || markdown.length > mostText) return false
  const task = { now: { markdown, hidden: [] }, before: { markdown: text, hidden: [] }, patterns: [] }
  return compareTexts({ ...task, wanted: ['isSame'] }).isSame === true
}

/** The version of a look; nothing when it is forgotten. */
export function versionOf({ versions }: PageLooks, look: Look | undefined): Version | undefined {
  return look && versions.find(({ number }) => number === look.version)
}

export function isGoneThen({ digest }: Version): boolean {
  return digest === goneDigest
}

/** The look that `since` means: that of a job, the last one until a time, or the last one. A job does not compare with its own. */
export function lookSince({ looks }: PageLooks, since: string | undefined, own: string | undefined): Look | undefined {
  if (since === undefined) return looks.findLast(({ job }) => job !== own)
  const time = timeIn(since)
  if (time === undefined) return looks.findLast(({ job }) => job === since)
  return looks.findLast(({ at, job }) => at <= time && job !== own)
}

/** The time that a text says; nothing for the id of a job. */
export function timeIn(since: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d(?:T|$)/.test(since)) return undefined
  const at = Date.parse(since)
  return Number.isNaN(at) ? undefined : at
}

/** How a look was taken. */
export interface LookTaken {
  /** What changes on the page without anything having changed was left out of account. */
  readonly isCareful: boolean
  /** The kept copy was taken for the page. */
  readonly isCopy: boolean
  /** It was taken because the page was not due, which says nothing about the page. */
  readonly isPassed: boolean
}

/** Takes a look in. A job that looks again, after a crash, changes nothing. */
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
  const all = (isSame ? versions : [...versions, version]).slice(-mostVersions)
  const kept = new Set(all.map(({ number }) => number))
  return {
    versions: all,
    looks: [...looks, { ...look, version: version.number }].filter((one) => kept.has(one.version)).slice(-mostLooks),
    trusted: how.isCopy ? memory.trusted + 1 : 0,
    pace: paceAfter(memory.pace, { at: look.at, hasChanged: last !== undefined && !isSame }, how),
  }
}

/** Without care, what was found to have changed may be noise: only the load counts. */
function paceAfter(
  old: Pace | undefined,
  { at, hasChanged }: { readonly at: number; readonly hasChanged: boolean },
  { isCareful, isCopy, isPassed }: LookTaken,
): Pace | undefined {
  if (isPassed) return old
  if (isCareful || !old) return paced(old, { at, isLoaded: !isCopy, hasChanged })
  return isCopy ? old : { ...old, loadedAt: at }
}

function newVersion(number: number, sighting: Sighting): Version {
  const { isGone, markdown } = sighting
  const text = isGone || markdown.length > mostText ? {} : { text: markdown }
  return { number, digest: digestOf(sighting), ...text }
}
