import { expect, test } from 'vitest'

import { whyNoGroup } from './obstacles.ts'

test.each([
  [Object.assign(new Error('denied'), { code: 'EACCES' }), 'this process may not make control groups.'],
  [Object.assign(new Error('odd'), { code: 'EIO' }), 'control groups cannot be made (EIO).'],
  [new Error('There is no controller.'), 'There is no controller.'],
  ['odd', 'for an unknown reason.'],
])('%s has a reason for operators', (cause, reason) => {
  expect(whyNoGroup(cause)).toBe(reason)
})
