import type { ErrorCode } from '@harvestman/ports'
import type { Plugin } from '@harvestman/core/plugin'
import type { Environment } from '@harvestman/node'

import type { Paint } from './paint.ts'
import { engineErrorOf } from './server-errors.ts'

/** What a command may touch of the process it runs in. */
export interface Shell {
  readonly env: Environment
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Whether a person reads what goes to `err`. */
  readonly isTerminal: boolean
  /** How wide that is. */
  readonly columns: () => number
  /** Colour, where a person looks: of `out` and of `err`. */
  readonly paint: { readonly out: Paint; readonly err: Paint }
  /** What was piped in. */
  readonly stdin: () => Uint8Array
  /** Whether a person types what is read. */
  readonly isInteractive: boolean
  /** Whether a shell feeds standard input from another command or a file, so that reading it ends. */
  readonly isPiped?: boolean | undefined
  /** Join those of the configuration. */
  readonly plugins?: readonly Plugin[] | undefined
  /** What is typed or piped in, line by line, until it ends or the signal is aborted. */
  readonly lines: (prompt: string, until: AbortSignal) => AsyncIterable<string>
}

/** How commands end. Scripts may rely on these. */
export const exitCodes = {
  done: 0,
  fault: 1,
  /** The command line, the configuration or the request is not right. */
  usage: 2,
  /** The engine would need something it was not given. */
  notConfigured: 3,
  /** The page could not be loaded. */
  notLoaded: 4,
  /** The page was loaded and could not be read. */
  notRead: 5,
  /** A job completed, and some of its pages failed. */
  someFailed: 6,
  /** With `--fail`: a page answered with a status of 400 or above, or a page of a job failed. */
  badStatus: 22,
  /** Stopped by Ctrl-C. */
  interrupted: 130,
} as const

const byError: Readonly<Partial<Record<ErrorCode, number>>> = {
  invalid_request: exitCodes.usage,
  not_configured: exitCodes.notConfigured,
  conflict: exitCodes.usage,
  not_found: exitCodes.usage,
  internal: exitCodes.fault,
  store_failed: exitCodes.fault,
  unsupported_file: exitCodes.notRead,
  page_too_complex: exitCodes.notRead,
  format_failed: exitCodes.notRead,
}

// The next step, in the words of the command line.
const steps: Readonly<Partial<Record<ErrorCode, string>>> = {
  url_blocked: 'Allow it with --allow-private <range>, or HARVESTMAN_ALLOW_PRIVATE, if the address is yours.',
  not_configured: 'See what is missing, and how to get it: harvestman doctor',
  timeout: 'Give it more time: --timeout 60000',
  dns_failed: 'Check the spelling of the host, and your network.',
  tls_failed: 'Take any certificate with --insecure, if you know the host.',
  store_failed: 'See whether the store can be reached: harvestman doctor',
}

/** Says what went wrong in one sentence and the next step in another, and gives the exit code for it. */
export function report(error: unknown, { err, paint }: Shell): number {
  const failure = engineErrorOf(error)
  if (!failure) throw error
  // The steps are about this machine.
  const { step = 'isOfServer' in failure.details ? undefined : steps[failure.code] } = failure.details
  err(`${paint.err('bad', failure.message)}\n${typeof step === 'string' ? `  → ${step}\n` : ''}`)
  return byError[failure.code] ?? exitCodes.notLoaded
}
