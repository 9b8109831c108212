import { defineParser, definePlugin, joinInTurns, type Content, type ParseContext } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'
import { makeThreads, threadFile } from '@harvestman/threads'

import type { FileResult, FileTask } from './convert.ts'
import { acceptedBy, kinds, type Kind } from './kinds.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { leftOut, quotedName } from './refuse.ts'

/** Options of `documents`. */
export interface DocumentsOptions {
  /** Number of files that are read at the same time, each in its own thread. Default: 1. */
  readonly threads?: number
  /** Maximum time for one file in milliseconds. Default: 20,000. */
  readonly budget?: number
  /** Maximum memory for one file in megabytes. Default: 1,024. */
  readonly megabytes?: number
  /** Limits on how much of a file is read; others keep their defaults. */
  readonly limits?: Partial<Limits>
}

/**
 * Creates a plugin that reads office files and books: Word, OpenDocument, RTF, Excel, PowerPoint and EPUB. Throws
 * `not_configured` if a bundler has merged the package into an application.
 */
export function documents(options: DocumentsOptions = {}) {
  const { threads = 1, budget = 20_000, megabytes = 1_024 } = options
  const limits: Limits = { ...defaultLimits, ...options.limits }
  const messages = {
    tooSlow: `The file could not be read within ${budget} ms. Raise the budget of documents() to read it.`,
    tooLarge: `Reading the file took more than ${megabytes} MB. Raise megabytes of documents() to read it.`,
  }
  const pool = makeThreads<FileTask, FileResult>({
    entry: threadFile(import.meta.url),
    size: threads,
    budget,
    megabytes,
    messages,
  })
  const read = async (kind: Kind, bytes: Uint8Array, context: ParseContext): Promise<Content> => {
    const { team, signal, most, inner } = context
    // The bytes may be stored elsewhere, so the thread gets a copy, of these bytes only and not of the whole buffer.
    const copy = await joinInTurns([bytes])
    const others = inner?.extensions ?? new Set()
    const result = await pool.run({ bytes: copy, kind, limits, others, isInner: !inner }, signal, {
      team,
      most,
      transfer: [copy.buffer as ArrayBuffer],
    })
    const { html, units, warnings } = await withInnerFiles(result, context)
    return { html, units, isAllContent: true, metadata: { ...result.facts }, warnings }
  }
  const parsers = (Object.keys(kinds) as Kind[]).map((kind) =>
    defineParser({
      name: kind,
      accepts: acceptedBy(kind),
      files: kinds[kind],
      parse: (bytes, context) => read(kind, bytes, context),
    }),
  )
  return definePlugin({ name: 'documents', parsers })
}

/** Inserts the content of inner files that other parsers read. Unreadable files become warnings. */
async function withInnerFiles(result: FileResult, { inner: parsing, signal }: Pick<ParseContext, 'inner' | 'signal'>) {
  const [first = '', ...rest] = result.html
  const html = [first]
  const warnings = [...result.warnings]
  let units = 0
  for (const [index, { name, bytes }] of result.inner.entries()) {
    try {
      const content = await parsing?.parse(bytes, name)
      if (typeof content?.html === 'string') {
        html.push(content.html)
        units += content.units ?? 0
      } else
        warnings.push(`The file ${quotedName(name)} is left out. Its parser returns no HTML. Parse the file itself.`)
      warnings.push(...(content?.warnings ?? []))
    } catch (error) {
      signal.throwIfAborted()
      if (!EngineError.is(error)) throw error
      warnings.push(leftOut(name, error))
    }
    html.push(rest[index] ?? '')
  }
  return { html: html.join(''), units: Math.max(1, units), warnings }
}
