// Fits Markdown into a token budget.
import { choose } from './choose.ts'
import { cutMarkdown } from './cut.ts'
import { joinChunks, withEdges, type EdgedChunk } from './edges.ts'
import { makePause } from './pauses.ts'
import { measures } from './units.ts'

/** A part of a document that did not fit into a budget, or several. */
export interface OmittedPart {
  /** The id of the chunk, or of the first one. */
  readonly chunk: string
  readonly headings: readonly string[]
  readonly tokens: number
  /** Offsets in the whole Markdown. */
  readonly start: number
  readonly end: number
  /** Set if the part has a part of a table or of code, whose rest may be in the returned Markdown. */
  readonly cut?: 'table' | 'code'
  /** Number of parts, if several are listed as one. The last of 100 entries contains all later parts, and its range has returned parts as well. */
  readonly parts?: number
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

// Maximum number of omitted parts of a document that are listed.
const maxOmitted = 100
// Maximum size of the head of a table, as a share of the budget.
const maxHead = 0.25

// The size of chunks is the default of the format `chunks`, so that the ids are the same if there is a query. Small budgets need
// smaller parts.
const sizes = { chunk: 500, smallest: 50, perBudget: 2 }

/** Returns the size of the parts that are chosen for a budget. */
export function partSize(maxTokens: number): number {
  return Math.min(sizes.chunk, Math.max(sizes.smallest, Math.floor(maxTokens / sizes.perBudget)))
}

/**
 * Fits the Markdown of documents into one token budget. Returns the parts that match the query best, in the order of each
 * document; without a query, the beginnings of sections first, the upper levels before the lower ones. The parts of a table have
 * the head of the table once, unless it is larger than a quarter of the budget; a part of code has its fences. Documents that fit
 * are unchanged. Rejects when aborted.
 */
export async function fitMarkdown(
  documents: readonly FittableText[],
  { maxTokens, query }: FitOptions,
  signal: AbortSignal,
): Promise<readonly FittedText[]> {
  if (await fits(documents, maxTokens, signal)) return documents.map(({ markdown }) => ({ markdown, omitted: [] }))
  const all: (SizedChunk & { readonly document: number })[] = []
  const by = query === undefined || query === '' ? 'heading' : 'size'
  const options = { size: partSize(maxTokens), overlap: 0, by, measure: measures.tokens } as const
  for (const [document, { markdown, copies = 1 }] of documents.entries())
    for (const chunk of withEdges(await cutMarkdown(markdown, options, signal), markdown, maxTokens * maxHead)) {
      const tokens = chunk.size
      const before = measures.tokens(chunk.before) * copies
      const own = (tokens + measures.tokens(chunk.after)) * copies
      const shared = chunk.table === undefined ? undefined : { key: `${document} ${chunk.table}`, size: before }
      all.push({ ...chunk, document, tokens, shared, size: shared ? own : own + before })
    }
  const chosen = new Set(await choose(all, { budget: maxTokens, query }, signal))
  const byDocument = Map.groupBy(all, ({ document }) => document)
  return documents.map(({ markdown }, index) => {
    const own = byDocument.get(index) ?? []
    const left = own.filter((chunk) => !chosen.has(chunk))
    if (left.length === 0) return { markdown, omitted: [] }
    const shown = own.filter((chunk) => chosen.has(chunk))
    return { markdown: joinChunks(shown, markdown), omitted: limited(left.map(omittedPart)) }
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

interface SizedChunk extends EdgedChunk {
  /** Size in the document, without the heads and ends that are added to it. */
  readonly tokens: number
  /** The head of its table. */
  readonly shared: { readonly key: string; readonly size: number } | undefined
}

function omittedPart({ id, headings, tokens, start, end, cut }: SizedChunk): OmittedPart {
  return { chunk: id, headings, tokens, start, end, ...(cut && { cut }) }
}

/** Merges parts if there are more than `maxOmitted`: consecutive ones of a section, then all consecutive ones, then the last ones. */
function limited(parts: readonly OmittedPart[]): readonly OmittedPart[] {
  if (parts.length <= maxOmitted) return parts
  const isNext = (a: OmittedPart, b: OmittedPart): boolean => a.end === b.start
  const bySection = merged(parts, (a, b) => isNext(a, b) && pathOf(a) === pathOf(b))
  const all = bySection.length <= maxOmitted ? bySection : merged(bySection, isNext)
  if (all.length <= maxOmitted) return all
  return [...all.slice(0, maxOmitted - 1), ...merged(all.slice(maxOmitted - 1), () => true)]
}

function pathOf({ headings }: OmittedPart): string {
  return JSON.stringify(headings)
}

function merged(
  parts: readonly OmittedPart[],
  belong: (a: OmittedPart, b: OmittedPart) => boolean,
): readonly OmittedPart[] {
  const found: OmittedPart[] = []
  for (const part of parts) {
    const last = found.at(-1)
    if (last && belong(last, part)) found[found.length - 1] = together(last, part)
    else found.push(part)
  }
  return found
}

function together(a: OmittedPart, b: OmittedPart): OmittedPart {
  const differs = a.headings.findIndex((heading, index) => heading !== b.headings[index])
  const cut = a.cut ?? b.cut
  return {
    ...{ chunk: a.chunk, headings: differs === -1 ? a.headings : a.headings.slice(0, differs) },
    ...{ tokens: a.tokens + b.tokens, start: a.start, end: b.end },
    ...{ ...(cut && { cut }), parts: (a.parts ?? 1) + (b.parts ?? 1) },
  }
}
