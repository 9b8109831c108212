import { describe, expect, test } from 'vitest'

import { type Answer, EngineError, type JsonSchema, type LLM, type Question, type Tool } from '@harvestman/ports'
import { checkedLLM } from './checked-llm.ts'

const signal = new AbortController().signal
const usage = { inputTokens: 10, outputTokens: 1 }
const schema: JsonSchema = { type: 'object', properties: { price: { type: 'number' } }, required: ['price'] }
const click: Tool = {
  name: 'click',
  description: 'Clicks.',
  input: { type: 'object', properties: { ref: { type: 'string' } }, required: ['ref'], additionalProperties: false },
}

/** An adapter without manners: it gives whatever was written down, the last again and again. */
function careless(...answers: readonly unknown[]): LLM & { readonly questions: Question[] } {
  const questions: Question[] = []
  return {
    name: 'careless-1',
    contextTokens: 8_000,
    questions,
    ask: async (question) => {
      const answer = answers[Math.min(questions.length, answers.length - 1)]
      questions.push(question)
      if (answer instanceof Error) throw answer
      return answer as Answer
    },
  }
}

const value = (given: unknown): unknown => ({ value: given, calls: [], usage })
const calling = (name: string, input: unknown): unknown => ({ value: '', calls: [{ id: '1', name, input }], usage })

describe('What a model answers', () => {
  test('is given as it is when it fits, with what the model is called and has room for', async () => {
    const llm = careless(value({ price: 1 }))
    const checked = checkedLLM(llm)
    expect([checked.name, checked.contextTokens]).toEqual(['careless-1', 8_000])
    expect(await checked.ask({ prompt: 'Price?', schema }, signal)).toEqual({ value: { price: 1 }, calls: [], usage })
    expect(llm.questions).toHaveLength(1)
  })

  test('is asked for again with what is wrong, and all of its tokens are counted', async () => {
    const llm = careless(value({ price: 'much' }), value({ price: 2 }))
    const answer = await checkedLLM(llm).ask({ prompt: 'Price?', schema }, signal)
    expect(answer).toEqual({ value: { price: 2 }, calls: [], usage: { inputTokens: 20, outputTokens: 2 } })
    expect(llm.questions[1]?.turns).toMatchObject([
      { role: 'assistant', text: '{"price":"much"}' },
      { role: 'user', text: expect.stringContaining('price must be a number') },
    ])
  })

  test('fails when it never fits, after two repairs, and says what was wrong', async () => {
    const llm = careless(value({}))
    await expect(checkedLLM(llm).ask({ prompt: 'Price?', schema }, signal)).rejects.toMatchObject({
      code: 'model_failed',
      message: expect.stringMatching(/careless-1 gave an answer that does not fit the schema. price is missing/),
      details: { reason: 'unfit' },
    })
    expect(llm.questions).toHaveLength(3)
  })

  test.each([
    ['a tool that was not offered', calling('fly', {}), 'called a tool that does not exist. The tools are: click.'],
    ['an input that does not fit', calling('click', { x: 1 }), 'ref is missing'],
    ['an input that is no object', calling('click', 'e1'), 'with an input that is not a JSON object'],
  ])('never has a call with %s', async (_, bad, problem) => {
    const llm = careless(bad, calling('click', { ref: 'e1' }))
    const { calls } = await checkedLLM(llm).ask({ prompt: 'Click.', tools: [click] }, signal)
    expect(calls).toEqual([{ id: '1', name: 'click', input: { ref: 'e1' } }])
    expect(JSON.stringify(llm.questions[1]?.turns)).toContain(problem)
  })

  test.each([[undefined], [null], ['text'], [{}], [{ value: 'x', calls: 'none', usage: { inputTokens: 'many' } }]])(
    'may be anything, as %j: it does not break who asked',
    async (given) => {
      const answer = await checkedLLM(careless(given)).ask({ prompt: 'Say.' }, signal)
      expect(answer).toMatchObject({ calls: [], usage: { inputTokens: expect.any(Number) } })
    },
  )
})

describe('A failure of a model', () => {
  test('keeps its code, and one of a foreign library becomes ours', async () => {
    const busy = new EngineError('model_unavailable', 'Busy.')
    await expect(checkedLLM(careless(busy)).ask({ prompt: 'x' }, signal)).rejects.toBe(busy)
    await expect(
      checkedLLM(careless(new TypeError('x is not a function'))).ask({ prompt: 'x' }, signal),
    ).rejects.toThrow(
      expect.objectContaining({ code: 'model_failed', message: expect.not.stringContaining('not a function') }),
    )
  })

  test('is the reason of the signal once that is aborted', async () => {
    const gone = new AbortController()
    const llm: LLM = {
      ask: async () => {
        gone.abort(new Error('gone'))
        throw new Error('broken off')
      },
    }
    await expect(checkedLLM(llm).ask({ prompt: 'x' }, gone.signal)).rejects.toThrow('gone')
  })

  test('that lies in the question is said before it is asked', async () => {
    const llm = careless(value({}))
    const question = { prompt: 'x', schema: { $ref: 'https://elsewhere.example/schema' } }
    await expect(checkedLLM(llm).ask(question, signal)).rejects.toMatchObject({ details: { reason: 'bad_request' } })
    expect(llm.questions).toHaveLength(0)
  })
})
