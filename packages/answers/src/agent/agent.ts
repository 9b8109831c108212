import { defineJob, jsonValue, llmPort, searchPort, tariff, type KeptStep } from '@harvestman/core/plugin'
import { findMisfits } from '@harvestman/json-schema'
import type { Json } from '@harvestman/ports'
import { z } from 'zod'

import { claims } from '../claims.ts'
import { endpoint } from './endpoint.ts'
import type { AgentNote } from './notes.ts'
import { request, type AgentRequest } from './request.ts'
import { agentLimits, runAgent } from './run.ts'
import { threads } from './thread.ts'

const act = z.object({
  action: z.string(),
  input: jsonValue,
  outcome: z.string().describe('The outcome, in a few words.'),
  isFailure: z.boolean(),
  creditsUsed: z.number().describe('The price of all actions up to this one, in credits.'),
  at: z.iso.datetime(),
})

function placeIn(steps: readonly KeptStep<AgentNote>[]) {
  const thread = steps.find(({ step }) => step.thread)?.step.thread
  return thread && { threadId: thread.id, threadTurn: thread.turn }
}

/** Returns the claims of the result, once there is one. */
function claimsIn(steps: readonly KeptStep<AgentNote>[], status: string) {
  const claims = steps.findLast(({ step }) => step.claims)?.step.claims
  return status === 'processing' || !claims ? {} : { claims: [...claims] }
}

/** Returns why a run stopped early, and its partial answer. */
function stoppedIn(steps: readonly KeptStep<AgentNote>[], { schema, mode }: AgentRequest) {
  const stopReason = steps.findLast(({ step }) => step.stop !== undefined)?.step.stop
  if (stopReason === undefined) return undefined
  const partial = steps.findLast(({ step }) => step.partial !== undefined)?.step.partial
  if (partial === undefined) return { stopReason }
  const isChecked = schema !== undefined && mode === 'extract'
  return { stopReason, partial, ...(isChecked && { partialSchemaValid: findMisfits(partial, schema).length === 0 }) }
}

function wordsOf(input: unknown): string {
  return Object.values(typeof input === 'object' && input !== null ? input : { input }).join(' ')
}

/** Answers a prompt from the web. A language model chooses what to search, list and read, step by step. */
export const agent = defineJob({
  kind: 'agent',
  description: 'Answers a question from the web: a language model chooses what to search for and read.',
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
    schema: z.object({
      acts: z.array(act).describe('The actions of the agent, in order.'),
      threadId: z.string().optional().describe('The conversation that it belongs to.'),
      threadTurn: z.int().optional().describe('Its place in the conversation, from 1.'),
      stopReason: z.literal('credit_limit_reached').optional().describe('Why it stopped early.'),
      partial: jsonValue.optional().describe('The answer as far as the credits allowed; of one that stopped early.'),
      partialSchemaValid: z.boolean().optional().describe('Whether `partial` has the shape of the schema.'),
      claims,
    }),
    // Cast: these steps were saved by runAgent, and this is a request of an agent.
    of: (steps, request, { status }) => ({
      acts: steps.flatMap(({ step }) => (step as AgentNote).act ?? []),
      ...placeIn(steps as readonly KeptStep<AgentNote>[]),
      ...claimsIn(steps as readonly KeptStep<AgentNote>[], status),
      ...(status === 'failed' && stoppedIn(steps as readonly KeptStep<AgentNote>[], request as AgentRequest)),
    }),
    lines: ({ acts }) => acts.map(({ action, input, outcome }) => `${action} ${wordsOf(input)}  ${outcome}`),
  },
  webhookPayloads: {
    step: ({ act }: AgentNote): Json | undefined =>
      act && { creditsUsed: act.creditsUsed, action: act.action, input: act.input },
    answer: (data, { creditsUsed }) => ({ creditsUsed, data }),
    noAnswer: { creditsUsed: 0 },
  },
  threads,
  endpoints: [endpoint],
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
