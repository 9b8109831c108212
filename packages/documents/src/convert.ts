// Converts a file to one HTML page. Runs in a worker thread, so that a file that hangs or crashes it does not affect the
// engine.
import { EngineError } from '@harvestman/ports'
import { isCompoundFile } from '@harvestman/toolbox/compound-file'

import { readBinary } from './binary.ts'
import { readDocx } from './docx/docx.ts'
import { readEpub } from './epub.ts'
import { toPage, type Converted, type Facts } from './facts.ts'
import type { Kind } from './kinds.ts'
import type { Limits } from './limits.ts'
import { readOdp } from './odf/odp.ts'
import { readOdt } from './odf/odt.ts'
import { damaged, refuse } from './refuse.ts'
import { readRtf } from './rtf/rtf.ts'
import { readSheets } from './sheets.ts'
import { readPptx } from './slides/pptx.ts'
import type { Converting } from './converting.ts'

export interface FileTask {
  readonly bytes: Uint8Array
  readonly kind: Kind
  readonly limits: Limits
}

export interface FileResult {
  readonly html: string
  readonly facts: Facts
  readonly warnings: readonly string[]
}

type Converter = (bytes: Uint8Array, work: Converting) => Converted | Promise<Converted>

const converters: Readonly<Record<Kind, Converter>> = {
  docx: readDocx,
  sheets: readSheets,
  pptx: readPptx,
  odt: readOdt,
  odp: readOdp,
  rtf: readRtf,
  epub: readEpub,
  legacy: readBinary,
}

const maxWarnings = 20

/**
 * Converts a file to HTML, with its metadata and distinct warnings, at most 20 and the number of the others. Rejects if the
 * file cannot be read: with `unsupported_file`, `response_too_large` or `page_too_complex`.
 */
export async function convertFile({ bytes, kind, limits }: FileTask): Promise<FileResult> {
  const warnings = new Set<string>()
  let omitted = 0
  // Warnings may contain names of parts, of which a file may have very many.
  const warn = (sentence: string): void => {
    if (warnings.has(sentence)) return
    if (warnings.size < maxWarnings) warnings.add(sentence)
    else omitted += 1
  }
  // An encrypted file has the media type of its content, but the container of another type.
  const isWrapped = isCompoundFile(bytes) && kind !== 'sheets'
  const convert = isWrapped ? readBinary : converters[kind]
  try {
    const converted = await convert(bytes, { limits, warn })
    if (omitted > 0) warnings.add(`${omitted} more warnings are left out.`)
    return { html: toPage(converted), facts: converted.facts, warnings: [...warnings] }
  } catch (error) {
    throw EngineError.is(error) ? error : named(error)
  }
}

/**
 * Replaces errors of libraries with our own. Libraries throw arbitrary errors for invalid files, and their messages may contain
 * bytes of the file.
 */
function named(error: unknown): Error {
  // V8's message for a stack overflow.
  if (error instanceof RangeError && error.message.includes('call stack')) {
    return refuse('too-complex', 'The file is nested too deeply, so it is not read.')
  }
  return damaged('its parts do not fit together')
}
