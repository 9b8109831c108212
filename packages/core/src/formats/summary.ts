import { z } from 'zod'

import { llmPort } from '../plugin/core-ports.ts'
import { defineFormat } from '../plugin/define.ts'
import { readTokens } from '../schema/omitted.ts'
import { markdown } from './markdown.ts'

const task =
  'Summarise the page for a reader who has not seen it: what it is, and what it says, in one paragraph of plain text and in ' +
  'the language of the page. Give the summary and nothing else.'

/** The format `summary`: one paragraph, written by a language model. */
export const summary = defineFormat({
  type: 'summary',
  options: z.object({ maxTokens: readTokens }),
  requires: { llm: llmPort },
  minTimeout: 60_000,
  value: z.string().describe('A summary of the page in one paragraph.'),
  needs: { markdown },
  derive: async ({ markdown }, { options: { maxTokens }, page, ports: { llm }, ...context }) => {
    const { askForText } = await import('@harvestman/asking')
    return askForText(
      { llm, ...context },
      // Without a topic, the model reads the beginnings of sections first.
      { task, page: { url: page.url, text: markdown }, maxTokens, topic: '' },
      'You did so for the parts of the page. Below is what you said of each: make one summary of it.',
    )
  },
})
