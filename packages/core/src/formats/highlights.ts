import { z } from 'zod'

import type { LLMContext } from '@harvestman/asking'
import { tariff } from '../credits/tariff.ts'
import { llmPort } from '../plugin/core-ports.ts'
import { defineFormat } from '../plugin/define.ts'
import { readTokens } from '../schema/omitted.ts'
import { markdown } from './markdown.ts'

const spans = {
  type: 'object',
  properties: { spans: { type: 'array', items: { type: 'string' }, maxItems: 50 } },
  required: ['spans'],
  additionalProperties: false,
} as const

/** The format `highlights`: verbatim passages of the page. Passages from the model that are not in the page are omitted. */
export const highlights = defineFormat({
  type: 'highlights',
  options: z.object({
    query: z.string().min(1).max(10_000).meta({ title: 'Query', description: 'The topic of the passages.' }),
    maxTokens: readTokens,
  }),
  requires: { llm: llmPort },
  minTimeout: 60_000,
  value: z.string().describe('Verbatim passages of the page, in page order, separated by empty lines.'),
  needs: { markdown },
  derive: async ({ markdown }, { options, page, ports: { llm }, ...context }) => {
    const found = await findHighlights(options, { url: page.url, text: markdown }, { llm, ...context })
    if (found.length > 0) return found.join('\n\n')
    context.warn('The page has no passage about the query of highlights.')
    return undefined
  },
  credits: () => tariff.modelFormat,
})

/**
 * Asks a model for passages about a query. Returns only passages that the page contains verbatim, possibly none; a warning
 * counts the others. Rejects with the errors of the model.
 */
export async function findHighlights(
  { query, maxTokens }: { readonly query: string; readonly maxTokens?: number | undefined },
  page: { readonly url: string; readonly text: string },
  llmContext: LLMContext,
): Promise<readonly string[]> {
  const { askForValue, findVerbatimPassages } = await import('@harvestman/asking')
  const task =
    `Copy the passages of the page that say most about this, word for word and each at most three sentences: ${query}\n\n` +
    'When there are none, give an empty list.'
  const found = (await askForValue(llmContext, { task, page, maxTokens, topic: query }, spans)) as {
    readonly spans?: readonly string[]
  }
  const { quoted, lost } = findVerbatimPassages(found.spans ?? [], page.text)
  if (lost > 0) llmContext.warn(`${lost} of the highlights were removed, because the page does not contain them.`)
  return quoted
}
