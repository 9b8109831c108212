import { expect, test } from 'vitest'

import { flagsFor } from './flags.ts'

const choices = { folder: '/tmp/profile', proxy: 'http://127.0.0.1:1', sandbox: true, hiddenWait: false }

for (const kind of ['shell', 'full'] as const) {
  test(`a browser (${kind}) for pages without images has no memory for painting, and another has the usual memory`, () => {
    const isLimited = (pictures: boolean): boolean =>
      flagsFor({ ...choices, kind, pictures }).includes('--force-gpu-mem-available-mb=0')
    expect([isLimited(false), isLimited(true)]).toEqual([true, false])
  })
}
