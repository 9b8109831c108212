import { EngineError } from '@harvestman/ports'
import type { Secrets } from '@harvestman/toolbox/redaction'

export type { Secrets }

/** Size limits of a record. Anything beyond them is not recorded, and a warning is logged. */
export interface RecordLimits {
  /** Maximum size of a body, in bytes. Larger bodies are truncated. Default: 50,000,000. */
  readonly bodyBytes: number
  /** Maximum size of the file, in bytes. Default: 4,000,000,000. */
  readonly fileBytes: number
  /** Maximum number of exchanges. Default: 250,000. */
  readonly exchanges: number
}

/** Options of `recording`. */
export interface RecordOptions {
  /** Path of the record, which must end with `.warc.gz`. An existing record is replaced unless `append` is set. */
  readonly file: string
  /** Whether to append to an existing record, for example after a crash, instead of replacing it. Default: `false`. */
  readonly append?: boolean | undefined
  readonly secrets?: Secrets | undefined
  readonly limits?: Partial<RecordLimits> | undefined
  /** Arguments of the command that is run, so that a replay can run it again. */
  readonly command?: readonly string[] | undefined
}

const defaults: RecordLimits = { bodyBytes: 50_000_000, fileBytes: 4_000_000_000, exchanges: 250_000 }
const maxSecrets = 1_000

/** Returns the limits with the defaults for absent ones. Throws `invalid_request` if a limit is not a positive integer. */
export function readLimits(given: Partial<RecordLimits> = {}): RecordLimits {
  const limits = { ...defaults, ...given }
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 1) throw invalid(`limits.${name} must be an integer of at least 1.`)
  }
  return limits
}

/**
 * Validates the secrets and returns them. Throws `invalid_request` if a list has more than 1,000 entries, or a value fewer
 * than 4 characters, because it would match everywhere.
 */
export function readSecrets(secrets: Secrets = {}): Secrets {
  for (const [name, list = []] of Object.entries(secrets)) {
    if (list.length > maxSecrets) throw invalid(`secrets.${name} has at most ${maxSecrets} entries.`)
    if (name === 'values' && list.some((value: string) => value.length < 4))
      throw invalid('secrets.values must be strings of at least 4 characters: shorter ones occur everywhere.')
  }
  return secrets
}

/** The files of a record: HTTP exchanges, their index, and notes about everything else. */
export interface RecordFiles {
  readonly warc: string
  readonly index: string
  readonly rest: string
}

const ending = /\.warc(?:\.gz)?$/

/** Returns the paths of a record's files. Throws `invalid_request` if the name does not end with `.warc` or `.warc.gz`. */
export function filesOf(file: string): RecordFiles {
  if (!ending.test(file)) throw invalid(`The record ${file} must end with .warc.gz.`)
  return { warc: file, index: file.replace(ending, '.cdxj'), rest: file.replace(ending, '.jsonl') }
}

/**
 * Returns the paths of the files of a record to write. Throws `invalid_request` if the name does not end with `.warc.gz`: each
 * entry is compressed separately.
 */
export function filesToWrite(file: string): RecordFiles {
  if (!file.endsWith('.gz')) throw invalid(`The record ${file} must end with .warc.gz to be written.`)
  return filesOf(file)
}

function invalid(sentence: string): EngineError {
  return new EngineError('invalid_request', `record: ${sentence}`)
}
