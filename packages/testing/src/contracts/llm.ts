import assert from 'node:assert/strict'

import type { Json, LLM, Question } from '@harvestman/core/ports'

import type { Contract } from '../contract.ts'
import { reasonOf } from './until.ts'

/** Makes a model that gives these replies, one a question; at `silence` it never answers. */
export type MakeLLM = (given: { readonly replies: readonly ModelReply[] }) => LLM | Promise<LLM>

export type ModelReply = { readonly value: Json } | 'silence'

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

const unfit: readonly Json[] = [
  { legs: 'eight' },
  {},
  { legs: 8, names: [1] },
  { legs: 8, more: 1 },
  [8],
  'eight',
  null,
]

/** The rules of the `LLM` port. */
export const llmContract: Contract<MakeLLM> = [
  rule('without a schema the answer is the text', [{ value: 'Eight “legs”.\n\nÜ' }], async (llm) => {
    const { value, tokens } = await llm.ask({ prompt: 'How many legs?' }, never())
    assert.equal(value, 'Eight “legs”.\n\nÜ')
    assert.ok(Number.isInteger(tokens) && tokens >= 0)
  }),
  rule('with a schema the answer is a value that fits it', [{ value: { legs: 8, names: ['a'] } }], async (llm) => {
    const { value, tokens } = await llm.ask(question, never())
    assert.deepEqual(value, { legs: 8, names: ['a'] })
    assert.ok(Number.isInteger(tokens) && tokens >= 0)
  }),
  ...unfit.map((value) =>
    // The model insists: an adapter that asks again gets the same.
    rule(`with a schema the answer ${JSON.stringify(value)} that does not fit rejects`, [{ value }], async (llm) => {
      await assert.rejects(llm.ask(question, never()))
    }),
  ),
  rule('a call whose signal is aborted already rejects with the reason', [{ value: 'late' }], async (llm) => {
    assert.equal(await reasonOf(llm.ask({ prompt: 'Hello?' }, AbortSignal.abort(reason))), reason)
  }),
  rule('a call rejects with the reason when its signal is aborted meanwhile', ['silence'], async (llm) => {
    const controller = new AbortController()
    const asked = reasonOf(llm.ask({ prompt: 'Hello?' }, controller.signal))
    await new Promise((resolve) => setTimeout(resolve, 20))
    controller.abort(reason)
    assert.equal(await asked, reason)
  }),
  rule('questions at the same time do not mix', [{ value: 'a' }, { value: 'b' }, { value: 'c' }], async (llm) => {
    const answers = await Promise.all(['1', '2', '3'].map((prompt) => llm.ask({ prompt }, never())))
    assert.deepEqual(new Set(answers.map(({ value }) => value)), new Set(['a', 'b', 'c']))
  }),
]
