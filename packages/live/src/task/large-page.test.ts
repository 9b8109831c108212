// Runs on pages, and of lengths, that are more than a model has room for.
import { describe, expect, test } from 'vitest'

import { type Clock, EngineError, type LLM, type Question } from '@harvestman/ports'
import { estimateTokens } from '@harvestman/toolbox/tokens'
import { makeConfinements, type ConfinableBrowser } from './confinement.ts'
import { makeTaskRunner } from './run.ts'
import { shortenPage } from './shorten-page.ts'

const clock: Clock = { now: () => 0, sleep: async () => undefined }
const usage = { inputTokens: 100, outputTokens: 10 }
const url = 'https://shop.example/'

const paragraph = 'Words of an article that go on and on, of which a shop has many on every page. '.repeat(3)
/** An ordinary large page: articles, and more links than anybody reads. */
const large = Array.from({ length: 700 }, (_, index) =>
  [
    `- heading "Part ${index}"`,
    `  - text: "${paragraph}"`,
    `  - link "Article ${index} of the shop" [ref=e${index + 1}]`,
  ].join('\n'),
)
  .join('\n')
  .replace('link "Article 650 of the shop"', 'button "Basket of tea"')

const live = {
  takeNotes: () => [],
  call: async () => '[]',
  snapshot: async () => ({ url, title: 'Shop', text: large }),
  act: async () => undefined,
  confine: makeConfinements().confine,
}
// Cast: a run uses no more of a live browser than these three.
const browser = live as unknown as ConfinableBrowser

type Say = { readonly name: string; readonly input: Record<string, string> } | Error

/** A model with room for so many tokens, counted as an endpoint would that is strict about it. */
function modelOf(says: readonly Say[], room?: number, strictness = 1): LLM & { readonly questions: Question[] } {
  const questions: Question[] = []
  let asked = 0
  return {
    ...(room !== undefined && { contextTokens: room }),
    questions,
    ask: async (question) => {
      const tokens = estimateTokens(JSON.stringify(question)) * strictness + (question.maxOutputTokens ?? 4_096)
      if (tokens > (room ?? 16_000))
        throw new EngineError('model_failed', `${tokens} tokens are too many.`, { details: { reason: 'too_long' } })
      questions.push(question)
      const say = says[Math.min(asked++, says.length - 1)]!
      if (say instanceof Error) throw say
      return { value: '', calls: [{ id: String(asked), ...say }], usage }
    },
  }
}

const done: Say = { name: 'done', input: { answer: 'Done.' } }
const scroll: Say = { name: 'scroll', input: { direction: 'down' } }
const times = (count: number, say: Say): Say[] => Array.from({ length: count }, () => say)
const run = (model: LLM, task = 'Put tea into the basket.') =>
  makeTaskRunner(model, clock)(browser, task, {}, new AbortController().signal)
const shownIn = ({ turns = [] }: Question): string => JSON.stringify(turns.at(-1))

describe('A page that is larger than the room of the model', () => {
  test.each([[undefined], [8_000], [32_000]])(
    'is shown as far as it fits into %s tokens, and says so',
    async (room) => {
      const model = modelOf([scroll, done], room)
      expect(await run(model)).toMatchObject({ success: true, answer: 'Done.' })
      expect(shownIn(model.questions[0]!)).toMatch(/lines are left out. Call find/)
    },
  )

  test('keeps what the task speaks of, then what can be acted on, in the order of the page', () => {
    const { text, cut } = shortenPage(large, 4_000, 'Put tea into the basket.')
    expect(estimateTokens(text)).toBeLessThanOrEqual(4_000)
    expect(text).toContain('button "Basket of tea" [ref=e651]')
    expect(text.match(/\[ref=/g)!.length).toBeGreaterThan(100)
    expect(text).not.toContain('Words of an article')
    const refs = [...text.matchAll(/\[ref=e(\d+)\]/g)].map(([, number]) => Number(number))
    expect(refs).toEqual(refs.toSorted((a, b) => a - b))
    const told = [...text.matchAll(/\((\d+) lines left out\)/g)].reduce((sum, [, count]) => sum + Number(count), 0)
    expect(told).toBe(cut)
  })

  test('keeps what stands beside what can be acted on, where there is room', () => {
    const form = [
      '- text: "Amount of tea"',
      '- spinbutton [ref=e1]',
      ...Array<string>(400).fill(`- text: "${paragraph}"`),
    ]
    const { text } = shortenPage(form.join('\n'), 1_000, 'order')
    expect(text).toContain('- text: "Amount of tea"\n- spinbutton [ref=e1]')
  })

  test('clips a line that is too long, and its reference stays', () => {
    const long = `- link "${'x'.repeat(5_000)}" [expanded] [ref=e7]`
    expect(shortenPage(long, 100, '').text).toMatch(/^- link "x{200,}… \[expanded\] \[ref=e7\]$/)
  })

  test('is shown elsewhere when the model looks for words in it', async () => {
    const model = modelOf([{ name: 'find', input: { words: 'Article 690' } }, done])
    const { steps } = await run(model, 'Go on.')
    expect(shownIn(model.questions[0]!)).not.toContain('Article 690 of')
    expect(shownIn(model.questions[1]!)).toContain('Article 690 of the shop')
    expect(steps).toMatchObject([{ action: { type: 'find' }, outcome: 'done' }])
  })

  test('is shortened again for a model that counts more tokens than we do', async () => {
    expect(await run(modelOf([scroll, done], 16_000, 1.4))).toMatchObject({ success: true })
  })
})

test(
  'A run whose steps are longer than the room leaves out the oldest, and goes on to its end',
  { tags: ['long'] },
  async () => {
    const fill: Say = { name: 'fill', input: { ref: 'e1', text: 'tea '.repeat(2_000) } }
    const model = modelOf([...times(20, fill), done])
    const { success, steps } = await run(model)
    expect([success, steps.length]).toEqual([true, 20])
    expect(model.questions.at(-1)?.turns?.[0]).toMatchObject({
      text: expect.stringMatching(/first \d+ steps are left out/),
    })
  },
)

describe('A model that fails', () => {
  test.each(['model_failed', 'model_unavailable'] as const)(
    'with %s after 18 good steps ends the run with what there is, and says why',
    async (code) => {
      const failure = new EngineError(code, 'The language model called click with an input that does not fit.')
      const ended = await run(modelOf([...times(18, scroll), failure]))
      expect(ended).toMatchObject({ success: false, answer: '', error: failure.message })
      expect(ended.steps).toHaveLength(18)
    },
  )

  test('before it did anything fails the call', async () => {
    const failure = new EngineError('model_failed', 'No use.')
    await expect(run(modelOf([failure]))).rejects.toBe(failure)
  })
})
