import { defineJob, jsonValue, llmPort, searchPort, tariff } from '@harvestman/core/plugin'
import type { Json } from '@harvestman/ports'
import { z } from 'zod'

import { face } from './face.ts'
import type { AgentNote } from './notes.ts'
import { request } from './request.ts'
import { agentLimits, runAgent } from './run.ts'

const act = z.object({
  action: z.string(),
  input: jsonValue,
  outcome: z.string().describe('The outcome, in a few words.'),
  isFailure: z.boolean(),
  creditsUsed: z.number().describe('The price of all actions up to this one, in credits.'),
  at: z.iso.datetime(),
})

function wordsOf(input: unknown): string {
  return Object.values(typeof input === 'object' && input !== null ? input : { input }).join(' ')
}

/** Answers a prompt from the web. A language model chooses what to search, list and read, step by step. */
export const agent = defineJob({
  kind: 'agent',
  says: 'Answers a question from the web: a language model chooses what to search for and read.',
  request,
  answer: jsonValue,
  example: { prompt: 'Which plans does the shop have, and what do they cost?', urls: ['https://example.com/'] },
  about: 'prompt',
  target: ({ urls: [first], prompt }) => first ?? prompt,
  requires: { llm: llmPort },
  uses: { search: searchPort },
  requiresFor: ({ urls }) =>
    urls.length > 0 ? [] : [{ port: searchPort, because: 'An agent without urls', or: 'give urls' }],
  answerFits: { schema: 'schema' },
  progress: {
    schema: z.object({ acts: z.array(act).describe('The actions of the agent, in order.') }),
    // Cast: these steps were saved by runAgent.
    of: (steps) => ({ acts: steps.flatMap(({ step }) => (step as AgentNote).act ?? []) }),
    lines: ({ acts }) => acts.map(({ action, input, outcome }) => `${action} ${wordsOf(input)}  ${outcome}`),
  },
  tells: {
    step: ({ act }: AgentNote): Json | undefined =>
      act && { creditsUsed: act.creditsUsed, action: act.action, input: act.input },
    answer: (data, { creditsUsed }) => ({ creditsUsed, data }),
    noAnswer: { creditsUsed: 0 },
  },
  faces: [face],
  command: {
    more: 'urls',
    flags: { strictConstrainToURLs: '--only' },
    examples: [
      '"Which plans does the shop have, and what do they cost?" https://example.com',
      '"Who leads the project?" --schema person.json --max-credits 50',
    ],
    print: (answer) => (typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2)),
  },
  holds: ({ maxCredits }) => Math.min(agentLimits.credits, maxCredits),
  // The model decides how many steps it takes, so maxCredits is the only upper limit.
  price: ({ maxCredits }) => {
    const { page, map, search, tokensOfAgentCredit } = tariff
    const reasons = [
      { what: 'Each page read', min: page, max: page },
      { what: 'Each map of a site', min: 0, max: map },
      { what: 'Each search', min: 0, max: search.credits },
      { what: `Tokens of the language model, ${tokensOfAgentCredit} per credit`, min: 0 },
      { what: 'At most maxCredits', min: 0, max: maxCredits },
    ]
    return { min: page, max: maxCredits, reasons }
  },
  run: runAgent,
})
