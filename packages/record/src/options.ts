import { EngineError } from '@harvestman/ports'

/** What is left out of a record, beside what always is. */
export interface Secrets {
  /** Names of headers whose values are replaced. */
  readonly headers?: readonly string[] | undefined
  /** Names in the query of addresses whose values are replaced. */
  readonly query?: readonly string[] | undefined
  /** Texts that are replaced wherever they stand: in addresses, headers, bodies, questions and answers. */
  readonly values?: readonly string[] | undefined
}

/** Bounds of a record. What goes beyond them is not in it, and a warning says so. */
export interface RecordLimits {
  /** The largest body, in bytes; 50,000,000 when absent. What is larger is cut. */
  readonly bodyBytes: number
  /** The largest file, in bytes; 4,000,000,000 when absent. */
  readonly fileBytes: number
  /** The most exchanges; 250,000 when absent. */
  readonly exchanges: number
}

/** Options of `recording`. */
export interface RecordOptions {
  /** The path of the record, which ends with `.warc.gz`. What stands there is replaced, unless `append` is set. */
  readonly file: string
  /** Adds to a record that is there, as after a crash, and replaces nothing. `false` when absent. */
  readonly append?: boolean | undefined
  readonly secrets?: Secrets | undefined
  readonly limits?: Partial<RecordLimits> | undefined
  /** The command line that is run, so that it can be run again. */
  readonly command?: readonly string[] | undefined
}

const defaults: RecordLimits = { bodyBytes: 50_000_000, fileBytes: 4_000_000_000, exchanges: 250_000 }
const mostSecrets = 1_000

/** Fills in the bounds, and refuses those that are none. */
export function readLimits(given: Partial<RecordLimits> = {}): RecordLimits {
  const limits = { ...defaults, ...given }
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 1) throw invalid(`limits.${name} must be a whole number from 1 on.`)
  }
  return limits
}

/** Refuses secrets that would hide nothing, or everything. */
export function readSecrets(secrets: Secrets = {}): Secrets {
  for (const [name, list = []] of Object.entries(secrets)) {
    if (list.length > mostSecrets) throw invalid(`secrets.${name} has at most ${mostSecrets} entries.`)
    if (name === 'values' && list.some((value: string) => value.length < 4))
      throw invalid('secrets.values must be texts of 4 characters or more: shorter ones stand everywhere.')
  }
  return secrets
}

/** The files of a record: what went over HTTP, its index, and all else. */
export interface RecordFiles {
  readonly warc: string
  readonly index: string
  readonly rest: string
}

const ending = /\.warc(?:\.gz)?$/

/** The files beside a record. */
export function filesOf(file: string): RecordFiles {
  if (!ending.test(file)) throw invalid(`The record ${file} must end with .warc.gz.`)
  return { warc: file, index: file.replace(ending, '.cdxj'), rest: file.replace(ending, '.jsonl') }
}

/** The same for a record that is written: it is packed, record by record. */
export function filesToWrite(file: string): RecordFiles {
  if (!file.endsWith('.gz')) throw invalid(`The record ${file} must end with .warc.gz to be written.`)
  return filesOf(file)
}

function invalid(sentence: string): EngineError {
  return new EngineError('invalid_request', `record: ${sentence}`)
}
