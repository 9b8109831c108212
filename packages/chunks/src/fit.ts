// Fits Markdown into a token budget.
import { choose } from './choose.ts'
import { cutMarkdown } from './cut.ts'
import { joinChunks, withEdges, type EdgedChunk } from './edges.ts'
import { makePause } from './pauses.ts'
import { measures } from './units.ts'

/** A part of a document that did not fit into a budget. */
export interface OmittedPart {
  /** The id of the chunk. */
  readonly chunk: string
  readonly headings: readonly string[]
  readonly tokens: number
  /** Offsets in the whole Markdown. */
  readonly start: number
  readonly end: number
  /** Set if the part has a part of a table or of code, whose rest may be in the returned Markdown. */
  readonly cut?: 'table' | 'code'
}

/** Markdown within a budget, and the parts of the document that it does not have. */
export interface FittedText {
  readonly markdown: string
  readonly omitted: readonly OmittedPart[]
}

/** A document, and how often its Markdown is returned. */
interface FittableText {
  readonly markdown: string
  readonly copies?: number
}

/** The budget of all documents together. */
export interface FitOptions {
  readonly maxTokens: number
  /** Words of the parts to prefer. */
  readonly query?: string | undefined
}

// The size of chunks is the default of the format `chunks`, so that the ids are the same if there is a query. Small budgets need
// smaller parts.
const sizes = { chunk: 500, smallest: 50, perBudget: 2 }

/** Returns the size of the parts that are chosen for a budget. */
export function partSize(maxTokens: number): number {
  return Math.min(sizes.chunk, Math.max(sizes.smallest, Math.floor(maxTokens / sizes.perBudget)))
}

/**
 * Fits the Markdown of documents into one token budget. Returns the parts that match the query best, in the order of each
 * document; without a query, the beginnings of sections first, the upper levels before the lower ones. A part of a table has the
 * head of the table, and a part of code its fences. Documents that fit are unchanged. Rejects when aborted.
 */
export async function fitMarkdown(
  documents: readonly FittableText[],
  { maxTokens, query }: FitOptions,
  signal: AbortSignal,
): Promise<readonly FittedText[]> {
  if (await fits(documents, maxTokens, signal)) return documents.map(({ markdown }) => ({ markdown, omitted: [] }))
  const all: (EdgedChunk & { readonly document: number; readonly tokens: number })[] = []
  const by = query === undefined || query === '' ? 'heading' : 'size'
  const options = { size: partSize(maxTokens), overlap: 0, by, measure: measures.tokens } as const
  for (const [document, { markdown, copies = 1 }] of documents.entries())
    for (const chunk of withEdges(await cutMarkdown(markdown, options, signal), markdown)) {
      const tokens = chunk.size
      const size = (tokens + measures.tokens(chunk.before) + measures.tokens(chunk.after)) * copies
      all.push({ ...chunk, document, tokens, size })
    }
  const chosen = new Set(await choose(all, { budget: maxTokens, query }, signal))
  const byDocument = Map.groupBy(all, ({ document }) => document)
  return documents.map(({ markdown }, index) => {
    const own = byDocument.get(index) ?? []
    const left = own.filter((chunk) => !chosen.has(chunk))
    if (left.length === 0) return { markdown, omitted: [] }
    const shown = own.filter((chunk) => chosen.has(chunk))
    return { markdown: joinChunks(shown, markdown), omitted: left.map(omittedPart) }
  })
}

async function fits(documents: readonly FittableText[], maxTokens: number, signal: AbortSignal): Promise<boolean> {
  const pause = makePause(signal)
  let left = maxTokens
  for (const { markdown, copies = 1 } of documents) {
    left -= measures.tokens(markdown) * copies
    if (left < 0) return false
    await pause(markdown.length)
  }
  return true
}

function omittedPart({ id, headings, size, start, end, cut }: EdgedChunk): OmittedPart {
  return { chunk: id, headings, tokens: size, start, end, ...(cut && { cut }) }
}
