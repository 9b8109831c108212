// Everything in a record that is not HTTP, as JSON lines.
import type { Answer, ErrorCode, ErrorDetails, Question, Search, SearchHit, SearchQuery } from '@harvestman/ports'
import { EngineError } from '@harvestman/ports'

/** An error in the form in which it is recorded. */
export interface NotedFailure {
  readonly code: ErrorCode
  readonly message: string
  readonly details: ErrorDetails
}

/** A line of notes. `order` is the sequence number of the request among all requests of the record. */
export type Note =
  | {
      readonly is: 'begun'
      readonly version: 1
      readonly at: number
      /** First sequence number of this run. Default: 0. */
      readonly first?: number | undefined
      readonly model?: { readonly name?: string | undefined; readonly contextTokens?: number | undefined } | undefined
      readonly search?:
        | {
            readonly name: string
            readonly sources: readonly string[]
            readonly follows: readonly string[]
            readonly onlyIn?: string | undefined
          }
        | undefined
      /** Arguments of the recorded command, if the run was started from the command line. */
      readonly command?: readonly string[] | undefined
    }
  /** The run was closed. If this note is missing, the process was killed. */
  | { readonly is: 'ended' }
  /** Readings of the clock: the first one, then the milliseconds since the previous one. */
  | { readonly is: 'time'; readonly from: number; readonly steps: readonly number[] }
  | { readonly is: 'ids'; readonly ids: readonly string[] }
  | {
      readonly is: 'names'
      readonly host: string
      readonly addresses?: readonly Named[]
      readonly failure?: NotedFailure
    }
  | { readonly is: 'proxy'; readonly tier: string; readonly country: string; readonly found: boolean }
  | Ordered<'exchange', { readonly key: string; readonly by: ExchangeSource; readonly failure: NotedFailure }>
  | Ordered<'model', { readonly question: Question; readonly answer?: Answer; readonly failure?: NotedFailure }>
  | Ordered<
      'search',
      {
        readonly query: Omit<SearchQuery, 'team'>
        readonly hits?: readonly SearchHit[]
        readonly failure?: NotedFailure
      }
    >

/** The note at the start of a run. */
export type Begun = Extract<Note, { readonly is: 'begun' }>

/** Describes a search backend for the note at the start of a run. */
export function searchNote({ name, sources, follows, onlyIn }: Search): NonNullable<Begun['search']> {
  return { name, sources, follows, ...(onlyIn !== undefined && { onlyIn }) }
}

type Ordered<Is extends string, More> = { readonly is: Is; readonly order: number; readonly at: number } & More

/** An IP address to which a host name was resolved. */
export interface Named {
  readonly address: string
  readonly family: 4 | 6
}

/** Who sent the request: the engine's fetcher or a page in a browser. */
export type ExchangeSource = 'fetcher' | 'browser'

/**
 * Converts an error to the form in which it is recorded. Returns `undefined` for anything that is not an `EngineError`, and for
 * the codes `aborted` and `closed`: the work did not fail, but was stopped from outside.
 */
export function failureNote(error: unknown): NotedFailure | undefined {
  if (!EngineError.is(error) || error.code === 'aborted' || error.code === 'closed') return undefined
  const { code, message, details } = error
  return { code, message, details }
}

/** Recreates the error of a recorded failure. */
export function failureOf({ code, message, details }: NotedFailure): EngineError {
  return new EngineError(code, message, { details })
}
