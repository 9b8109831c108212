import { EngineError, type Ocr } from '@harvestman/ports'
import { expect, test } from 'vitest'

import type { DrawnPage, DrawTask } from '../draw/draw.ts'
import type { DrawThreads } from '../draw/threads.ts'
import { recognizePages, whyNothing } from './recognize.ts'

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
  expect([[...pages.keys()], failed, missed, problem?.message]).toEqual([[5], [1, 2, 3, 4], [6], 'too much'])
})

test('a file that cannot be drawn is opened once', async () => {
  let opened = 0
  const draw = threadsOf(() => {
    opened += 1
    return Promise.reject(new EngineError('unsupported_file', 'cannot be opened'))
  })
  const { failed, problem } = await recognizePages(task, { draw, ocr }, context)
  expect([opened, failed, problem?.message]).toEqual([1, [1, 2, 3, 4, 5], 'cannot be opened'])
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

const drawAll = threadsOf(({ pages }) => Promise.resolve(pages.map(drawn)))
/** Fails for these pictures, from 1. */
const failing = (
  error: Error,
  isFailing: (count: number) => boolean,
): { readonly ocr: Ocr; readonly count: () => number } => {
  let count = 0
  const read: Ocr['read'] = (...given) => {
    count += 1
    return isFailing(count) ? Promise.reject(error) : ocr.read(...given)
  }
  return { ocr: { name: 'fake', read }, count: () => count }
}

test.each(['connection_failed', 'bad_response', 'dns_failed'] as const)(
  'a service that fails with %s gets no further batch, and is the reason',
  async (code) => {
    const service = failing(new EngineError(code, 'The service failed.'), (count) => count > 1)
    const result = await recognizePages(task, { draw: drawAll, ocr: service.ocr }, context)
    expect([[...result.pages.keys()], result.failed, result.missed]).toEqual([[1], [2, 3, 4, 5], [6]])
    expect([result.problem?.message, service.count()]).toEqual(['The service failed.', 4])
    expect(whyNothing(result)).toBeUndefined()
  },
)

test('a picture that cannot be recognized costs only itself, and its error is the reason', async () => {
  const service = failing(new EngineError('unsupported_file', 'Damaged.'), (count) => count === 2)
  const { pages, failed, problem } = await recognizePages(task, { draw: drawAll, ocr: service.ocr }, context)
  expect([[...pages.keys()], failed, problem?.message]).toEqual([[1, 3, 4, 5], [2], 'Damaged.'])
})

test('the reason why nothing was recognized is the error, a page that cannot be drawn, or the time limit', async () => {
  const service = failing(new EngineError('connection_failed', 'Refused.'), () => true)
  const down = await recognizePages(task, { draw: drawAll, ocr: service.ocr }, context)
  const broken = threadsOf(({ pages }) =>
    Promise.resolve(pages.map((number) => ({ number, width: 0, height: 0, dotsPerInch: 0, isBroken: true }))),
  )
  const undrawn = await recognizePages(task, { draw: broken, ocr }, context)
  const late = await recognizePages(task, { draw: drawAll, ocr }, { ...context, timeLeft: () => 0 })
  const blank = threadsOf(() => Promise.resolve([]))
  const empty = await recognizePages({ ...task, wanted: { pages: [1], sparse: [] } }, { draw: blank, ocr }, context)
  expect([down, undrawn, late, empty].map((result) => whyNothing(result)?.code)).toEqual([
    'connection_failed',
    'unsupported_file',
    'timeout',
    undefined,
  ])
})
