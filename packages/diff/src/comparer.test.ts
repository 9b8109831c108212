import { afterAll, expect, test } from 'vitest'

import { compareTexts, type CompareTask } from './compare-texts.ts'
import { makeComparer } from './comparer.ts'

const comparer = makeComparer({ size: 1, budget: 60_000, megabytes: 512 })
afterAll(() => comparer.close())

const text = (lines: number, word: string) => ({
  markdown: Array.from({ length: lines }, (_, index) => `Line ${index} ${index % 10 === 0 ? word : ''}`).join('\n'),
  hidden: ['Line 7'],
})
const taskOf = (lines: number): CompareTask => ({
  now: text(lines, 'now'),
  before: new TextEncoder().encode(JSON.stringify(text(lines, 'before'))),
  patterns: ['^Line 2'],
  wanted: ['kept', 'isSame', 'diff', 'previous'],
})

test.each([10, 20_000])('pages of %i lines are compared in the same way, wherever that is done', async (lines) => {
  const { kept, ...found } = await comparer.compare(taskOf(lines), 'team')
  const { kept: expected, ...here } = compareTexts(taskOf(lines))
  expect(found).toEqual(here)
  expect({ ...kept, bytes: Buffer.from(kept!.bytes) }).toEqual({ ...expected, bytes: Buffer.from(expected!.bytes) })
  expect(found.isSame).toBe(false)
})

test('of pages that are the same no difference is looked for', async () => {
  const now = text(20_000, 'now')
  const before = { ...now, markdown: now.markdown.replaceAll(' ', '  ') }
  const task = { now, before, patterns: [], wanted: ['isSame', 'diff', 'previous'] } as const
  expect(await comparer.compare(task, 'team')).toEqual({ isSame: true })
})
