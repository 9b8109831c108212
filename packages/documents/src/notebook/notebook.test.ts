import { expect, test } from 'vitest'

import { convertFile } from '../convert.ts'
import { defaultLimits as limits } from '../limits.ts'

test('a heading of an old notebook has a level from 1 to 6, whatever its file has', async () => {
  const levels = [-1, 2, 9, 1.5, null, 'x']
  const cells = levels.map((level) => ({ cell_type: 'heading', level, source: 'h' }))
  const { html } = await convertFile({ bytes: Buffer.from(JSON.stringify({ cells })), kind: 'notebook', limits })
  expect([...html.join('').matchAll(/<h(\d)>/g)].map(([, level]) => Number(level))).toEqual([1, 2, 6, 1, 1, 1])
})
