import { z } from 'zod'

import type { LLMContext } from '@harvestman/asking'
import { tariff } from '../credits/tariff.ts'
import { llmPort } from '../plugin/core-ports.ts'
import { defineFormat } from '../plugin/define.ts'
import { findHighlights } from './highlights.ts'
import { markdown } from './markdown.ts'

const value = z.string().describe('The answer, based only on the page.')

/** The format `question`: answers a question using only the page. */
export const question = defineFormat({
  type: 'question',
  as: 'answer',
  options: z.object({
    question: z.string().min(1).max(10_000).meta({ title: 'Question', description: 'The question about the page.' }),
  }),
  requires: { llm: llmPort },
  minTimeout: 60_000,
  value,
  needs: { markdown },
  derive: ({ markdown }, { options, page, ports: { llm }, ...context }) =>
    answer(options.question, { url: page.url, text: markdown }, { llm, ...context }),
  credits: () => tariff.modelFormat,
})

/** The older format `query`: like `question`, or with verbatim passages of the page in place of an answer. */
export const query = defineFormat({
  type: 'query',
  as: 'answer',
  options: z.object({
    prompt: z.string().min(1).max(10_000).meta({ title: 'Question', description: 'The question about the page.' }),
    mode: z
      .enum(['freeform', 'directQuote'])
      .meta({
        title: 'Mode',
        description:
          '`freeform` returns an answer that the model phrases, `directQuote` verbatim passages of the page.',
      })
      .default('freeform'),
  }),
  requires: { llm: llmPort },
  minTimeout: 60_000,
  value,
  needs: { markdown },
  derive: async ({ markdown }, { options, page, ports: { llm }, ...context }) => {
    const { prompt, mode } = options
    const subject = { url: page.url, text: markdown }
    if (mode === 'freeform') return answer(prompt, subject, { llm, ...context })
    return (await findHighlights(prompt, subject, { llm, ...context })).join('\n\n')
  },
  credits: () => tariff.modelFormat,
})

async function answer(
  asked: string,
  page: { readonly url: string; readonly text: string },
  llmContext: LLMContext,
): Promise<string> {
  const { askForText } = await import('@harvestman/asking')
  const task =
    `Answer this question about the page, shortly and in its language: ${asked}\n\n` +
    'When the page does not say, answer that the page does not say.'
  return askForText(
    llmContext,
    { task, page },
    'You did so for the parts of the page. Below is what you said of each: give one answer. Parts that do not say count for nothing when another does.',
  )
}
