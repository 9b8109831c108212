import { EngineError, type Ocr } from '@harvestman/ports'
import { expect, test } from 'vitest'

import type { DrawnPage, DrawTask } from '../draw/draw.ts'
import type { DrawThreads } from '../draw/threads.ts'
import { recognizePages } from './recognize.ts'

const ocr: Ocr = {
  name: 'fake',
  read: (_, { timeout }) => {
    expect(timeout).toBeLessThanOrEqual(8_000)
    return Promise.resolve({ width: 100, height: 100, rotation: 0, skew: 0, lines: [] })
  },
}

function threadsOf(draw: (task: DrawTask) => Promise<readonly DrawnPage[]>): DrawThreads {
  return { run: (task) => draw(task), close: () => Promise.resolve() }
}

const drawn = (number: number): DrawnPage => ({
  number,
  png: new Uint8Array(1),
  width: 100,
  height: 100,
  dotsPerInch: 200,
})
const task = {
  bytes: new Uint8Array(10),
  password: undefined,
  wanted: { pages: [1, 2, 3, 4, 5, 6], sparse: [] },
  limits: { maxPages: 5, dotsPerInch: 200 },
}
const context = { team: 'a', signal: new AbortController().signal, timeLeft: () => 10_000 }

test('pages that take too much to draw cost nothing but themselves', async () => {
  const draw = threadsOf(({ pages }) =>
    pages.includes(1)
      ? Promise.reject(new EngineError('page_too_complex', 'too much'))
      : Promise.resolve(pages.map(drawn)),
  )
  const { pages, failed, missed, problem } = await recognizePages(task, { draw, ocr }, context)
  expect([[...pages.keys()], failed, missed, problem]).toEqual([[5], [1, 2, 3, 4], [6], undefined])
})

test('a missing package ends the recognition, with the reason', async () => {
  const draw = threadsOf(() => Promise.reject(new EngineError('not_configured', 'not installed')))
  const { failed, problem } = await recognizePages(task, { draw, ocr }, context)
  expect([failed, problem?.message]).toEqual([[1, 2, 3, 4, 5], 'not installed'])
})

test('no page is drawn after the time limit', async () => {
  const draw = threadsOf(() => Promise.reject(new Error('Nothing may be drawn.')))
  const { missed, failed } = await recognizePages(task, { draw, ocr }, { ...context, timeLeft: () => 0 })
  expect([missed, failed]).toEqual([[1, 2, 3, 4, 5, 6], []])
})
