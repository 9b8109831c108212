import { expect, test } from 'vitest'

import { parseStroke } from './keys.ts'

test.each(['constructor', 'Control+constructor', 'constructor+a', '__proto__', 'toString'])(
  '%s is not a key',
  (name) => {
    expect(parseStroke(name)).toBeUndefined()
  },
)
