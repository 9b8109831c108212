// The pages that a model reads, under one token budget.
import { fitMarkdown } from '@harvestman/chunks'
import type { LLM } from '@harvestman/ports'

/** A page for a prompt. */
interface ReadPage {
  /** Its URL and title, which are always in the prompt. */
  readonly head: string
  readonly markdown: string
}

const maxPageTokens = 24_000
const defaultContext = 16_000

/** Returns the number of tokens of pages in one prompt: half of the context of the model, and at most 24,000. */
export function pageTokensFor({ contextTokens = defaultContext }: LLM): number {
  return Math.min(maxPageTokens, Math.floor(contextTokens / 2))
}

/**
 * Returns the text of pages for a prompt: of pages beyond the budget, the parts that match the topic best, in the order of each
 * page. Pages of which nothing fits are omitted. Rejects when aborted.
 */
export async function withinBudget(
  pages: readonly ReadPage[],
  { maxTokens, topic }: { readonly maxTokens: number; readonly topic: string },
  signal: AbortSignal,
): Promise<string> {
  const fitted = await fitMarkdown(pages, { maxTokens, query: topic }, signal)
  const shown = pages.flatMap(({ head, markdown }, index) => {
    const text = fitted[index]?.markdown ?? ''
    return text === '' && markdown !== '' ? [] : [`${head}${text}`]
  })
  return shown.join('\n\n')
}
