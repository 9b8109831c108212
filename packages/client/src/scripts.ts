// Scripts on the server: what was done in a live browser, kept and run again without a model.
import type { Ask, Http } from './http.ts'
import type { WaitOptions } from './job.ts'

/** A version of a script. */
export interface ScriptVersion {
  readonly name: string
  /** Counts each change. */
  readonly version: number
  readonly origin: 'recorded' | 'edited' | 'repaired'
  /** Milliseconds since 1970. */
  readonly changedAt: number
  /** Where a run begins. */
  readonly start: string
  /** What a run is given, by name. */
  readonly parameters: Readonly<Record<string, ScriptParameter>>
  readonly steps: number
}

/** What a run is given. */
export interface ScriptParameter {
  readonly type: 'text' | 'list'
  /** It is given with each run, and kept nowhere. */
  readonly secret?: boolean
  /** The one origin on which a secret is filled in. */
  readonly origin?: string
}

/** A script with its steps. */
export interface KeptScript extends Omit<ScriptVersion, 'steps' | 'start' | 'parameters'> {
  /** The script: data that can be read and edited. */
  readonly script: Readonly<Record<string, unknown>>
}

/** A step that was made to fit the page again. */
export interface ScriptRepair {
  readonly step: number
  readonly changes: readonly string[]
}

/** The versions and repairs of a script, the newest first. */
export interface ScriptHistory {
  readonly versions: readonly ScriptVersion[]
  readonly repairs: readonly (ScriptRepair & { readonly at: number; readonly version: number })[]
}

/** What a new script is made of: a recording that is under way, or the script itself. */
export type NewScript = { readonly name: string } & (
  | {
      readonly session: string
      /** What was given in the recording, by the names that it has in the script. */
      readonly parameters?: Readonly<Record<string, unknown>>
      readonly secrets?: readonly string[]
    }
  | { readonly script: object }
)

/** How a script is run. */
export interface ScriptRunRequest {
  readonly parameters?: Readonly<Record<string, unknown>>
  /** The live browser to run in; a new one when absent. */
  readonly session?: string
  readonly version?: number
  readonly repair?: boolean
  /** Milliseconds. */
  readonly timeout?: number
  readonly stepTimeout?: number
}

/** What came of a run. */
export interface ScriptRun {
  readonly name: string
  readonly version: number
  readonly repairedTo?: number
  readonly url: string
  readonly steps: readonly {
    readonly step: number
    readonly action: string
    readonly outcome: 'done' | 'already' | 'repaired'
    readonly element?: string
    readonly note?: string
    readonly url: string
  }[]
  readonly repairs: readonly ScriptRepair[]
}

/** The scripts of your team. */
export interface Scripts {
  /** Begins to record what is done in a live browser, by its id. `save` ends it. */
  record(session: string, options?: WaitOptions): Promise<void>
  save(script: NewScript, options?: WaitOptions): Promise<KeptScript>
  list(options?: WaitOptions): Promise<readonly ScriptVersion[]>
  get(name: string, version?: number, options?: WaitOptions): Promise<KeptScript>
  history(name: string, options?: WaitOptions): Promise<ScriptHistory>
  /** Rejects at the first step that does not go as recorded. */
  run(name: string, request?: ScriptRunRequest, options?: WaitOptions): Promise<ScriptRun>
  delete(name: string, options?: WaitOptions): Promise<void>
}

const usualTime = 60_000
const moreThanTime = 60_000

/** Makes the methods about scripts. */
export function makeScripts(http: Http): Scripts {
  const whole = <Answer>(
    method: Ask['method'],
    path: string,
    { signal }: WaitOptions = {},
    body?: object,
    timeout?: number,
  ) =>
    http.ask<Answer>({
      method,
      path: `/v2/scripts${path}`,
      signal,
      body,
      isRepeatable: method === 'GET',
      ...(timeout && { timeout }),
    })
  const ask = async <Data>(...asked: Parameters<typeof whole>): Promise<Data> =>
    (await whole<{ readonly data: Data }>(...asked)).data
  return {
    record: async (session, options) => void (await whole('POST', '/record', options, { session })),
    save: (script, options) => ask('POST', '', options, script),
    list: (options) => ask('GET', '', options),
    get: (name, version, options) =>
      ask('GET', at(name) + (version === undefined ? '' : `?version=${version}`), options),
    history: (name, options) => ask('GET', `${at(name)}/history`, options),
    run: (name, request = {}, options) =>
      ask('POST', `${at(name)}/run`, options, request, (request.timeout ?? usualTime) + moreThanTime),
    delete: async (name, options) => void (await whole('DELETE', at(name), options)),
  }
}

const at = (name: string): string => `/${encodeURIComponent(name)}`
