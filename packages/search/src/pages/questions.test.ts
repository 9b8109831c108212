import { expect, test } from 'vitest'

import { makeQuestions } from './questions.ts'

test('an aborted question is cancelled once, and its result is ignored', async () => {
  const questions = makeQuestions()
  const cancelled: number[] = []
  const controller = new AbortController()
  let sent = 0
  const result = questions.ask(
    (id) => {
      sent = id
    },
    (id) => cancelled.push(id),
    controller.signal,
  )
  controller.abort(new Error('enough'))
  await expect(result).rejects.toThrow('enough')
  questions.answer(sent, 'late')
  expect(cancelled).toEqual([sent])
})

test('a question that has ended is not cancelled', async () => {
  const questions = makeQuestions()
  const cancelled: number[] = []
  const controller = new AbortController()
  const result = questions.ask(
    (id) => questions.answer(id, 'done'),
    (id) => cancelled.push(id),
    controller.signal,
  )
  expect(await result).toBe('done')
  controller.abort()
  expect(cancelled).toEqual([])
})
