import type { ErrorCode, Json, OwnedBytes } from '@harvestman/ports'
import { damagedRecord, type NewSegment, type Segment } from '@harvestman/coordination'

/**
 * Event in the life of a job. The log of a job is a list of these in order, and everything that is known of the job
 * follows from them: a worker that reads the log from its beginning knows what the one before knew.
 */
export type Fact = { readonly at: number } & (
  | { readonly is: 'opened'; readonly opening: Opening }
  /** Another engine goes on with the job. */
  | { readonly is: 'taken'; readonly by: string }
  | PageFact
  | FailedFact
  /** The page turned out to be none of the job's: it counts as if it had never been taken up. */
  | { readonly is: 'dropped'; readonly task: number }
  /** Something that only this kind of job understands. */
  | { readonly is: 'noted'; readonly note: JobData }
  /** So many commands of the job were followed. The name is that of the first logs. */
  | { readonly is: 'answered'; readonly letters: number }
  | EndedFact
  /** There is more to do after all. */
  | { readonly is: 'reopened' }
)

/** A page was loaded, and its document is kept. */
export interface PageFact {
  readonly is: 'page'
  readonly task: number
  /** The id of the scrape. */
  readonly id: string
  readonly url: string
  readonly credits: number
  /** The length of the document. */
  readonly bytes: number
  /** Place of the document, when it is not in the body of the segment. */
  readonly kept?: KeptDocument
  /** HTTP status of the page. */
  readonly status?: number
  /** The beginning of its title. */
  readonly title?: string
}

/** A document in the body of a segment of another log, beside that of the job. */
export interface KeptDocument {
  readonly log: string
  readonly place: number
  /** Start of the document in the body. */
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
  /** Pages that were known and not loaded any more. */
  readonly cancelled: number
  /** Reason, when it is not plain. */
  readonly message?: string
}

export type EndStatus = 'completed' | 'failed' | 'cancelled'
export type JobStatusWord = 'scraping' | EndStatus

/** Request or note of a kind of job: plain data that this kind alone understands, kept as JSON. */
export type JobData = Json | object

/** Beginning of a job. */
export interface Opening {
  readonly id: string
  readonly kind: string
  readonly team: string
  /** Checked, and every default filled in. */
  readonly request: JobData
  readonly createdAt: number
  readonly expiresAt: number
  /** Address under which the files of its pages are served. */
  readonly filesAt?: string | undefined
  /** The API key that opened it, for the usage by key. */
  readonly key?: string | undefined
  /** Random: the keys of its tasks are made from it and their numbers. */
  readonly salt: string
  /** Subject of the job, for lists: its URL, query or prompt. */
  readonly about?: string | undefined
  /** Pages at once that its team may have, all its jobs together. */
  readonly teamConcurrency?: number | undefined
}

/** A fact, and the document of one that has one. */
export interface Entry {
  readonly fact: Fact
  /** Document in pieces, which belong to the entry: they are freed once they are kept. */
  readonly document?: readonly OwnedBytes[]
}

interface SegmentHead {
  readonly facts: readonly Fact[]
}

const comma = Buffer.from(',')

/** Documents stand in the body with commas between them, so that any run of them is a list when brackets are put around it. */
export function toSegment(by: string, entries: readonly Entry[], after?: string): NewSegment {
  const documents: (readonly Uint8Array[])[] = entries.flatMap(({ document }) => (document ? [document] : []))
  const facts = entries.map(({ fact }) => fact)
  const isLinked = facts.some((fact) => fact.is === 'page' && fact.kept)
  return { head: { facts } satisfies SegmentHead, by, after, body: joined(documents), isLinked }
}

/** One body of many documents. */
export function joined(documents: readonly (readonly Uint8Array[])[]): readonly Uint8Array[] {
  return documents.flatMap((document, index) => (index === 0 ? document : [comma, ...document]))
}

/** Start of the next document in such a body. */
export function startAfter(start: number, bytes: number): number {
  return start + bytes + comma.length
}

export function factsOf({ head }: Segment): readonly Fact[] {
  const { facts } = (head ?? {}) as Partial<SegmentHead>
  if (!Array.isArray(facts)) throw damagedRecord('a segment of the log of a job')
  return facts
}

/** The pages of a segment, in the order of their documents. */
export function pagesOf(segment: Segment): (Fact & PageFact)[] {
  return factsOf(segment).filter((fact) => fact.is === 'page')
}
