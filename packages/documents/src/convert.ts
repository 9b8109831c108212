// Converts a file to one HTML page. Runs in a worker thread, so that a file that hangs or crashes it does not affect the
// engine.
import { isCompoundFile } from '@harvestman/toolbox/compound-file'

import { converters } from './converters.ts'
import type { Converting } from './converting.ts'
import { toPage, type Converted, type Facts } from './facts.ts'
import { makeInnerFiles, type OwnedFile } from './inner-files.ts'
import type { Kind } from './kinds.ts'
import type { Limits } from './limits.ts'
import { fileError } from './refuse.ts'

export interface FileTask {
  readonly bytes: Uint8Array
  readonly kind: Kind
  readonly limits: Limits
  /** Extensions of the files in the file that other parsers of the engine read. Default: none. */
  readonly others?: ReadonlySet<string>
  /** Whether the file is itself in another one. The files in it are then not read. */
  readonly isInner?: boolean
}

export interface FileResult {
  /** The HTML, split at the places of `inner`: the content of each file belongs between two parts. */
  readonly html: readonly string[]
  /** Files in the file that other parsers of the engine read. */
  readonly inner: readonly OwnedFile[]
  readonly facts: Facts
  readonly warnings: readonly string[]
}

const maxWarnings = 20

/**
 * Converts a file to HTML, with its metadata and distinct warnings, at most 20 and the number of the others. Rejects if the
 * file cannot be read: with `unsupported_file`, `response_too_large` or `page_too_complex`.
 */
export async function convertFile({
  bytes,
  kind,
  limits,
  others = new Set(),
  isInner = false,
}: FileTask): Promise<FileResult> {
  const warnings = new Set<string>()
  let omitted = 0
  // Warnings may contain names of parts, of which a file may have very many.
  const warn = (sentence: string): void => {
    if (warnings.has(sentence)) return
    if (warnings.size < maxWarnings) warnings.add(sentence)
    else omitted += 1
  }
  const inner = makeInnerFiles({
    ...{ limits, warn, others },
    // A file in a file in a file is not read.
    convert: (file, innerKind) => convert(file, innerKind, { limits, warn }),
  })
  const converted = await convert(bytes, kind, { limits, warn, ...(!isInner && { inner }) })
  if (omitted > 0) warnings.add(`${omitted} more warnings are left out.`)
  const { html, files } = inner.split(toPage(converted))
  return { html, inner: files, facts: converted.facts, warnings: [...warnings] }
}

async function convert(bytes: Uint8Array, kind: Kind, work: Converting): Promise<Converted> {
  // An encrypted file has the media type of its content, but the container of another type.
  const isWrapped = isCompoundFile(bytes) && kind !== 'sheets'
  try {
    const converter = await converters[isWrapped ? 'compound' : kind]()
    return await converter(bytes, work)
  } catch (error) {
    throw fileError(error)
  }
}
