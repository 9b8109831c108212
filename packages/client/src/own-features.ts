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
  /** Where the row comes from: an address. */
  readonly source?: string | undefined
  /** Where the values stand, by column. */
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
  /** Where the values stand, by column. */
  readonly evidence: {
    readonly [key: string]: unknown
  }
  /** Milliseconds since 1970, like the other times of a row. */
  readonly firstSeen: number
  readonly changed: number
  readonly lastSeen: number
  /** The values before each change, the newest first: only the columns that changed. */
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
  /** The version of this form. */
  readonly version: 1
  /** Where a run begins. */
  readonly start: string
  /** The hosts that a run may be led to. */
  readonly hosts: readonly string[]
  /** What a run is given, by name. */
  readonly parameters: {
    readonly [key: string]: {
      readonly type: 'text' | 'list'
      /** Its value is given with each run, and kept nowhere. */
      readonly secret?: boolean | undefined
      /** The one origin on which a secret is filled in. */
      readonly origin?: string | undefined
    }
  }
  /** What is done, in order. */
  readonly steps: readonly {
    /** What is done. */
    readonly action: 'click' | 'fill' | 'select' | 'press' | 'goto'
    /** The tab that it acts in, named by the step that opened it; the first without. */
    readonly tab?: string | undefined
    /** The ways to find the element: role and accessible name, label, own text, attributes, the texts before and after it, the texts of its row, its path, the id, name, title, address and path of the frame that it is in, the part of the page in which it was the only one of its role, and which one it is of those with its role and name. */
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
    /** The text, option, key or address. `{{name}}` stands for the parameter of that name. */
    readonly value?: string | readonly string[] | undefined
    /** A list: the step is done once for each of its items. */
    readonly each?: string | undefined
    /** How many steps, this one and those behind it, are repeated by `each`. */
    readonly block?: number | undefined
    /** The step is repeated until the page shows this text, also not at all. */
    readonly until?: string | undefined
    /** What must hold after the step. Default: `{}`. */
    readonly expects?:
      | {
          /** Where the page is then. */
          readonly address?: string | undefined
          /** What the element is then. */
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
          /** The element is not there any more. */
          readonly gone?: true | undefined
          /** Headings, messages and texts that the page shows then. */
          readonly shows?: readonly string[] | undefined
          /** Fields and buttons that are there then, as `button Save`. */
          readonly controls?: readonly string[] | undefined
          /** Tabs that it opens. */
          readonly opens?:
            | readonly {
                /** The name by which later steps say that they act in it. */
                readonly tab: string
                /** What it shows. */
                readonly address?: string | undefined
              }[]
            | undefined
          /** Tabs that it closes. */
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
  /** Where a run begins. */
  readonly start: string
  /** What a run is given, by name. */
  readonly parameters: {
    readonly [key: string]: {
      readonly type: 'text' | 'list'
      /** Its value is given with each run, and kept nowhere. */
      readonly secret?: boolean
      /** The one origin on which a secret is filled in. */
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
      /** The name of the dataset, one of its kind in your team. */
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
      /** How many rows. Default: `100`. */
      readonly limit?: number | undefined
      /** The id of the last row of the page before: `next` of the answer. */
      readonly after?: string | undefined
    },
    options?: WaitOptions,
  ): Promise<{
    readonly data: readonly DatasetRow[]
    /** Send it as `after` for the rows behind. */
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
      /** One SELECT of SQLite. The table is `rows`; its columns are those of the dataset. */
      readonly sql: string
      /** The values of the `?` in the SQL. Default: `[]`. */
      readonly params?: readonly (string | number | null)[] | undefined
      /** The most rows of the answer. Default: `1000`. */
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
  /** Begins to record what is done in a live browser. Saving a script of it ends that. */
  record(
    input: {
      /** The id of an open live browser. */
      readonly session: string
    },
    options?: WaitOptions,
  ): Promise<void>
  /** Keeps a script: what was recorded in a live browser, or one that you give. */
  save(
    input: {
      /** The name of the script, one of its kind in your team. */
      readonly name: string
      /** The id of an open live browser. */
      readonly session?: string | undefined
      /** What was given in the recording, by the names that it has in the script: `{ "city": "Oslo" }`. Default: `{}`. */
      readonly parameters?:
        | {
            readonly [key: string]: string | readonly string[]
          }
        | undefined
      /** Those of the parameters that are secret. Password fields are so by themselves. Default: `[]`. */
      readonly secrets?: readonly string[] | undefined
      readonly script?: Script | undefined
    },
    options?: WaitOptions,
  ): Promise<KeptScript>
  /** Runs a script without a model. A step that does not go as recorded ends it, and says what was seen. */
  run(
    name: string,
    input?: {
      /** The values by name: a text, or a list of texts. Default: `{}`. */
      readonly parameters?:
        | {
            readonly [key: string]: string | readonly string[]
          }
        | undefined
      /** The live browser to run in. Without it, one is opened, and closed at the end. */
      readonly session?: string | undefined
      /** A version of the script; the newest without it. */
      readonly version?: number | undefined
      /** Whether a step that no longer fits may be repaired. Default: `true`. */
      readonly repair?: boolean | undefined
      /** How long the run may take. Default: `60000`. */
      readonly timeout?: number | undefined
      /** How long an element or an outcome is waited for. Default: `5000`. */
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
      /** The newest when absent. */
      readonly version?: number | undefined
    },
    options?: WaitOptions,
  ): Promise<KeptScript>
  /** Lists the versions and repairs of a script, the newest first. */
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
