import { EngineError } from '@harvestman/ports'

/** Why a file is not read. Programs find it in the error's `details.reason`. */
export type Refusal = 'damaged' | 'encrypted' | 'old-format' | 'too-large' | 'too-complex'

/** Refuses a file that this package knows but cannot read. The sentence says what is wrong with it, then what to do. */
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
  'too-large': 'response_too_large',
  'too-complex': 'page_too_complex',
} as const

export function damaged(what: string): EngineError {
  return refuse('damaged', `The file is damaged: ${what}. Open it in an office program and save it again.`)
}

export function encrypted(): EngineError {
  return refuse('encrypted', 'The file is encrypted. Save it without a password, and scrape that copy.')
}

const maxShownName = 80

/** A name out of a file, fit for a message: in quotes, cut, and without characters that no name has. */
export function quotedName(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|\ufffd/gu, '?')
  return `"${plain.length > maxShownName ? `${plain.slice(0, maxShownName)}…` : plain}"`
}
