import { browserBounds } from '@harvestman/puppeteer'
import { expect, test } from 'vitest'

import { boundsOf } from './browser-bounds.ts'

test('the doctor says what the kernel bounds of a browser on this machine', ({ skip }) => {
  const here = browserBounds()
  if (here.obstacle) skip(`browsers have no control groups here: ${here.obstacle.reason}`)
  expect(boundsOf(here)).toEqual({ message: expect.stringMatching(/^the kernel limits its memory/) as string })
})

test('the doctor says why the kernel bounds no browser, and what to do about it', () => {
  const obstacle = { reason: 'this process may not make control groups.', remedy: 'Run it as root.' }
  expect(boundsOf({ controllers: [], obstacle })).toEqual({
    message: 'the kernel does not limit it as a whole: this process may not make control groups.',
    fix: 'Run it as root.',
  })
})
