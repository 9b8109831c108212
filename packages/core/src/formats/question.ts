import { z } from 'zod'

import type { LLMContext } from '@harvestman/asking'
import { citationsOption } from '../schema/citation.ts'
import { readTokens } from '../schema/omitted.ts'
import { tariff } from '../credits/tariff.ts'
import { llmPort } from '../plugin/core-ports.ts'
import { defineFormat } from '../plugin/define.ts'
import type { DeriveContext } from '../plugin/field.ts'
import { findHighlights } from './highlights.ts'
import { markdown } from './markdown.ts'

const value = z.string().describe('The answer, based only on the page.')

/** The format `question`: answers a question using only the page. */
export const question = defineFormat({
  type: 'question',
  as: 'answer',
  options: z.object({
    question: z.string().min(1).max(10_000).meta({ title: 'Question', description: 'The question about the page.' }),
    citations: citationsOption,
    maxTokens: readTokens,
  }),
  requires: { llm: llmPort },
  minTimeout: 60_000,
  locates: ({ citations }) => citations === true,
  value,
  needs: { markdown },
  derive: ({ markdown }, { options, page, ports: { llm }, ...context }) => {
    const subject = { url: page.url, text: markdown, maxTokens: options.maxTokens }
    return options.citations
      ? citedAnswer(options.question, subject, { llm, ...context })
      : answer(options.question, subject, { llm, ...context })
  },
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
    maxTokens: readTokens,
  }),
  requires: { llm: llmPort },
  minTimeout: 60_000,
  value,
  needs: { markdown },
  derive: async ({ markdown }, { options, page, ports: { llm }, ...context }) => {
    const { prompt, mode, maxTokens } = options
    const subject = { url: page.url, text: markdown, maxTokens }
    if (mode === 'freeform') return answer(prompt, subject, { llm, ...context })
    return (await findHighlights({ query: prompt, maxTokens }, subject, { llm, ...context })).join('\n\n')
  },
  credits: () => tariff.modelFormat,
})

interface Subject {
  readonly url: string
  readonly text: string
  readonly maxTokens: number | undefined
}

const together =
  'You did so for the parts of the page. Below is what you said of each: give one answer. Parts that do not say count for nothing when another does.'

async function answer(
  asked: string,
  { maxTokens, ...page }: Subject,
  llmContext: LLMContext,
  rules: { readonly task: string; readonly together: string } = { task: '', together: '' },
): Promise<string> {
  const { askForText } = await import('@harvestman/asking')
  const task =
    `Answer this question about the page, shortly and in its language: ${asked}\n\n` +
    'When the page does not say, answer that the page does not say.'
  return askForText(llmContext, { task: task + rules.task, page, maxTokens, topic: asked }, together + rules.together)
}

/** Answers like `answer`, and cites the passages that the model names for each sentence, if the page has them. */
async function citedAnswer(
  asked: string,
  page: Subject,
  context: LLMContext & Pick<DeriveContext, 'cite' | 'blocksInFile'>,
): Promise<string> {
  const { citablePage, citeStatements, quotedTogether, quotingRule, readStatements } =
    await import('../citations/citations.ts')
  const rules = { task: ` ${quotingRule}`, together: ` ${quotedTogether}` }
  const { text, statements } = readStatements(await answer(asked, page, context, rules))
  const cited = { url: page.url, markdown: page.text, blocks: await context.blocksInFile(page.text) }
  const pages = [await citablePage(cited, context.signal)]
  context.cite(await citeStatements(statements, pages, context.signal))
  return text
}
