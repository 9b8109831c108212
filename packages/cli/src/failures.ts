// How the command reports errors. Loaded when a command fails.
import { messageWith, type ErrorCode } from '@harvestman/ports'
import { remedies } from '@harvestman/node/remedies'

import { engineErrorOf } from './server-errors.ts'
import { exitCodes, type Shell } from './shell.ts'

const byError: Readonly<Partial<Record<ErrorCode, number>>> = {
  invalid_request: exitCodes.usage,
  not_configured: exitCodes.notConfigured,
  conflict: exitCodes.usage,
  not_found: exitCodes.usage,
  internal: exitCodes.fault,
  store_failed: exitCodes.unavailable,
  unsupported_file: exitCodes.notRead,
  page_too_complex: exitCodes.notRead,
  format_failed: exitCodes.notRead,
}

// The next step to suggest for each error, as a command line.
const steps: Readonly<Partial<Record<ErrorCode, string>>> = {
  url_blocked: 'Or for this command only: --allow-private <range>',
  not_configured: 'Show what is missing, and how to get it: harvestman doctor',
  timeout: 'Allow more time: --timeout 60000',
  dns_failed: 'Check the host name and your network. For a local file, check its path.',
  tls_failed: 'Accept any certificate with --insecure, if you trust the host.',
  store_failed: 'Check that the store runs and can be reached: harvestman doctor',
}

/** Prints an error and the next step. Returns the exit code. Rethrows errors that are not engine or server errors. */
export function report(error: unknown, { err, paint }: Shell): number {
  const failure = engineErrorOf(error)
  if (!failure) throw error
  // The suggested steps apply to localhost only.
  const { step = 'isOfServer' in failure.details ? undefined : steps[failure.code] } = failure.details
  err(`${paint.err('bad', messageWith(failure, remedies))}\n${typeof step === 'string' ? `  → ${step}\n` : ''}`)
  const isServerAway = failure.details['isOfServer'] === true && failure.code === 'connection_failed'
  return isServerAway ? exitCodes.unavailable : (byError[failure.code] ?? exitCodes.notLoaded)
}
