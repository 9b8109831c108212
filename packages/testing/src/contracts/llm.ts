import assert from 'node:assert/strict'

import type { Json, LLM, Question, ToolCall, Usage } from '@harvestman/ports'

import type { Contract } from '../contract.ts'
import { reasonOf } from './until.ts'

/** Creates a model with these replies, one per `ask` call; at `silence` it never replies. */
export type MakeLLM = (given: { readonly replies: readonly ModelReply[] }) => LLM | Promise<LLM>

/** The reply of the model behind an adapter. */
export type ModelReply = { readonly value: Json } | { readonly calls: readonly Omit<ToolCall, 'id'>[] } | 'silence'

function rule(name: string, replies: readonly ModelReply[], check: (llm: LLM) => Promise<void>) {
  return { name, run: async (make: MakeLLM) => check(await make({ replies })) }
}

const never = () => new AbortController().signal
const reason = new Error('no more')

const question: Question = {
  system: 'You answer questions about animals.',
  prompt: 'How many legs?',
  schema: {
    type: 'object',
    properties: { legs: { type: 'integer' }, names: { type: 'array', items: { type: 'string' } } },
    required: ['legs'],
    additionalProperties: false,
  },
}

function checkUsage({ inputTokens, outputTokens }: Usage): void {
  for (const tokens of [inputTokens, outputTokens]) assert.ok(Number.isInteger(tokens) && tokens >= 0)
}

const tools = [
  {
    name: 'look_up',
    description: 'Looks an animal up.',
    input: { type: 'object', properties: { animal: { type: 'string' } }, required: ['animal'] },
  },
]

const unfit: readonly Json[] = [
  { legs: 'eight' },
  {},
  { legs: 8, names: [1] },
  { legs: 8, more: 1 },
  [8],
  'eight',
  null,
]

/** The contract of the `LLM` port. */
export const llmContract: Contract<MakeLLM> = [
  rule('without a schema the answer is the text', [{ value: 'Eight “legs”.\n\nÜ' }], async (llm) => {
    const { value, calls, usage } = await llm.ask({ prompt: 'How many legs?' }, never())
    assert.equal(value, 'Eight “legs”.\n\nÜ')
    assert.deepEqual(calls, [])
    checkUsage(usage)
  }),
  rule('with a schema the answer is a value that fits it', [{ value: { legs: 8, names: ['a'] } }], async (llm) => {
    const { value, calls, usage } = await llm.ask(question, never())
    assert.deepEqual(value, { legs: 8, names: ['a'] })
    assert.deepEqual(calls, [])
    checkUsage(usage)
  }),
  ...unfit.map((value) =>
    // The model repeats its reply: an adapter that retries gets the same.
    rule(`with a schema the answer ${JSON.stringify(value)} that does not fit rejects`, [{ value }], async (llm) => {
      await assert.rejects(llm.ask(question, never()))
    }),
  ),
  rule(
    'with tools the answer may be calls of them, and what they brought is answered',
    [{ calls: [{ name: 'look_up', input: { animal: 'spider' } }] }, { value: 'Eight.' }],
    async (llm) => {
      const request = { prompt: 'How many legs has a spider?', tools }
      const { calls, usage } = await llm.ask(request, never())
      assert.deepEqual(
        calls.map(({ name, input }) => ({ name, input })),
        [{ name: 'look_up', input: { animal: 'spider' } }],
      )
      checkUsage(usage)
      const turns = [
        { role: 'assistant' as const, text: '', calls },
        ...calls.map((call) => ({ role: 'tool' as const, call, result: 'A spider has eight legs.' })),
      ]
      const answer = await llm.ask({ ...request, turns }, never())
      assert.deepEqual(answer.calls, [])
      assert.equal(answer.value, 'Eight.')
    },
  ),
  rule(
    'a call of a tool that was not offered is never given',
    [{ calls: [{ name: 'rm', input: {} }] }],
    async (llm) => {
      await assert.rejects(llm.ask({ prompt: 'Hello?', tools }, never()))
    },
  ),
  rule('a call whose signal is aborted already rejects with the reason', [{ value: 'late' }], async (llm) => {
    assert.equal(await reasonOf(llm.ask({ prompt: 'Hello?' }, AbortSignal.abort(reason))), reason)
  }),
  rule('a call rejects with the reason when its signal is aborted meanwhile', ['silence'], async (llm) => {
    const controller = new AbortController()
    const failure = reasonOf(llm.ask({ prompt: 'Hello?' }, controller.signal))
    await new Promise((resolve) => setTimeout(resolve, 20))
    controller.abort(reason)
    assert.equal(await failure, reason)
  }),
  rule('questions at the same time do not mix', [{ value: 'a' }, { value: 'b' }, { value: 'c' }], async (llm) => {
    const answers = await Promise.all(['1', '2', '3'].map((prompt) => llm.ask({ prompt }, never())))
    assert.deepEqual(new Set(answers.map(({ value }) => value)), new Set(['a', 'b', 'c']))
  }),
]
