import { readHtml, type ReadingRequest, type ReadValues } from '@harvestman/html/internal'
import { documentTally } from '@harvestman/threads'
import { encodeJson } from '@harvestman/ports/values'
import { decodeText } from '@harvestman/net/text'
import { decodeTextFile, writeText } from '../parsers/written.ts'
import type { PlainText } from '../plugin/parts.ts'
import type { ReadingFailure, ReadResult, ReadTask, Size } from '../scrape/reader.ts'
import { redact, redactionProblem, type Redaction } from '../redact/redact.ts'
import { failureIn, labelOf, runModule, sizeFailureOf } from './modules.ts'

export { loadModules } from './modules.ts'

/** Message to a reader thread: the task without the properties that only the main thread needs. */
export type PageTask = Omit<ReadTask, 'version' | 'team'>

/**
 * Decodes and reads a page synchronously. Values to be encoded are returned as bytes. Size limits apply to each value, because
 * not all of them have to be in one document. Call `loadModules` first. `tell` receives the label of each module before it
 * runs, and an empty string after the last. A module that fails is listed in `failures`; other errors are thrown.
 */
export function readPage(task: PageTask, tell: (label: string) => void = ignore): ReadResult {
  const failures: Record<string, ReadingFailure> = {}
  const wanted = requestsOf(task, failures, tell)
  const source = 'text' in task.source ? readText(task.source.text, task, wanted) : readTree(task, wanted)
  const { values: read } = source
  const warnings = [...source.warnings]
  if (wanted.some((one) => 'read' in one)) tell('')
  const values: Record<string, unknown> = {}
  const sizes: Record<string, Size> = {}
  for (const { field, name, encode, module, options } of task.wanted) {
    if (field in failures) continue
    const plain = redacted(read[name], options, warnings)
    const value = encode ? encodeJson(plain) : plain
    const tally = documentTally(task.most)
    try {
      tally.add(value)
    } catch (error) {
      if (!module) throw error
      failures[field] = sizeFailureOf(module, error)
      continue
    }
    values[field] = value
    sizes[field] = { bytes: tally.bytes, values: tally.values }
  }
  return { values, warnings, sizes, ...(Object.keys(failures).length > 0 && { failures }) }
}

/** Applies the redaction that the options of a reading ask for. */
function redacted(value: unknown, options: unknown, warnings: string[]): unknown {
  const { redact: redaction } = (options ?? {}) as { readonly redact?: Redaction }
  if (!redaction || typeof value !== 'string') return value
  const problem = redactionProblem(value)
  if (problem !== undefined) warnings.push(problem)
  return redact(value, redaction)
}

const ignore = (): void => undefined

/** Returns the readings to run. The engine's own come first, before any plugin module can change the tree. */
function requestsOf(
  { wanted, most }: PageTask,
  failures: Record<string, ReadingFailure>,
  tell: (label: string) => void,
): readonly ReadingRequest[] {
  const own = wanted.filter(({ module }) => !module)
  const ofModules = wanted.flatMap(({ field, name, options, module }): ReadingRequest[] => {
    if (!module) return []
    const read: ReadingRequest['read'] = (page, given) => {
      tell(labelOf(module))
      try {
        return runModule(module, page, given, most.values)
      } catch (error) {
        failures[field] = failureIn(error)
        return undefined
      }
    }
    return [{ name, options, read }]
  })
  return ofModules.length === 0 ? own : [...own, ...ofModules]
}

function readTree({ source, hidden, url, scope, most }: PageTask, wanted: readonly ReadingRequest[]): ReadValues {
  const { html } = source as Extract<typeof source, { readonly html: unknown }>
  const text = typeof html === 'string' ? html : decodeText(html.bytes, html.contentType, { html: true }).text
  // Counts while a value grows, so that an oversized value is never completed in memory.
  const meter = (): ((characters: number, values?: number) => void) => {
    const tally = documentTally(most)
    return (characters, values) => tally.spend(characters, values)
  }
  return readHtml({ html: text, url, hidden }, scope, wanted, meter)
}

/** Reads a text file: its content is both the Markdown source and the raw HTML, and the page itself is empty. */
function readText(source: PlainText, { url, scope, most }: PageTask, wanted: readonly ReadingRequest[]): ReadValues {
  const text = decodeTextFile(source)
  const empty = readHtml({ html: '', url }, scope, wanted)
  const isWanted = wanted.some(({ name }) => name === 'markdown')
  const { markdown, warnings = [] } = isWanted ? writeText(text, source.kind, documentTally(most)) : { markdown: '' }
  return { values: { ...empty.values, markdown, rawHtml: text }, warnings: [...empty.warnings, ...warnings] }
}
