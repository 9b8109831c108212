import { parseJson } from '@harvestman/toolbox/parse-json'

/** The result of a run, as reported by the jail's supervisor. */
export interface RunReport {
  readonly result?: string | undefined
  readonly exitCode?: number | undefined
  readonly killed?: boolean | undefined
  readonly error?: string | undefined
  /** The interpreter's line number at which the code starts, if it counts the lines of all runs together. */
  readonly line?: number | undefined
}

export type WorkerMessage = { readonly tell: 'ready' } | ({ readonly tell: 'done'; readonly run: number } & RunReport)

const maxBytes = 8 * 1_048_576
const maxResult = 1_048_576
const maxError = 10_000

/**
 * Parses a message of the supervisor, or returns `undefined` if it is invalid or longer than 8 MiB. Checks every field,
 * because code may have compromised the sender. Invalid optional fields are `undefined`, and long text is truncated.
 */
export function readWorkerMessage(payload: Buffer): WorkerMessage | undefined {
  if (payload.length > maxBytes) return undefined
  const message = parse(payload)
  if (message['tell'] === 'ready') return { tell: 'ready' }
  const { run, result, exitCode, killed, error, line } = message
  if (message['tell'] !== 'done' || typeof run !== 'number') return undefined
  return {
    tell: 'done',
    run,
    result: typeof result === 'string' ? result.slice(0, maxResult) : undefined,
    exitCode: typeof exitCode === 'number' && Number.isInteger(exitCode) ? exitCode & 0xff : undefined,
    killed: killed === true,
    error: typeof error === 'string' ? error.slice(0, maxError) : undefined,
    line: typeof line === 'number' && Number.isSafeInteger(line) ? line : undefined,
  }
}

function parse(payload: Buffer): Readonly<Record<string, unknown>> {
  const value = parseJson(payload.toString('utf8'))
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
