// Which parts of a long page a model reads.
import { fitMarkdown, type OmittedPart } from '@harvestman/chunks'
import { isRecord, type JsonSchema } from '@harvestman/ports'
import { estimateTokens } from '@harvestman/toolbox/tokens'

/** The parts of a page that a model reads. */
export interface Excerpt {
  readonly text: string
  readonly omitted: readonly OmittedPart[]
}

/** Returns the parts of a page that match a topic best, in page order. A page that fits is returned unchanged. */
export async function excerptOf(text: string, maxTokens: number, topic: string, signal: AbortSignal): Promise<Excerpt> {
  const [fitted] = await fitMarkdown([{ markdown: text }], { maxTokens, query: topic }, signal)
  return { text: fitted?.markdown ?? '', omitted: fitted?.omitted ?? [] }
}

const maxNamed = 5

/** Returns a sentence about the parts that the model did not read. */
export function omittedMessage({ text, omitted }: Excerpt): string {
  const missing = omitted.reduce((sum, { tokens }) => sum + tokens, 0)
  const named = omitted.slice(0, maxNamed).map(({ headings, tokens }) => {
    const heading = headings.at(-1)
    return `${heading === undefined ? 'a part without a heading' : JSON.stringify(heading.slice(0, 80))} (${tokens} tokens)`
  })
  const others = omitted.slice(maxNamed).reduce((sum, { parts = 1 }) => sum + parts, 0)
  const list = [...named, ...(others > 0 ? [`${others} more`] : [])].join(', ')
  const read = estimateTokens(text)
  return `The language model read ${read} of about ${read + missing} tokens: the parts of the page that match best. It did not read ${list}.`
}

const limits = { names: 200, depth: 8, description: 200 }

/** Returns the names and descriptions of the fields of a schema, as words. */
export function wordsOfSchema(schema: JsonSchema): string {
  const words: string[] = []
  const visit = (part: unknown, depth: number): void => {
    if (!isRecord(part) || depth > limits.depth) return
    const { properties, items } = part
    for (const [name, rule] of isRecord(properties) ? Object.entries(properties) : []) {
      if (words.length >= limits.names) return
      const description = isRecord(rule) && typeof rule['description'] === 'string' ? rule['description'] : ''
      words.push(name.replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' '), description.slice(0, limits.description))
      visit(rule, depth + 1)
    }
    visit(items, depth + 1)
  }
  visit(schema, 0)
  return words.filter(Boolean).join(' ')
}
