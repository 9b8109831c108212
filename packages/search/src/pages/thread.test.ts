import { expect, test } from 'vitest'

import { makeIndexThread } from './thread.ts'

test('queued pages are reported as lost if the thread ends before they are written', async () => {
  const page = { url: 'https://a.example/', title: 'A', markdown: 'Text', language: '', version: '', at: 0 }
  const reason = await new Promise((lost) => {
    // Cast: the thread fails at its start without options.
    const thread = makeIndexThread(undefined as never, lost)
    void thread.put('a', page)
  })
  expect(reason).toEqual(expect.any(String))
  expect(reason).not.toBe('')
})
