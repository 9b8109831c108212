// Written by scripts/client-features.ts from the endpoints of the features. Change those, and run it.

import type { WaitOptions } from './job.ts'
import type { KnownRoutes } from './features.ts'

/** A learned extractor. */
export type Extractor = {
  readonly id: string
  readonly host: string
  /** Counts the changes. */
  readonly revision: number
  /** Milliseconds since 1970. */
  readonly changedAt: number
  readonly program: ExtractorProgram
}

/** A program that reads the fields of a template: data, with the alternatives that find each. */
export type ExtractorProgram = {
  readonly version: 1
  readonly path: string
  readonly print: readonly number[]
  readonly pages: number
  readonly fields: {
    readonly [key: string]: {
      readonly many?: boolean
      readonly isNull?: boolean
      readonly expected: {
        readonly minLength: number
        readonly maxLength: number
        readonly maxWords: number
        readonly signs: boolean
        /** Default: `0`. */
        readonly decimals: number
        readonly digits?: boolean
        readonly seen: number
        readonly absent: number
      }
      readonly hints?: readonly string[]
      readonly alternatives: readonly {
        readonly by: 'meta' | 'attribute' | 'heading' | 'class' | 'id' | 'within' | 'label' | 'near'
        readonly selector?: string
        readonly label?: string
        readonly next?: number
        readonly up?: number
        readonly attribute?: string
        readonly pick?: 'first'
        readonly alone?: true
        readonly as: 'text' | 'number' | 'price' | 'date' | 'url'
        readonly before?: string
        readonly after?: string
        readonly until?: string
        readonly order?: 'dmy' | 'mdy' | 'ymd'
        /** Default: `1`. */
        readonly right: number
        /** Default: `0`. */
        readonly wrong: number
        /** Default: `0`. */
        readonly none: number
        readonly silent?: number
        readonly invented?: number
      }[]
    }
  }
  readonly lists: {
    readonly [key: string]: {
      readonly rows: readonly string[]
      readonly fields: {
        readonly [key: string]: {
          readonly many?: boolean
          readonly isNull?: boolean
          readonly expected: {
            readonly minLength: number
            readonly maxLength: number
            readonly maxWords: number
            readonly signs: boolean
            /** Default: `0`. */
            readonly decimals: number
            readonly digits?: boolean
            readonly seen: number
            readonly absent: number
          }
          readonly hints?: readonly string[]
          readonly alternatives: readonly {
            readonly by: 'meta' | 'attribute' | 'heading' | 'class' | 'id' | 'within' | 'label' | 'near'
            readonly selector?: string
            readonly label?: string
            readonly next?: number
            readonly up?: number
            readonly attribute?: string
            readonly pick?: 'first'
            readonly alone?: true
            readonly as: 'text' | 'number' | 'price' | 'date' | 'url'
            readonly before?: string
            readonly after?: string
            readonly until?: string
            readonly order?: 'dmy' | 'mdy' | 'ymd'
            /** Default: `1`. */
            readonly right: number
            /** Default: `0`. */
            readonly wrong: number
            /** Default: `0`. */
            readonly none: number
            readonly silent?: number
            readonly invented?: number
          }[]
        }
      }
    }
  }
}

/** A program as it was after a change. */
export type ExtractorVersion = {
  /** Counts the changes. */
  readonly revision: number
  /** Milliseconds since 1970. */
  readonly changedAt: number
  readonly program: ExtractorProgram
}

/** The endpoints of `extractors`. */
export interface Extractors {
  /** Lists the learned extractors of your team, the most recent site first. */
  list(options?: WaitOptions): Promise<readonly Extractor[]>
  /** Returns an extractor with its program. */
  get(id: string, options?: WaitOptions): Promise<Extractor>
  /** Replaces the program of an extractor, from the next page on. */
  edit(
    id: string,
    input: {
      readonly program: ExtractorProgram
    },
    options?: WaitOptions,
  ): Promise<Extractor>
  /** Deletes an extractor and its versions. The model is asked about its pages again. */
  delete(id: string, options?: WaitOptions): Promise<void>
  /** Lists the last versions of an extractor, the newest first. */
  versions(id: string, options?: WaitOptions): Promise<readonly ExtractorVersion[]>
}

/** The endpoints of `records`. */
export interface Records {
  /** Returns the record of a request that had `record: true`, as a .warc.gz file. */
  get(id: string, options?: WaitOptions): Promise<Response>
  /** Deletes the record of a request. Repeating it has no effect. */
  delete(id: string, options?: WaitOptions): Promise<void>
}

/** The features that every server has. */
export interface OwnFeatures {
  readonly extractors: Extractors
  readonly records: Records
}

/** Their routes. */
export const ownRoutes: KnownRoutes = {
  extractors: {
    list: { method: 'GET', path: '/v2/extractors', result: 'data', hasInput: false, isRepeatable: true },
    get: { method: 'GET', path: '/v2/extractors/{id}', result: 'data', hasInput: false, isRepeatable: true },
    edit: { method: 'PATCH', path: '/v2/extractors/{id}', result: 'data', hasInput: true, isRepeatable: true },
    delete: { method: 'DELETE', path: '/v2/extractors/{id}', result: 'none', hasInput: false, isRepeatable: true },
    versions: {
      method: 'GET',
      path: '/v2/extractors/{id}/versions',
      result: 'data',
      hasInput: false,
      isRepeatable: true,
    },
  },
  records: {
    get: { method: 'GET', path: '/v2/records/{id}', result: 'file', hasInput: false, isRepeatable: true },
    delete: { method: 'DELETE', path: '/v2/records/{id}', result: 'none', hasInput: false, isRepeatable: true },
  },
}
