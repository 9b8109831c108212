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

/** Returns the message for a number in place of an object with these keys. */
function wantedOf(shape: Readonly<Record<string, z.ZodType>>): string {
  try {
    check(z.object({ page: z.object(shape) }), { page: 5 })
    return 'accepted'
  } catch (error) {
    return String(error)
  }
}

test.each([
  [[], 'an object, but'],
  [['a'], 'an object with a, but'],
  [['a', 'b'], 'an object with a and b, but'],
  [['a', 'b', 'c', 'd', 'e'], 'an object with a, b, c, d and e, but'],
  [['a', 'b', 'c', 'd', 'e', 'f'], 'an object with a, b, c and 3 more, but'],
])('a message names the required keys of an object: %j', (keys, message) => {
  expect(wantedOf(Object.fromEntries(keys.map((key) => [key, z.string()])))).toContain(message)
})

test('a key is required if its schema throws without a value, or is asynchronous', async () => {
  const shape = {
    split: z.preprocess((value) => (value as string).split(','), z.array(z.string())),
    checked: z
      .string()
      .optional()
      .refine(async () => Promise.reject(new Error('No value.'))),
    fallback: z.string().default('a'),
  }
  expect(wantedOf(shape)).toContain('an object with split and checked, but')
  // A rejection that is not handled would fail this test.
  await new Promise((resolve) => setImmediate(resolve))
})
