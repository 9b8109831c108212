// What is not HTTP: one line of JSON each.
import type { Answer, ErrorCode, ErrorDetails, Question, Search, SearchHit, SearchQuery } from '@harvestman/ports'
import { EngineError } from '@harvestman/ports'

/** Why something failed, as it is kept. */
export interface NotedFailure {
  readonly code: ErrorCode
  readonly message: string
  readonly details: ErrorDetails
}

/** A line beside the record. `order` is the place of what it tells among all that was asked. */
export type Note =
  | {
      readonly is: 'begun'
      readonly version: 1
      readonly at: number
      /** The first place of this run; 0 when absent. */
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
      /** Of the command line: what was asked for. */
      readonly command?: readonly string[] | undefined
    }
  /** A run was closed. One without it was killed. */
  | { readonly is: 'ended' }
  /** Readings of the clock, each as the milliseconds since the one before. */
  | { readonly is: 'time'; readonly from: number; readonly steps: readonly number[] }
  | { readonly is: 'ids'; readonly ids: readonly string[] }
  | {
      readonly is: 'names'
      readonly host: string
      readonly addresses?: readonly Named[]
      readonly failure?: NotedFailure
    }
  | { readonly is: 'proxy'; readonly tier: string; readonly country: string; readonly found: boolean }
  | Ordered<'exchange', { readonly key: string; readonly by: Asker; readonly failure: NotedFailure }>
  | Ordered<'model', { readonly question: Question; readonly answer?: Answer; readonly failure?: NotedFailure }>
  | Ordered<
      'search',
      {
        readonly query: Omit<SearchQuery, 'team'>
        readonly hits?: readonly SearchHit[]
        readonly failure?: NotedFailure
      }
    >

/** The note with which a run begins. */
export type Begun = Extract<Note, { readonly is: 'begun' }>

/** Describes a search backend for the note of a run's start. */
export function searchNote({ name, sources, follows, onlyIn }: Search): NonNullable<Begun['search']> {
  return { name, sources, follows, ...(onlyIn !== undefined && { onlyIn }) }
}

type Ordered<Is extends string, More> = { readonly is: Is; readonly order: number; readonly at: number } & More

/** An address that a name had. */
export interface Named {
  readonly address: string
  readonly family: 4 | 6
}

/** What asked: the fetcher of the engine, or a page in a browser. */
export type Asker = 'fetcher' | 'browser'

/** The failure as it is kept; nothing for one that only says that the work was ended from outside. */
export function failureNote(error: unknown): NotedFailure | undefined {
  if (!EngineError.is(error) || error.code === 'aborted' || error.code === 'closed') return undefined
  const { code, message, details } = error
  return { code, message, details }
}

/** The same failure again. */
export function failureOf({ code, message, details }: NotedFailure): EngineError {
  return new EngineError(code, message, { details })
}
