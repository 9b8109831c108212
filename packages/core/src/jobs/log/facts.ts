import type { ErrorCode, Json, OwnedBytes } from '@harvestman/ports'
import { damagedRecord, type NewSegment, type Segment } from '@harvestman/coordination'

/**
 * An event in the life of a job. The log of a job is an ordered list of facts, and all state of the job is derived from them,
 * so a worker that reads the whole log has the same state as its predecessor.
 */
export type Fact = { readonly at: number } & (
  | OpenedFact
  /** Another engine has taken over the job. */
  | { readonly is: 'taken'; readonly by: string }
  | PageFact
  | FailedFact
  /** The page does not belong to the job after all: it is not counted. */
  | { readonly is: 'dropped'; readonly task: number }
  /** A note that only this kind of job understands. */
  | { readonly is: 'noted'; readonly note: JobData }
  /** `letters` is the number of commands processed so far. The field has its name from the first log format. */
  | { readonly is: 'answered'; readonly letters: number }
  | EndedFact
  /** A completed job has more work to do. */
  | { readonly is: 'reopened' }
)

/** The first fact of a log. */
export interface OpenedFact {
  readonly is: 'opened'
  readonly opening: Opening
  /** Number of segments that the start of the job has. Absent if it has one. */
  readonly segments?: number
}

/** A page was loaded and its document stored. */
export interface PageFact {
  readonly is: 'page'
  readonly task: number
  /** Id of the scrape. */
  readonly id: string
  readonly url: string
  readonly credits: number
  /** Length of the document as JSON, in bytes. */
  readonly bytes: number
  /** Location of the document, if it is not in the body of the segment. */
  readonly kept?: KeptDocument
  /** HTTP status of the page. */
  readonly status?: number
  /** Start of the title. */
  readonly title?: string
}

/** Location of a document in a secondary log of the job. */
export interface KeptDocument {
  readonly log: string
  readonly place: number
  /** Offset of the document in the body of the segment, in bytes. */
  readonly start: number
}

export interface FailedFact {
  readonly is: 'failed'
  readonly task: number
  readonly id: string
  readonly url: string
  readonly code: ErrorCode
  readonly message: string
}

export interface EndedFact {
  readonly is: 'ended'
  readonly status: EndStatus
  /** Number of known pages that were not loaded. */
  readonly cancelled: number
  /** Reason, if it is not obvious. */
  readonly message?: string
}

export type EndStatus = 'completed' | 'failed' | 'cancelled'
export type JobStatusWord = 'scraping' | EndStatus

/** Request or note of a kind of job: JSON data that only this kind understands. */
export type JobData = Json | object

/** Immutable properties of a job, set when it is created. */
export interface Opening {
  readonly id: string
  readonly kind: string
  readonly team: string
  /** Validated, with all defaults filled in. */
  readonly request: JobData
  readonly createdAt: number
  readonly expiresAt: number
  /** Base URL at which the files of its pages are served. */
  readonly filesAt?: string | undefined
  /** API key that created the job, for usage statistics by key. */
  readonly key?: string | undefined
  /** Random string from which the ids and keys of its pages are derived. */
  readonly salt: string
  /** Subject of the job for lists: its URL, query or prompt. */
  readonly about?: string | undefined
  /** Maximum number of concurrent pages of the team, over all its jobs. */
  readonly teamConcurrency?: number | undefined
}

/** A fact and its document, if it has one. */
export interface Entry {
  readonly fact: Fact
  /** Document in chunks. The entry owns them; they are freed once stored. */
  readonly document?: readonly OwnedBytes[]
}

/** Returns the entries of notes, which have no documents. */
export function noteEntries(notes: readonly JobData[], at: number): Entry[] {
  return notes.map((note) => ({ fact: { is: 'noted', at, note } }))
}

interface SegmentHead {
  readonly facts: readonly Fact[]
}

const comma = Buffer.from(',')

/**
 * Builds a log segment of the writer `by`; `after` is the writer of the segment before. Documents are separated by commas in
 * the body, so that any range of them can be sent as a JSON array by adding brackets.
 */
export function toSegment(by: string, entries: readonly Entry[], after?: string): NewSegment {
  const documents: (readonly Uint8Array[])[] = entries.flatMap(({ document }) => (document ? [document] : []))
  const facts = entries.map(({ fact }) => fact)
  const isLinked = facts.some((fact) => fact.is === 'page' && fact.kept)
  return { head: { facts } satisfies SegmentHead, by, after, body: joinDocuments(documents), isLinked }
}

/** Returns the chunks of one segment body: the documents, separated by commas. Nothing is copied. */
export function joinDocuments(documents: readonly (readonly Uint8Array[])[]): readonly Uint8Array[] {
  return documents.flatMap((document, index) => (index === 0 ? document : [comma, ...document]))
}

/** Returns the byte offset of the next document in a segment body, after one of `bytes` bytes at `start`. */
export function nextDocumentStart(start: number, bytes: number): number {
  return start + bytes + comma.length
}

/** Returns the facts of a segment. Throws a damaged-record error if the segment has no list of facts. */
export function factsOf({ head }: Segment): readonly Fact[] {
  const { facts } = (head ?? {}) as Partial<SegmentHead>
  if (!Array.isArray(facts)) throw damagedRecord('a segment of the log of a job')
  return facts
}

/**
 * Returns the loaded pages of a segment, in the order of their documents. Throws a damaged-record error if the segment has no
 * list of facts.
 */
export function pagesOf(segment: Segment): (Fact & PageFact)[] {
  return factsOf(segment).filter((fact) => fact.is === 'page')
}

/** Returns the fact that ends a job whose start is not whole. */
export function startLost({ createdAt }: Opening): Fact {
  const message = 'The store was reset to a state before this job began, and its pages are lost. Start the job again.'
  return { is: 'ended', at: createdAt, status: 'failed', cancelled: 0, message }
}
