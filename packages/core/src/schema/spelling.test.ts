import { expect, test } from 'vitest'
import { z } from 'zod'

import { check } from './problems.ts'

const schema = z.strictObject({
  onlyMainContent: z.boolean().optional(),
  formats: z.array(z.union([z.string(), z.strictObject({ type: z.literal('json'), prompt: z.string() })])).optional(),
})

function saidOf(input: unknown): string {
  try {
    check(schema, input)
    return 'accepted'
  } catch (error) {
    return String(error)
  }
}

test.each([
  [{ onlyMainContnet: true }, 'onlyMainContnet is not a known key; did you mean onlyMainContent?'],
  [{ onlymaincontent: true }, 'did you mean onlyMainContent?'],
  [{ format: [] }, 'did you mean formats?'],
  [{ formats: [{ type: 'json', promt: 'a', prompt: 'b' }] }, 'did you mean prompt?'],
  [{ colour: 'red' }, 'remove it or check its spelling'],
  [{ ['onlyMainContent'.repeat(10)]: true }, 'remove it or check its spelling'],
])('An unknown key is answered with the known one that is spelled like it, or with none: %j', (input, said) => {
  expect(saidOf(input)).toContain(said)
})
