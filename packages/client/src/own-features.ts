// Written by scripts/client-features.ts from the endpoints of the features. Change those, and run it.

import type { WaitOptions } from './job.ts'
import type { KnownRoutes } from './features.ts'

/** A dataset. */
export type Dataset = {
  readonly name: string
  /** The columns that identify a row. */
  readonly key: readonly string[]
  readonly schema: {
    readonly [key: string]: unknown
  } | null
  /** The kinds of values of each column. */
  readonly columns: {
    readonly [key: string]: readonly ('text' | 'number' | 'integer' | 'boolean' | 'json')[]
  }
  readonly rows: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** A row to add. */
export type NewDatasetRow = {
  /** The values of the row, by column. */
  readonly values: {
    readonly [key: string]: unknown
  }
  /** The URL that the row comes from. */
  readonly source?: string | undefined
  /** Where on the page each value was found, by column. */
  readonly evidence?:
    | {
        readonly [key: string]: unknown
      }
    | undefined
}

/** Numbers of rows that were added, changed and unchanged. */
export type PutResult = {
  readonly added: number
  readonly changed: number
  readonly same: number
}

/** A row of a dataset. */
export type DatasetRow = {
  readonly id: string
  readonly values: {
    readonly [key: string]: unknown
  }
  readonly source: string | null
  /** Where on the page each value was found, by column. */
  readonly evidence: {
    readonly [key: string]: unknown
  }
  /** Milliseconds since 1970, like the other times of a row. */
  readonly firstSeen: number
  readonly changed: number
  readonly lastSeen: number
  /** The values before each change, newest first. Only changed columns. */
  readonly history: readonly {
    readonly until: number
    readonly source: string | null
    readonly values: {
      readonly [key: string]: unknown
    }
  }[]
}

/** The rows that a query selects. */
export type QueryAnswer = {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
  /** Whether there are more rows than the limit. */
  readonly isCut: boolean
}

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

/** A script: data that can be read and edited. */
export type Script = {
  /** The version of the script format. */
  readonly version: 1
  /** The URL that a run opens first. */
  readonly start: string
  /** The hosts that a run may navigate to. */
  readonly hosts: readonly string[]
  /** The parameters of a run, by name. */
  readonly parameters: {
    readonly [key: string]: {
      readonly type: 'text' | 'list'
      /** The value is passed with each run and never stored. */
      readonly secret?: boolean | undefined
      /** The only origin where the secret may be typed. */
      readonly origin?: string | undefined
    }
  }
  /** The steps, in order. */
  readonly steps: readonly {
    /** The kind of step. */
    readonly action: 'click' | 'fill' | 'select' | 'press' | 'goto'
    /** The tab to act in, by the name given in the step that opened it. Default: the first tab. */
    readonly tab?: string | undefined
    /** Ways to find the element: role and accessible name, label, text, attributes, the strings before and after it and in its row, its path, the frame that holds it (id, name, title, URL, path), the part of the page in which it was the only element of its role, and its number among elements of the same role and name. */
    readonly target?:
      | {
          readonly role: string
          readonly name: string
          readonly label?: string | undefined
          readonly text?: string | undefined
          /** Default: `{}`. */
          readonly attributes?:
            | {
                readonly [key: string]: string
              }
            | undefined
          readonly before?: string | undefined
          readonly after?: string | undefined
          readonly row?: readonly string[] | undefined
          readonly path?: string | undefined
          readonly frame?:
            | {
                readonly [key: string]: string
              }
            | undefined
          readonly alone?: string | undefined
          readonly place?:
            | {
                readonly index: number
                readonly of: number
              }
            | undefined
        }
      | undefined
    /** The string to type, option to choose, key to press or URL to open. `{{name}}` is replaced by the parameter `name`. */
    readonly value?: string | readonly string[] | undefined
    /** A parameter that is a list: the step runs once for each item. */
    readonly each?: string | undefined
    /** The number of steps that `each` repeats, starting with this one. */
    readonly block?: number | undefined
    /** The step runs until the page shows this string; it does not run if the page shows it already. */
    readonly until?: string | undefined
    /** What must hold after the step. Default: `{}`. */
    readonly expects?:
      | {
          /** The URL of the page after the step. */
          readonly address?: string | undefined
          /** The state of the element after the step. */
          readonly state?:
            | {
                readonly value?: string | undefined
                readonly filled?: boolean | undefined
                readonly checked?: boolean | undefined
                readonly selected?: boolean | undefined
                readonly expanded?: boolean | undefined
                readonly pressed?: boolean | undefined
              }
            | undefined
          /** The element is no longer on the page. */
          readonly gone?: true | undefined
          /** Headings, messages and other strings that the page shows after the step. */
          readonly shows?: readonly string[] | undefined
          /** Fields and buttons on the page after the step, such as `button Save`. */
          readonly controls?: readonly string[] | undefined
          /** Tabs that the step opens. */
          readonly opens?:
            | readonly {
                /** The name by which later steps refer to this tab. */
                readonly tab: string
                /** The URL that the tab shows. */
                readonly address?: string | undefined
              }[]
            | undefined
          /** Tabs that the step closes. */
          readonly closes?: readonly string[] | undefined
        }
      | undefined
  }[]
}

/** A script with its steps. */
export type KeptScript = {
  readonly name: string
  /** Counts each change. */
  readonly version: number
  readonly origin: 'recorded' | 'edited' | 'repaired'
  /** Milliseconds since 1970. */
  readonly changedAt: number
  readonly script: Script
}

/** The result of a run. */
export type ScriptRun = {
  readonly name: string
  readonly version: number
  /** The version that the repairs of this run have made. */
  readonly repairedTo?: number
  /** Where the page was at the end. */
  readonly url: string
  readonly steps: readonly {
    readonly step: number
    readonly action: string
    readonly outcome: 'done' | 'already' | 'repaired'
    readonly element?: string
    readonly note?: string
    readonly url: string
  }[]
  readonly repairs: readonly {
    /** Its number in the script, from 1. */
    readonly step: number
    readonly changes: readonly string[]
    readonly before: ScriptTarget
    readonly after: ScriptTarget
  }[]
}

/** An element, with several ways to find it. */
export type ScriptTarget = {
  readonly role: string
  readonly name: string
  readonly label?: string
  readonly text?: string
  /** Default: `{}`. */
  readonly attributes: {
    readonly [key: string]: string
  }
  readonly before?: string
  readonly after?: string
  readonly row?: readonly string[]
  readonly path?: string
  readonly frame?: {
    readonly [key: string]: string
  }
  readonly alone?: string
  readonly place?: {
    readonly index: number
    readonly of: number
  }
}

/** A version of a script: its parameters, and the number of its steps. */
export type ScriptVersion = {
  readonly name: string
  /** Counts each change. */
  readonly version: number
  readonly origin: 'recorded' | 'edited' | 'repaired'
  /** Milliseconds since 1970. */
  readonly changedAt: number
  /** The URL that a run opens first. */
  readonly start: string
  /** The parameters of a run, by name. */
  readonly parameters: {
    readonly [key: string]: {
      readonly type: 'text' | 'list'
      /** The value is passed with each run and never stored. */
      readonly secret?: boolean
      /** The only origin where the secret may be typed. */
      readonly origin?: string
    }
  }
  readonly steps: number
}

/** The versions and repairs of a script, the newest first. */
export type ScriptHistory = {
  readonly versions: readonly ScriptVersion[]
  readonly repairs: readonly {
    /** Its number in the script, from 1. */
    readonly step: number
    readonly changes: readonly string[]
    readonly before: ScriptTarget
    readonly after: ScriptTarget
    readonly at: number
    readonly version: number
  }[]
}

/** The endpoints of `datasets`. */
export interface Datasets {
  /** Creates a dataset: rows with a key, an optional schema and a history. */
  create(
    input: {
      /** The name of the dataset, unique in your team. */
      readonly name: string
      /** The columns that identify a row: rows with equal values there are one row. Without them all columns together do. Default: `[]`. */
      readonly key?: readonly string[] | undefined
      /** A JSON Schema that each row must fit. */
      readonly schema?:
        | {
            readonly [key: string]: unknown
          }
        | undefined
    },
    options?: WaitOptions,
  ): Promise<Dataset>
  /** Lists the datasets of your team, by name. */
  list(options?: WaitOptions): Promise<readonly Dataset[]>
  /** Returns a dataset with its columns and its number of rows. */
  get(name: string, options?: WaitOptions): Promise<Dataset>
  /** Deletes a dataset with its rows. */
  delete(name: string, options?: WaitOptions): Promise<void>
  /** Adds rows, and updates those with the same key. All rows are checked before one is written. */
  put(
    name: string,
    input: {
      /** 1 to 10000 rows. */
      readonly rows: readonly NewDatasetRow[]
    },
    options?: WaitOptions,
  ): Promise<PutResult>
  /** Adds the rows in the documents of a crawl or batch that has ended. */
  collect(
    name: string,
    input: {
      /** The id of a crawl or batch that has ended. */
      readonly job: string
      /** The field of the documents that has the rows, such as `json` or `items`. */
      readonly from: string
      /** The property of that field which has the rows, as `a.b`. Without it: the list itself, the only list in it, or the field as one row. */
      readonly path?: string | undefined
    },
    options?: WaitOptions,
  ): Promise<PutResult>
  /** Lists rows of a dataset, a page at a time. */
  rows(
    name: string,
    input?: {
      /** The maximum number of rows to return. Default: `100`. */
      readonly limit?: number | undefined
      /** The id of the last row of the previous page: its `next`. */
      readonly after?: string | undefined
    },
    options?: WaitOptions,
  ): Promise<{
    readonly data: readonly DatasetRow[]
    /** Send it as `after` to get the next page. */
    readonly next?: string
  }>
  /** Returns a row with its history. */
  row(name: string, row: string, options?: WaitOptions): Promise<DatasetRow>
  /** Deletes a row. */
  deleteRow(name: string, row: string, options?: WaitOptions): Promise<void>
  /** Answers one SELECT of SQLite over the rows of a dataset. */
  query(
    name: string,
    input: {
      /** One SELECT of SQLite. The table is `rows`, with the columns of the dataset. */
      readonly sql: string
      /** The values of the `?` in the SQL. Default: `[]`. */
      readonly params?: readonly (string | number | null)[] | undefined
      /** The maximum number of rows to return. Default: `1000`. */
      readonly limit?: number | undefined
      /** How long the query may take. Default: `10000`. */
      readonly timeout?: number | undefined
    },
    options?: WaitOptions,
  ): Promise<QueryAnswer>
  /** Returns the dataset as a file: JSON lines, CSV or Parquet. */
  export(
    name: string,
    input?: {
      /** The file format. Default: `"jsonl"`. */
      readonly format?: 'jsonl' | 'csv' | 'parquet' | undefined
    },
    options?: WaitOptions,
  ): Promise<Response>
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

/** The endpoints of `scripts`. */
export interface Scripts {
  /** Records the steps taken in a live browser, until a script is saved from them. */
  record(
    input: {
      /** The id of an open live browser. */
      readonly session: string
    },
    options?: WaitOptions,
  ): Promise<void>
  /** Saves a script: the steps recorded in a live browser, or a script of your own. */
  save(
    input: {
      /** The name of the script, unique in your team. */
      readonly name: string
      /** The id of an open live browser. */
      readonly session?: string | undefined
      /** Values typed while recording, by the parameter that replaces them: `{ "city": "Oslo" }`. Default: `{}`. */
      readonly parameters?:
        | {
            readonly [key: string]: string | readonly string[]
          }
        | undefined
      /** Names of secret parameters. Values of password fields are always secret. Default: `[]`. */
      readonly secrets?: readonly string[] | undefined
      readonly script?: Script | undefined
    },
    options?: WaitOptions,
  ): Promise<KeptScript>
  /** Runs a script without a model. It ends at a step that does not go as recorded, and reports what the page showed. */
  run(
    name: string,
    input?: {
      /** The value of each parameter: a string, or a list of strings. Default: `{}`. */
      readonly parameters?:
        | {
            readonly [key: string]: string | readonly string[]
          }
        | undefined
      /** The live browser to run in. Default: a new one, which is closed at the end. */
      readonly session?: string | undefined
      /** A version of the script. Default: the newest. */
      readonly version?: number | undefined
      /** Whether a step that no longer fits may be repaired. Default: `true`. */
      readonly repair?: boolean | undefined
      /** How long the run may take. Default: `60000`. */
      readonly timeout?: number | undefined
      /** Longest wait for an element, or for the outcome of a step. Default: `5000`. */
      readonly stepTimeout?: number | undefined
    },
    options?: WaitOptions,
  ): Promise<ScriptRun>
  /** Deletes a script with its history. */
  delete(name: string, options?: WaitOptions): Promise<void>
  /** Lists the scripts of your team, by name. */
  list(options?: WaitOptions): Promise<readonly ScriptVersion[]>
  /** Returns a script with its steps. */
  get(
    name: string,
    input?: {
      /** Default: the newest version. */
      readonly version?: number | undefined
    },
    options?: WaitOptions,
  ): Promise<KeptScript>
  /** Lists the versions and repairs of a script, newest first. */
  history(name: string, options?: WaitOptions): Promise<ScriptHistory>
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
  readonly datasets: Datasets
  readonly extractors: Extractors
  readonly scripts: Scripts
  readonly records: Records
}

/** Their routes. */
export const ownRoutes: KnownRoutes = {
  datasets: {
    create: { method: 'POST', path: '/v2/datasets', result: 'data', hasInput: true, isRepeatable: false },
    list: { method: 'GET', path: '/v2/datasets', result: 'data', hasInput: false, isRepeatable: true },
    get: { method: 'GET', path: '/v2/datasets/{name}', result: 'data', hasInput: false, isRepeatable: true },
    delete: { method: 'DELETE', path: '/v2/datasets/{name}', result: 'none', hasInput: false, isRepeatable: true },
    put: { method: 'POST', path: '/v2/datasets/{name}/rows', result: 'data', hasInput: true, isRepeatable: true },
    collect: {
      method: 'POST',
      path: '/v2/datasets/{name}/collect',
      result: 'data',
      hasInput: true,
      isRepeatable: true,
    },
    rows: { method: 'GET', path: '/v2/datasets/{name}/rows', result: 'flat', hasInput: true, isRepeatable: true },
    row: { method: 'GET', path: '/v2/datasets/{name}/rows/{row}', result: 'data', hasInput: false, isRepeatable: true },
    deleteRow: {
      method: 'DELETE',
      path: '/v2/datasets/{name}/rows/{row}',
      result: 'none',
      hasInput: false,
      isRepeatable: true,
    },
    query: {
      method: 'POST',
      path: '/v2/datasets/{name}/query',
      result: 'data',
      hasInput: true,
      isRepeatable: true,
      timeout: 10000,
    },
    export: { method: 'GET', path: '/v2/datasets/{name}/export', result: 'file', hasInput: true, isRepeatable: true },
  },
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
  scripts: {
    record: { method: 'POST', path: '/v2/scripts/record', result: 'none', hasInput: true, isRepeatable: false },
    save: { method: 'POST', path: '/v2/scripts', result: 'data', hasInput: true, isRepeatable: false },
    run: {
      method: 'POST',
      path: '/v2/scripts/{name}/run',
      result: 'data',
      hasInput: true,
      isRepeatable: false,
      timeout: 60000,
    },
    delete: { method: 'DELETE', path: '/v2/scripts/{name}', result: 'none', hasInput: false, isRepeatable: true },
    list: { method: 'GET', path: '/v2/scripts', result: 'data', hasInput: false, isRepeatable: true },
    get: { method: 'GET', path: '/v2/scripts/{name}', result: 'data', hasInput: true, isRepeatable: true },
    history: { method: 'GET', path: '/v2/scripts/{name}/history', result: 'data', hasInput: false, isRepeatable: true },
  },
  records: {
    get: { method: 'GET', path: '/v2/records/{id}', result: 'file', hasInput: false, isRepeatable: true },
    delete: { method: 'DELETE', path: '/v2/records/{id}', result: 'none', hasInput: false, isRepeatable: true },
  },
}
