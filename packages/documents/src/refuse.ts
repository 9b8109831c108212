import { EngineError, publicMessage } from '@harvestman/ports'

/** Why a file is not read. Available as `details.reason` of the error. */
export type Refusal = 'damaged' | 'encrypted' | 'old-format' | 'no-documents' | 'too-large' | 'too-complex'

/**
 * Returns the error for a file of a known type that cannot be read. Its code depends on the reason: `unsupported_file`,
 * `response_too_large` or `page_too_complex`. The sentence states the problem, then the remedy.
 */
export function refuse(
  reason: Refusal,
  sentence: string,
  details: Readonly<Record<string, unknown>> = {},
): EngineError {
  return new EngineError(codes[reason], sentence, { details: { reason, ...details } })
}

const codes = {
  damaged: 'unsupported_file',
  encrypted: 'unsupported_file',
  'old-format': 'unsupported_file',
  'no-documents': 'unsupported_file',
  'too-large': 'response_too_large',
  'too-complex': 'page_too_complex',
} as const

/** Returns the `unsupported_file` error for a damaged file. `what` completes the sentence "The file is damaged: …". */
export function damaged(what: string): EngineError {
  return refuse('damaged', `The file is damaged: ${what}. Open it in an office program and save it again.`)
}

/** Returns the `unsupported_file` error for an encrypted file, with the remedy. */
export function encrypted(): EngineError {
  return refuse('encrypted', 'The file is encrypted. Save it without a password, and scrape that copy.')
}

/**
 * Returns the error for a file that a reader failed on. Libraries throw arbitrary errors for invalid files, and their messages may
 * contain bytes of the file, so these are replaced with our own.
 */
export function fileError(error: unknown): EngineError {
  if (EngineError.is(error)) return error
  // V8's message for a stack overflow.
  if (error instanceof RangeError && error.message.includes('call stack')) {
    return refuse('too-complex', 'The file is nested too deeply, so it is not read.')
  }
  return damaged('its parts do not fit together')
}

const maxShownName = 80

/** Formats a name from a file for a message: quoted, at most 80 characters, and without unusual characters. */
export function quotedName(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|\ufffd/gu, '?')
  return `"${plain.length > maxShownName ? `${plain.slice(0, maxShownName)}…` : plain}"`
}

/** Returns the warning for a file in a file that cannot be read. */
export function leftOut(name: string, error: EngineError): string {
  return `The file ${quotedName(name)} is left out. ${publicMessage(error)}`
}
