import { readHtml, type ReadValues } from '@harvestman/html/internal'
import { documentTally } from '@harvestman/threads'
import { encodeJson } from '@harvestman/ports/adapters'
import { decodeText } from '@harvestman/net/text'
import { textIn, writeText } from '../parsers/written.ts'
import type { PlainText } from '../plugin/parts.ts'
import type { ReadResult, ReadTask, Size } from '../scrape/reader.ts'

/** Message to a worker: the task without what only the main thread needs to know. */
export type PageTask = Omit<ReadTask, 'version' | 'team'>

/** Decodes a page and reads it, here and now. What is to be encoded is bytes. Values are bounded each: not all need be in one document. */
export function readPage(task: PageTask): ReadResult {
  const { values: read, warnings } = 'text' in task.source ? readText(task.source.text, task) : readTree(task)
  const values: Record<string, unknown> = {}
  const sizes: Record<string, Size> = {}
  for (const { field, name, encode } of task.wanted) {
    const value = encode ? encodeJson(read[name]) : read[name]
    const tally = documentTally(task.most)
    tally.add(value)
    values[field] = value
    sizes[field] = { bytes: tally.bytes, values: tally.values }
  }
  return { values, warnings, sizes }
}

function readTree({ source, url, scope, wanted, most }: PageTask): ReadValues {
  const { html } = source as Extract<typeof source, { readonly html: unknown }>
  const text = typeof html === 'string' ? html : decodeText(html.bytes, html.contentType, { html: true }).text
  // While a value grows: one of many times what is allowed is never held.
  const meter = (): ((characters: number, values?: number) => void) => {
    const tally = documentTally(most)
    return (characters, values) => tally.spend(characters, values)
  }
  return readHtml({ html: text, url }, scope, wanted, meter)
}

/** A file of text is its own Markdown and source, and is empty as a page. */
function readText(source: PlainText, { url, scope, wanted, most }: PageTask): ReadValues {
  const text = textIn(source)
  const empty = readHtml({ html: '', url }, scope, wanted)
  const isWanted = wanted.some(({ name }) => name === 'markdown')
  const { markdown, warnings = [] } = isWanted ? writeText(text, source.kind, documentTally(most)) : { markdown: '' }
  return { values: { ...empty.values, markdown, rawHtml: text }, warnings: [...empty.warnings, ...warnings] }
}
