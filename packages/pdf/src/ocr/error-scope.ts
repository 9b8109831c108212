import { EngineError, type ErrorCode } from '@harvestman/ports'

/** Scope of an error: one page, the pages that are not read before the time limit, or all pages. */
export type ErrorScope = 'page' | 'time' | 'all'

// `internal` is a thread that a picture has crashed.
const ofPage: ReadonlySet<ErrorCode> = new Set([
  'unsupported_file',
  'page_too_complex',
  'response_too_large',
  'internal',
])

/** Returns the scope of an error of drawing, decoding or recognizing a page. */
export function scopeOf(error: unknown): ErrorScope {
  if (!EngineError.is(error)) return 'all'
  if (error.code === 'timeout') return 'time'
  return ofPage.has(error.code) ? 'page' : 'all'
}
